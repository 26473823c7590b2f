import {
  valueAt,
  withValueAt,
  type PropertyMap,
} from "../../../provider/src/lifecycle/comparison/property-value";
import type { LoggedRequest, SimulatorControl } from "../../../simulator/src/index";
import type { Profile } from "../../../simulator/src/profile";
import type { Program, Resource } from "../../kit/engine-model/engine";
import { creationBody } from "../../kit/pipes";
import type { SourceKind } from "../../kit/pipe-fields";
import { assembled, CANARIES, type Part } from "../any-pipe";
import type { PipeAction } from "./any-pipe-step";
import { copied, type Session } from "./session";

/** A pipe of the program. Its arguments beside the parts are those that the provider never sends. */
interface DeclaredPipe {
  readonly type: "Pipe";
  readonly args: PropertyMap;
  readonly aliases: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly fixed: Part;
  readonly updatable: Part;
  readonly removedFields: readonly string[];
}

const NEW = { type: "Pipe", aliases: [], removedFields: [] } as const;

/** What the user does for each action. */
type Handlers = {
  readonly [D in PipeAction["do"]]: (action: Extract<PipeAction, { do: D }>) => unknown;
};

interface Failed {
  readonly name: string;
  readonly message: string;
  readonly requests: readonly LoggedRequest[];
}

/** A program of pipes, the user who edits it, and what the user knows of the pipes of the service. */
export class PipeStack {
  readonly #declarations = new Map<string, DeclaredPipe>();
  /** The pipes that the user knows and the state does not have. */
  readonly unmanaged = new Set<string>();
  /** The immutable parts of unmanaged pipes that the user has seen. */
  readonly #fixedParts = new Map<string, Part>();
  /** Whether another client changed pipes of the state. */
  changedByHand = false;
  /** All profiles that the simulator has had. */
  readonly profiles = new Set<Profile>();

  readonly #handlers: Handlers = {
    declare: ({ slot, policy, fixed, updatable }) => {
      if (!this.#declarations.has(slot))
        this.#declarations.set(slot, { ...NEW, args: policy, fixed, updatable });
    },
    change: ({ slot, updatable }) => this.#correct(slot, (old) => ({ ...old, updatable })),
    "change immutable fields": ({ slot, fixed }) => this.#correct(slot, (old) => ({ ...old, fixed })),
    "change policy": ({ slot, policy }) =>
      this.#correct(slot, (old) => {
        const { adopt } = old.args;
        return { ...old, args: { ...policy, ...(adopt !== undefined && { adopt }) } };
      }),
    "remove field": ({ slot, path }) =>
      this.#correct(slot, (old) => ({ ...old, removedFields: [...old.removedFields, path] })),
    remove: ({ slot }) => this.#declarations.delete(slot),
    // A pipe that no resource of the program has or adopts.
    adopt: ({ slot, nth, updatable, matching, policy }) => {
      const free = this.#existingUnmanaged().filter((id) => !this.adopts(id));
      const id = free[nth % free.length];
      if (this.#isTaken(slot) || id === undefined) return;
      const fixed = (matching ? this.#fixedParts.get(id) : undefined) ?? { "destination.table": "other" };
      this.#declarations.set(slot, { ...NEW, args: { ...policy, adopt: id }, fixed, updatable });
    },
    // The provider refuses it unless the resource goes.
    "adopt a managed pipe": ({ slot, nth, policy }) => {
      const holder = this.resources[nth % this.resources.length];
      const declared = holder && this.#declarations.get(this.nameOf(holder) ?? "");
      if (this.#isTaken(slot) || holder === undefined || declared === undefined) return;
      this.#declarations.set(slot, { ...declared, args: { ...policy, adopt: holder.id }, aliases: [] });
    },
    rename: ({ slot, to, how }) => {
      const declared = this.#declarations.get(slot);
      if (declared === undefined || this.#isTaken(to)) return;
      const id = this.resources.find(({ name, pendingDelete }) => name === slot && !pendingDelete)?.id;
      this.#declarations.delete(slot);
      this.#declarations.set(to, {
        ...declared,
        args: { ...declared.args, ...(how === "adopting" && id !== undefined && { adopt: id }) },
        aliases: how === "with alias" ? [slot, ...declared.aliases] : [],
      });
    },
    "set replaceOnChanges": ({ slot, names }) =>
      this.#correct(slot, (old) => ({ ...old, replaceOnChanges: names })),
    "set profiles": ({ profiles }) => {
      for (const profile of profiles) this.profiles.add(profile);
      this.#control.setBehaviour({ profiles });
    },
    "set read lag": ({ seconds }) => this.#control.setBehaviour({ readLagSeconds: seconds }),
    "delete an unmanaged pipe": ({ nth }) => {
      const others = this.#existingUnmanaged();
      const id = others[nth % others.length];
      if (id !== undefined) this.deletePipe(id);
    },
    // Another client creates it seconds before the provider does, which has read the list before.
    "create the same pipe during the run": ({ slot, after }) => {
      let creates = 0;
      this.session.otherClient.onRequest = ({ operationId, body }) => {
        const declared = this.#declarations.get(slot);
        if (operationId !== "createPipe" || declared === undefined || creates++ !== after) return;
        // The provider cannot distinguish two pipes that were created at the same moment.
        if ((body as { name?: unknown } | undefined)?.name === declared.updatable["name"]) return;
        this.#seed(declared.fixed, declared.updatable);
        this.session.wait(4);
      };
    },
    "edit by hand": ({ slot, patch }) => this.#byHand(slot, (id) => this.#control.editPipe(id, patch)),
    "delete by hand": ({ slot }) =>
      this.#byHand(slot, (id) => {
        this.deletePipe(id);
      }),
    // A create whose answer is lost may take a pipe that was created at most three seconds before it.
    "create by hand": ({ fixed, updatable }) => {
      this.#seed(fixed, updatable);
      this.session.wait(4);
    },
  };

  constructor(
    readonly session: Session,
    private readonly kind: SourceKind,
  ) {}

  apply(action: PipeAction): unknown {
    return (this.#handlers[action.do] as (one: PipeAction) => unknown)(action);
  }

  get #control(): SimulatorControl {
    return this.session.simulator.control;
  }

  get program(): Program {
    const entry = ([name, declared]: [string, DeclaredPipe]) =>
      [name, { ...declared, args: this.#argsOf(declared), aliases: this.#namesOf(name).slice(1) }] as const;
    return new Map([...this.#declarations].map(entry));
  }

  get resources(): readonly Resource[] {
    return this.session.engine.state;
  }

  /** The names of the pipes that exist, by id. */
  get pipeNames(): ReadonlyMap<string, string> {
    return new Map(this.#control.state().pipes.map(({ id, name }) => [id, name]));
  }

  pipe(id: string): PropertyMap | undefined {
    const pipe = this.#control.state().pipes.find((one) => one.id === id);
    return pipe && copied<PropertyMap>(pipe);
  }

  /** Deletes a pipe as another client. */
  deletePipe(id: string): void {
    this.#control.deletePipe(id);
  }

  declared(name: string | undefined): PropertyMap | undefined {
    return this.#declarations.get(name ?? "")?.args;
  }

  adopts(id: string): boolean {
    return [...this.#declarations.values()].some(({ args }) => args["adopt"] === id);
  }

  /** The name by which the program declares a resource of the state. */
  nameOf(resource: Resource): string | undefined {
    return [...this.#declarations.keys()].find((name) => this.#namesOf(name).includes(resource.name));
  }

  /** Changes the program or a pipe as an error message advises; false if the message has no advice. */
  followAdvice({ name, message, requests }: Failed): boolean {
    const [password = ""] = CANARIES;
    if (message.includes("Authentication failed"))
      return this.#correct(name, ({ updatable, ...old }) => {
        const credentials = { [`source.${this.kind}.credentials`]: { username: password, password } };
        return { ...old, updatable: { ...updatable, ...credentials } };
      });
    const id = this.#idOf(name);
    const isRefused = requests.some(({ status, path }) => status === 409 && path.endsWith(`/pipes/${id}`));
    if (isRefused && this.profiles.has("pause-required")) this.#control.editPipe(id, { state: "Paused" });
    else if (this.#followAdviceOnPolicies(name, message)) return true;
    else if (!/did not become|will not become/.test(message)) return false;
    return this.#setArgs(name, {}, "waitFor");
  }

  /** Follows the advice on `adopt` and `replacementPolicy`. */
  #followAdviceOnPolicies(name: string, message: string): boolean {
    const [, id = ""] = /state delete (?:\S+ ?)+?` and set adopt: "(\S+)" to keep/.exec(message) ?? [];
    const unfinished = this.resources.find((one) => one.id === id && one.pendingReplacement);
    if (unfinished !== undefined) {
      this.session.engine.deleteFromState(unfinished);
      return this.pipeNames.has(id) ? this.#setArgs(name, { adopt: id }) : this.#setArgs(name, {}, "adopt");
    }
    const [allows, created = name] = /replacementPolicy: "allow"(?: on "([^"]*)")?/.exec(message) ?? [];
    if (allows !== undefined) return this.#setArgs(created, { replacementPolicy: "allow" });
    if (/adopt pipe|adopt names|already manages/.test(message)) return this.#setArgs(name, {}, "adopt");
    return /of this program( manages| adopts)?\. Remove/.test(message) && this.#declarations.delete(name);
  }

  #argsOf({ fixed, updatable, removedFields, args }: DeclaredPipe): PropertyMap {
    const whole = assembled(this.kind, fixed, updatable);
    return {
      ...removedFields.reduce<PropertyMap>((left, path) => without(left, path.split(".")), whole),
      ...args,
    };
  }

  /** The names under which the state may have a resource of the program. */
  #namesOf(name: string): readonly string[] {
    const { aliases = [] } = this.#declarations.get(name) ?? {};
    const others = aliases.filter((alias) => !this.#declarations.has(alias));
    return this.#declarations.has(name) ? [name, ...others] : [];
  }

  /** The id that a resource of the program has in the state, or adopts; empty if it has none. */
  #idOf(name: string): string {
    const names = this.#namesOf(name);
    const { adopt = "" } = this.declared(name) ?? {};
    const stored = this.resources.find((one) => names.includes(one.name) && !one.pendingDelete);
    return stored?.id ?? (typeof adopt === "string" ? adopt : "");
  }

  /** Whether the program or the state has a resource of the name. */
  #isTaken(name: string): boolean {
    return this.#declarations.has(name) || this.resources.some((resource) => resource.name === name);
  }

  #existingUnmanaged(): string[] {
    return [...this.unmanaged].filter((id) => this.pipeNames.has(id));
  }

  /** Changes a resource of the program; false if there is none of the name. */
  #correct(name: string, correction: (declared: DeclaredPipe) => DeclaredPipe): boolean {
    const declared = this.#declarations.get(name);
    if (declared === undefined) return false;
    this.#declarations.set(name, correction(declared));
    return true;
  }

  #setArgs(name: string, args: PropertyMap, removed = ""): boolean {
    return this.#correct(name, (old) => {
      const { [removed]: _removed, ...others } = old.args;
      return { ...old, args: { ...others, ...args } };
    });
  }

  #seed(fixed: Part, updatable: Part): void {
    const { name, ...args } = assembled(this.kind, fixed, updatable);
    const seeded = this.#control.seedPipes([creationBody(name as string, args)]);
    for (const { id } of seeded) {
      this.unmanaged.add(id);
      this.#fixedParts.set(id, fixed);
    }
  }

  #byHand(slot: string, change: (id: string) => unknown): unknown {
    const resource = this.resources.find(({ name }) => name === slot);
    if (resource === undefined || !this.pipeNames.has(resource.id)) return undefined;
    this.changedByHand = true;
    return change(resource.id);
  }
}

const without = (args: PropertyMap, path: readonly string[]): PropertyMap =>
  valueAt(args, path) === undefined ? args : withValueAt(args, path, undefined);
