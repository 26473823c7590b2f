import { valueAt, withValueAt, type PropertyMap } from "../../../provider/src/lifecycle/property-value";
import type { Profile } from "../../../simulator/src/profile";
import { creationBody } from "../../kit/pipes";
import type { SourceKind } from "../../kit/pipe-fields";
import { assembled, CANARIES, type Part } from "../any-pipe";
import type { PipeAction } from "./any-pipe-step";
import { copied, type Session } from "./session";
import { Stack, type Declared, type Failed, type Handlers } from "./stack";

/** A pipe of the program. Its arguments beside the parts are those that the provider never sends. */
interface DeclaredPipe extends Declared {
  readonly fixed: Part;
  readonly updatable: Part;
  readonly removedFields: readonly string[];
}

const NEW = { type: "Pipe", aliases: [], removedFields: [] } as const;

export class PipeStack extends Stack<PipeAction, DeclaredPipe> {
  readonly manages = "pipe";
  readonly operations = { create: "createPipe", delete: "deletePipe" } as const;
  /** The immutable parts of unmanaged pipes that the user has seen. */
  readonly #fixedParts = new Map<string, Part>();
  /** Whether another client changed pipes of the state. */
  changedByHand = false;
  /** All profiles that the simulator has had. */
  readonly profiles = new Set<Profile>();

  protected readonly handlers: Handlers<PipeAction> = {
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
    // A pipe that no resource of the program has or adopts.
    adopt: ({ slot, nth, updatable, matching, policy }) => {
      const free = [...this.unmanaged].filter((id) => this.objects.has(id) && !this.adopts(id));
      const id = free[nth % free.length];
      if (this.isTaken(slot) || id === undefined) return;
      const fixed = (matching ? this.#fixedParts.get(id) : undefined) ?? { "destination.table": "other" };
      this.declarations.set(slot, { ...NEW, args: { ...policy, adopt: id }, fixed, updatable });
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
      this.control.setBehaviour({ profiles });
    },
    "set read lag": ({ seconds }) => this.control.setBehaviour({ readLagSeconds: seconds }),
    "delete an unmanaged pipe": ({ nth }) => {
      const others = [...this.unmanaged].filter((id) => this.objects.has(id));
      const id = others[nth % others.length];
      if (id !== undefined) this.deleteObject(id);
    },
    // Another client creates it seconds before the provider does, which has read the list before.
    "create the same pipe during the run": ({ slot, after }) => {
      let creates = 0;
      this.session.otherClient.onRequest = ({ operationId, body }) => {
        const declared = this.declarations.get(slot);
        if (operationId !== "createPipe" || declared === undefined || creates++ !== after) return;
        // The provider cannot distinguish two pipes that were created at the same moment.
        if ((body as { name?: unknown } | undefined)?.name === declared.updatable["name"]) return;
        this.#seed(declared.fixed, declared.updatable);
        this.session.wait(4);
      };
    },
    "edit by hand": ({ slot, patch }) => this.#byHand(slot, (id) => this.control.editPipe(id, patch)),
    "delete by hand": ({ slot }) =>
      this.#byHand(slot, (id) => {
        this.control.deletePipe(id);
      }),
    // A create whose answer is lost may take a pipe that was created at most three seconds before it.
    "create by hand": ({ fixed, updatable }) => {
      this.#seed(fixed, updatable);
      this.session.wait(4);
    },
  };

  constructor(
    session: Session,
    private readonly kind: SourceKind,
  ) {
    super(session);
  }

  get objects(): ReadonlyMap<string, string> {
    return new Map(this.control.state().pipes.map(({ id, name }) => [id, name]));
  }

  deleteObject(id: string): void {
    this.control.deletePipe(id);
  }

  pipe(id: string): PropertyMap | undefined {
    const pipe = this.control.state().pipes.find((one) => one.id === id);
    return pipe && copied<PropertyMap>(pipe);
  }

  override followAdvice(failed: Failed): boolean {
    const { name, message, requests } = failed;
    const [password = ""] = CANARIES;
    if (message.includes("Authentication failed"))
      return this.correct(name, ({ updatable, ...old }) => {
        const credentials = { [`source.${this.kind}.credentials`]: { username: password, password } };
        return { ...old, updatable: { ...updatable, ...credentials } };
      });
    const id = this.idOf(name);
    const isRefused = requests.some(({ status, path }) => status === 409 && path.endsWith(`/pipes/${id}`));
    if (isRefused && this.profiles.has("pause-required")) this.control.editPipe(id, { state: "Paused" });
    else if (super.followAdvice(failed)) return true;
    else if (!/did not become|will not become/.test(message)) return false;
    return this.setArgs(name, {}, "waitFor");
  }

  #seed(fixed: Part, updatable: Part): unknown {
    const { name, ...args } = assembled(this.kind, fixed, updatable);
    const seeded = this.control.seedPipes([creationBody(name as string, args)]);
    for (const { id } of seeded) this.unmanaged.add(id);
    return seeded.map(({ id }) => this.#fixedParts.set(id, fixed));
  }

  #byHand(slot: string, change: (id: string) => unknown): unknown {
    const resource = this.resources.find(({ name }) => name === slot);
    if (resource === undefined || !this.objects.has(resource.id)) return undefined;
    this.changedByHand = true;
    return change(resource.id);
  }

  protected override argsOf({ fixed, updatable, removedFields, args }: DeclaredPipe): PropertyMap {
    const whole = assembled(this.kind, fixed, updatable);
    return {
      ...removedFields.reduce<PropertyMap>((left, path) => without(left, path.split(".")), whole),
      ...args,
    };
  }
}

const without = (args: PropertyMap, path: readonly string[]): PropertyMap =>
  valueAt(args, path) === undefined ? args : withValueAt(args, path, undefined);
