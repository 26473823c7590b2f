import { valueAt, withValueAt, type PropertyMap } from "../../../provider/src/core/property-value";
import type { Profile } from "../../../simulator/src/profile";
import { creationBody, type JsonObject, type SourceKind } from "../../../testkit/pipes";
import { assembled, CANARIES, type FixedPart, type UpdatablePart } from "../any-pipe";
import type { PipeAction } from "./any-pipe-step";
import { copied } from "./session";
import { handle, Stack, type Declared, type Failed, type Handlers } from "./stack";

/** A pipe of the program. Its arguments beside the parts are those that the provider never sends. */
interface DeclaredPipe extends Declared {
  readonly fixed: FixedPart;
  readonly updatable: UpdatablePart;
  readonly removedFields: readonly string[];
}

const NEW = { type: "Pipe", aliases: [], removedFields: [] } as const;

/** A program of pipes of one kind. */
export class PipeStack extends Stack<DeclaredPipe> {
  readonly manages = "pipe";
  readonly operations = { create: "createPipe", delete: "deletePipe" } as const;
  /** The immutable parts of unmanaged pipes that the user has seen. */
  readonly #fixedParts = new Map<string, FixedPart>();
  /** Whether another client changed pipes of the state. */
  changedByHand = false;
  /** All profiles that the simulator has had. */
  readonly profiles = new Set<Profile>();

  readonly #handlers: Handlers<PipeAction> = {
    declare: ({ slot, policy, fixed, updatable }) => {
      if (!this.declarations.has(slot))
        this.declarations.set(slot, { ...NEW, args: policy, fixed, updatable });
    },
    change: ({ slot, updatable }) => this.correct(slot, (old) => ({ ...old, updatable })),
    "change immutable fields": ({ slot, fixed }) => this.correct(slot, (old) => ({ ...old, fixed })),
    "change policy": ({ slot, policy }) =>
      this.correct(slot, (old) => {
        const { adopt } = old.args;
        return { ...old, args: { ...policy, ...(adopt !== undefined && { adopt }) } };
      }),
    "remove field": ({ slot, path }) =>
      this.correct(slot, (old) => ({ ...old, removedFields: [...old.removedFields, path] })),
    remove: ({ slot }) => this.declarations.delete(slot),
    adopt: (action) => {
      this.#adopt(action);
    },
    // The provider refuses it unless the resource goes.
    "adopt a managed pipe": ({ slot, nth, policy }) => {
      const holder = this.resources[nth % this.resources.length];
      const declared = holder && this.declarations.get(this.nameOf(holder) ?? "");
      if (this.isTaken(slot) || holder === undefined || declared === undefined) return;
      this.declarations.set(slot, { ...declared, args: { ...policy, adopt: holder.id }, aliases: [] });
    },
    rename: ({ slot, to, how }) => this.rename(slot, to, how),
    "set replaceOnChanges": ({ slot, names }) =>
      this.correct(slot, (old) => ({ ...old, replaceOnChanges: names })),
    "set profiles": ({ profiles }) => {
      for (const profile of profiles) this.profiles.add(profile);
      this.session.simulator.control.setBehaviour({ profiles });
    },
    "set read lag": ({ seconds }) => {
      this.session.simulator.control.setBehaviour({ readLagSeconds: seconds });
    },
    "delete an unmanaged pipe": ({ nth }) => {
      const others = [...this.unmanaged].filter((id) => this.objects.has(id));
      const id = others[nth % others.length];
      if (id !== undefined) this.deleteObject(id);
    },
    "create the same pipe during the run": ({ slot, after }) => {
      this.#createTheSamePipeDuringTheRun(slot, after);
    },
    "edit by hand": ({ slot, patch }) => {
      this.#byHand(slot, (id) => {
        this.session.simulator.control.editPipe(id, patch);
      });
    },
    "delete by hand": ({ slot }) => {
      this.#byHand(slot, (id) => {
        this.deleteObject(id);
      });
    },
    "create by hand": ({ fixed, updatable }) => {
      this.#seed(fixed, updatable);
    },
  };

  constructor(
    session: Stack["session"],
    private readonly kind: SourceKind,
  ) {
    super(session);
  }

  apply(action: PipeAction): void {
    handle(this.#handlers, action);
  }

  get objects(): ReadonlyMap<string, string> {
    return new Map(this.session.simulator.control.state().pipes.map(({ id, name }) => [id, name]));
  }

  deleteObject(id: string): void {
    this.session.simulator.control.deletePipe(id);
  }

  pipe(id: string): PropertyMap | undefined {
    const pipe = this.session.simulator.control.state().pipes.find((one) => one.id === id);
    return pipe && copied<PropertyMap>(pipe);
  }

  /** A warning of two pipes for one table; or of zeros that a new pipe returns until its values apply. */
  override expects(line: string): boolean {
    if (/^warning: the program declares pipe .* twice/.test(line)) return true;
    return this.profiles.has("zero-later") && line.includes("the service has ignored the declared value");
  }

  override followAdvice(failed: Failed): boolean {
    const { name, message, requests } = failed;
    if (message.includes("Authentication failed")) return this.#addCredentials(name);
    const id = this.idOf(name);
    const isRefused = requests.some(({ status, path }) => status === 409 && path.endsWith(`/pipes/${id}`));
    if (isRefused && this.profiles.has("pause-required"))
      this.session.simulator.control.editPipe(id, { state: "Paused" });
    else if (super.followAdvice(failed)) return true;
    else if (!/did not become|will not become/.test(message)) return false;
    return this.setArgs(name, {}, "waitFor");
  }

  #addCredentials(name: string): boolean {
    const [password = ""] = CANARIES;
    const credentials = { username: password, password };
    return this.correct(name, (old) => {
      const source = { ...old.updatable.source, credentials };
      return { ...old, updatable: { ...old.updatable, source } };
    });
  }

  /** Another client creates the same pipe as the program, seconds before the provider does, which has read the list before. */
  #createTheSamePipeDuringTheRun(slot: string, after: number): void {
    const { session } = this;
    let creates = 0;
    session.otherClient.onRequest = ({ operationId, body }) => {
      const declared = this.declarations.get(slot);
      if (operationId !== "createPipe" || declared === undefined || creates++ !== after) return;
      const { name } = declared.updatable;
      // The provider cannot distinguish two pipes that were created at the same moment.
      if ((body as { name?: unknown } | undefined)?.name === name) return;
      this.#seed(declared.fixed, declared.updatable);
      session.wait(4);
    };
  }

  #seed(fixed: FixedPart, updatable: UpdatablePart): void {
    const { control } = this.session.simulator;
    const { name, ...args } = assembled(this.kind, fixed, updatable) as JsonObject;
    for (const { id } of control.seedPipes([creationBody(name as string, args)])) {
      this.unmanaged.add(id);
      this.#fixedParts.set(id, fixed);
    }
  }

  #byHand(slot: string, change: (id: string) => void): void {
    const resource = this.resources.find(({ name }) => name === slot);
    if (resource === undefined || !this.objects.has(resource.id)) return;
    this.changedByHand = true;
    change(resource.id);
  }

  /** Adopts a pipe that no resource of the program has or adopts. */
  #adopt({ slot, nth, updatable, matching, policy }: Extract<PipeAction, { do: "adopt" }>): void {
    const named = new Set([...this.declarations.values()].map(({ args }) => args["adopt"]));
    const free = [...this.unmanaged].filter((id) => this.objects.has(id) && !named.has(id));
    const id = free[nth % free.length];
    if (this.isTaken(slot) || id === undefined) return;
    const other: FixedPart = { source: {}, settings: {}, destination: { table: "other" }, scaling: {} };
    const fixed = (matching ? this.#fixedParts.get(id) : undefined) ?? other;
    this.declarations.set(slot, { ...NEW, args: { ...policy, adopt: id }, fixed, updatable });
  }

  protected override argsOf({ fixed, updatable, removedFields, args }: DeclaredPipe): PropertyMap {
    const whole = assembled(this.kind, fixed, updatable);
    return { ...removedFields.reduce((left, path) => without(left, path.split(".")), whole), ...args };
  }
}

const without = (args: PropertyMap, path: readonly string[]): PropertyMap =>
  valueAt(args, path) === undefined ? args : withValueAt(args, path, undefined);
