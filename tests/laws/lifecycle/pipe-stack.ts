import type { PropertyMap } from "../../../provider/src/core/property-value";
import { valueAt, withValueAt } from "../../../provider/src/core/property-value";
import type { SeedPipe } from "../../../simulator/src/index";
import type { Profile } from "../../../simulator/src/profile";
import { creationBody, type JsonObject, type SourceKind } from "../../../testkit/pipes";
import { assembled, CANARIES, type FixedPart, type UpdatablePart } from "../any-pipe";
import type { Action, Policy } from "./any-pipe-step";
import type { Declaration, Program, Resource } from "./program";
import type { Stack } from "./steps";
import { copied, type Session } from "./session";

/** A pipe of the program. */
interface Declared {
  readonly fixed: FixedPart;
  readonly updatable: UpdatablePart;
  readonly policy: Policy;
  readonly removedFields: readonly string[];
  readonly adopt?: string;
  /** Its earlier names. */
  readonly aliases?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
}

type OtherClientAction = Extract<
  Action,
  { do: "set profiles" | "delete an unmanaged pipe" | "create the same pipe during the run" }
>;

/** A program of pipes of one kind, and what its user knows of the service. */
export class PipeStack implements Stack<Action> {
  readonly #program = new Map<string, Declared>();
  /** Pipes that the user knows and the state does not have, with their immutable part where it is known. */
  readonly unmanaged = new Map<string, FixedPart | undefined>();
  /** Whether another client changed pipes of the state. */
  changedByHand = false;
  /** All profiles that the simulator has had. */
  readonly profiles = new Set<Profile>();

  constructor(
    readonly session: Session,
    private readonly kind: SourceKind,
  ) {}

  get program(): Program {
    return new Map([...this.#program].map(([name, declared]) => [name, this.#declaration(name, declared)]));
  }

  get resources(): readonly Resource[] {
    return this.session.engine.state;
  }

  /** The pipes that exist, by id. */
  get pipes(): ReadonlyMap<string, PropertyMap> {
    const { pipes } = this.session.simulator.control.state();
    return new Map(pipes.map((pipe) => [pipe.id, copied(pipe) as PropertyMap]));
  }

  declared(name: string): Declared | undefined {
    return this.#program.get(name);
  }

  /** The names under which the state may have a resource of the program. */
  namesOf(name: string): readonly string[] {
    const { aliases = [] } = this.#program.get(name) ?? {};
    return this.#program.has(name) ? [name, ...aliases.filter((alias) => !this.#program.has(alias))] : [];
  }

  /** The name by which the program declares a resource of the state. */
  nameOf(resource: Resource): string | undefined {
    return [...this.#program.keys()].find((name) => this.namesOf(name).includes(resource.name));
  }

  /** A warning of two pipes for one table; or of zeros that a new pipe returns until its values apply. */
  expects(line: string): boolean {
    if (/^warning: the program declares pipe .* twice/.test(line)) return true;
    return this.profiles.has("zero-later") && line.includes("the service has ignored the declared value");
  }

  followAdvice(name: string, message: string): boolean {
    if (this.#followServiceAdvice(name, message)) return true;
    if (message.includes('replacementPolicy: "allow"'))
      this.#correct(name, (old) => ({ ...old, policy: { ...old.policy, replacementPolicy: "allow" } }));
    else if (/adopt pipe|adopt names/.test(message)) this.#correct(name, ({ adopt: _adopt, ...old }) => old);
    else if (message.includes("Two resources of this program manage")) this.#program.delete(name);
    else if (/did not become|will not become/.test(message))
      this.#correct(name, ({ policy: { waitFor: _waitFor, ...policy }, ...old }) => ({ ...old, policy }));
    else return false;
    return true;
  }

  /** Follows the service's own advice on a refused update. */
  #followServiceAdvice(name: string, message: string): boolean {
    if (message.includes("Authentication failed"))
      this.#correct(name, (old) => ({ ...old, updatable: withCredentials(old.updatable) }));
    else if (message.includes("409") && this.profiles.has("pause-required")) this.#pause(name);
    else return false;
    return true;
  }

  #pause(name: string): void {
    const resource = this.resources.find((one) => this.namesOf(name).includes(one.name));
    const id = resource?.id ?? this.#program.get(name)?.adopt;
    if (id === undefined) return;
    this.session.simulator.control.editPipe(id, { state: "Paused" });
    this.#correct(name, ({ policy: { waitFor: _waitFor, ...policy }, ...old }) => ({ ...old, policy }));
  }

  #correct(name: string, correction: (declared: Declared) => Declared): void {
    const declared = this.#program.get(name);
    if (declared !== undefined) this.#program.set(name, correction(declared));
  }

  apply(action: Action): void {
    switch (action.do) {
      case "declare":
        if (!this.#program.has(action.slot)) this.#program.set(action.slot, { ...action, removedFields: [] });
        return;
      case "adopt":
        this.#adopt(action);
        return;
      case "adopt a managed pipe":
        this.#adoptManaged(action);
        return;
      case "rename":
        this.#rename(action);
        return;
      case "set replaceOnChanges":
        this.#correct(action.slot, (old) => ({ ...old, replaceOnChanges: action.names }));
        return;
      case "remove":
        this.#program.delete(action.slot);
        return;
      case "remove field":
        this.#correct(action.slot, (old) => ({ ...old, removedFields: [...old.removedFields, action.path] }));
        return;
      case "change":
      case "change policy":
      case "change immutable fields": {
        const { do: _do, slot, ...change } = action;
        this.#correct(slot, (old) => ({ ...old, ...change }));
        return;
      }
      default:
        this.#applyOtherClient(action);
    }
  }

  #rename({ slot, to, how }: Extract<Action, { do: "rename" }>): void {
    const declared = this.#program.get(slot);
    if (declared === undefined || this.#isTaken(to)) return;
    const { aliases = [], ...old } = declared;
    const id = this.resources.find(({ name, pendingDelete }) => name === slot && !pendingDelete)?.id;
    this.#program.delete(slot);
    this.#program.set(to, {
      ...old,
      ...(how === "with alias" && { aliases: [slot, ...aliases] }),
      ...(how === "adopting" && id !== undefined && { adopt: id }),
    });
  }

  /** Whether the program or the state has a resource of the name. */
  #isTaken = (slot: string): boolean =>
    this.#program.has(slot) || this.resources.some(({ name }) => name === slot);

  /** Adopts a pipe of another resource, which the provider refuses unless that resource goes. */
  #adoptManaged({ slot, nth, policy }: Extract<Action, { do: "adopt a managed pipe" }>): void {
    if (this.#isTaken(slot)) return;
    const holder = this.resources[nth % this.resources.length];
    const declared = holder && this.#program.get(this.nameOf(holder) ?? "");
    if (holder === undefined || declared === undefined) return;
    const { aliases: _aliases, ...same } = declared;
    this.#program.set(slot, { ...same, policy, adopt: holder.id });
  }

  #applyOtherClient(action: Extract<Action, { do: `${string} by hand` }> | OtherClientAction): void {
    const { control } = this.session.simulator;
    switch (action.do) {
      case "set profiles":
        for (const profile of action.profiles) this.profiles.add(profile);
        control.setBehaviour({ profiles: action.profiles });
        return;
      case "delete an unmanaged pipe": {
        const others = [...this.unmanaged.keys()].filter((id) => this.pipes.has(id));
        const id = others[action.nth % others.length];
        if (id !== undefined) control.deletePipe(id);
        return;
      }
      case "create the same pipe during the run":
        this.#createTheSamePipeDuringTheRun(action);
        return;
      default:
        this.#applyByHand(action);
    }
  }

  /**
   * Another client creates the same pipe as the program, seconds before the provider does: after the provider has created
   * another pipe, and so has read the list.
   */
  #createTheSamePipeDuringTheRun({
    slot,
    after,
  }: Extract<Action, { do: "create the same pipe during the run" }>): void {
    const { session } = this;
    let creates = 0;
    session.otherClient.onRequest = ({ operationId, body }) => {
      const declared = this.#program.get(slot);
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
    for (const { id } of control.seedPipes([creationBody(name as string, args) as unknown as SeedPipe]))
      this.unmanaged.set(id, fixed);
  }

  #applyByHand(action: Extract<Action, { do: `${string} by hand` }>): void {
    const { control } = this.session.simulator;
    if (action.do === "create by hand") {
      this.#seed(action.fixed, action.updatable);
      return;
    }
    const resource = this.resources.find(({ name }) => name === action.slot);
    if (resource === undefined || !this.pipes.has(resource.id)) return;
    this.changedByHand = true;
    if (action.do === "delete by hand") control.deletePipe(resource.id);
    else control.editPipe(resource.id, action.patch);
  }

  /** Adopts a pipe that no resource of the program has or adopts. */
  #adopt({ slot, nth, updatable, matching, policy }: Extract<Action, { do: "adopt" }>): void {
    if (this.#isTaken(slot)) return;
    const named = new Set([...this.#program.values()].map(({ adopt }) => adopt));
    const free = [...this.unmanaged].filter(([id]) => this.pipes.has(id) && !named.has(id));
    const [id, fixed] = free[nth % free.length] ?? [];
    if (id === undefined) return;
    const other: FixedPart = { source: {}, settings: {}, destination: { table: "other" }, scaling: {} };
    this.#program.set(slot, {
      fixed: matching && fixed !== undefined ? fixed : other,
      updatable,
      policy,
      removedFields: [],
      adopt: id,
    });
  }

  #declaration(name: string, declared: Declared): Declaration {
    const { fixed, updatable, policy, removedFields, adopt, replaceOnChanges = [] } = declared;
    const whole = assembled(this.kind, fixed, updatable);
    const args = removedFields.reduce((left, path) => without(left, path.split(".")), whole);
    return {
      type: "Pipe",
      args: { ...args, ...policy, ...(adopt !== undefined && { adopt }) },
      aliases: this.namesOf(name).slice(1),
      replaceOnChanges,
    };
  }
}

const without = (args: PropertyMap, path: readonly string[]): PropertyMap =>
  valueAt(args, path) === undefined ? args : withValueAt(args, path, undefined);

const withCredentials = (updatable: UpdatablePart): UpdatablePart => {
  const [password = ""] = CANARIES;
  return { ...updatable, source: { ...updatable.source, credentials: { username: password, password } } };
};
