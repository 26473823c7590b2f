import type { PropertyMap } from "../../../provider/src/core/property-value";
import { valueAt, withValueAt } from "../../../provider/src/core/property-value";
import type { SeedPipe } from "../../../simulator/src/index";
import type { Profile } from "../../../simulator/src/profile";
import { creationBody, type JsonObject, type SourceKind } from "../../support/pipes";
import { assembled, CANARIES, type FixedPart, type UpdatablePart } from "../any-pipe";
import type { Deed, Policy } from "./any-step";
import type { Declaration, Program, Resource } from "./program";
import type { Stack } from "./life";
import { copied, type Session } from "./session";

/** One pipe as the program declares it. */
interface Declared {
  readonly fixed: FixedPart;
  readonly updatable: UpdatablePart;
  readonly policy: Policy;
  readonly forgotten: readonly string[];
  readonly adopt?: string;
  /** The names that it had before. */
  readonly aliases?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
}

type ElsewhereDeed = Extract<
  Deed,
  { do: "answer otherwise" | "delete of others" | "make the same during the run" }
>;

/** A program of pipes of one kind, and what its author knows of the service. */
export class PipeStack implements Stack<Deed> {
  readonly #program = new Map<string, Declared>();
  /** Pipes that the author knows of and that the stack does not hold, with what no update of them changes. */
  readonly outside = new Map<string, FixedPart | undefined>();
  /** Whether somebody changed pipes behind the stack's back. */
  disturbed = false;
  /** All ways in which the service has answered. */
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

  /** Two pipes for one table; and zeros of a new pipe, which look as if the service had not taken the numbers. */
  expects(line: string): boolean {
    if (/^warning: the program declares pipe .* twice/.test(line)) return true;
    return this.profiles.has("zero-later") && line.includes("the service has not taken the value");
  }

  heed(name: string, message: string): boolean {
    if (this.#heedService(name, message)) return true;
    if (message.includes('replacementPolicy: "allow"'))
      this.#correct(name, (old) => ({ ...old, policy: { ...old.policy, replacementPolicy: "allow" } }));
    else if (/adopt pipe|adopt names/.test(message)) this.#correct(name, ({ adopt: _adopt, ...old }) => old);
    else if (message.includes("is held by two resources")) this.#program.delete(name);
    else if (/did not become|will not become/.test(message))
      this.#correct(name, ({ policy: { waitFor: _waitFor, ...policy }, ...old }) => ({ ...old, policy }));
    else return false;
    return true;
  }

  /** What the service wants before it takes a change. */
  #heedService(name: string, message: string): boolean {
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

  do(deed: Deed): void {
    switch (deed.do) {
      case "declare":
        if (!this.#program.has(deed.slot)) this.#program.set(deed.slot, { ...deed, forgotten: [] });
        return;
      case "adopt":
        this.#adopt(deed);
        return;
      case "adopt what is held":
        this.#adoptHeld(deed);
        return;
      case "rename":
        this.#rename(deed);
        return;
      case "set replaceOnChanges":
        this.#correct(deed.slot, (old) => ({ ...old, replaceOnChanges: deed.names }));
        return;
      case "remove":
        this.#program.delete(deed.slot);
        return;
      case "forget":
        this.#correct(deed.slot, (old) => ({ ...old, forgotten: [...old.forgotten, deed.path] }));
        return;
      case "change":
      case "change policy":
      case "change what is fixed": {
        const { do: _do, slot, ...change } = deed;
        this.#correct(slot, (old) => ({ ...old, ...change }));
        return;
      }
      default:
        this.#doElsewhere(deed);
    }
  }

  #rename({ slot, to, how }: Extract<Deed, { do: "rename" }>): void {
    const declared = this.#program.get(slot);
    if (declared === undefined || this.#isTaken(to)) return;
    const { aliases = [], ...old } = declared;
    const id = this.resources.find(({ name, condemned }) => name === slot && !condemned)?.id;
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

  /** Names a pipe that another resource holds: refused, unless that one is taken out of the program. */
  #adoptHeld({ slot, nth, policy }: Extract<Deed, { do: "adopt what is held" }>): void {
    if (this.#isTaken(slot)) return;
    const holder = this.resources[nth % this.resources.length];
    const declared = holder && this.#program.get(this.nameOf(holder) ?? "");
    if (holder === undefined || declared === undefined) return;
    const { aliases: _aliases, ...same } = declared;
    this.#program.set(slot, { ...same, policy, adopt: holder.id });
  }

  #doElsewhere(deed: Extract<Deed, { do: `${string} by hand` }> | ElsewhereDeed): void {
    const { control } = this.session.simulator;
    switch (deed.do) {
      case "answer otherwise":
        for (const profile of deed.profiles) this.profiles.add(profile);
        control.setBehaviour({ profiles: deed.profiles });
        return;
      case "delete of others": {
        const others = [...this.outside.keys()].filter((id) => this.pipes.has(id));
        const id = others[deed.nth % others.length];
        if (id !== undefined) control.deletePipe(id);
        return;
      }
      case "make the same during the run":
        this.#makeTheSameDuringTheRun(deed);
        return;
      default:
        this.#doByHand(deed);
    }
  }

  /**
   * Another client makes a pipe as the program declares one, seconds before the provider does: after the provider has created
   * another pipe, and so has read the list.
   */
  #makeTheSameDuringTheRun({ slot, after }: Extract<Deed, { do: "make the same during the run" }>): void {
    const { session } = this;
    let creates = 0;
    session.meanwhile.act = ({ operationId, body }) => {
      const declared = this.#program.get(slot);
      if (operationId !== "createPipe" || declared === undefined || creates++ !== after) return;
      const { name } = declared.updatable;
      // Of two that are made in one moment nobody can tell which is whose.
      if ((body as { name?: unknown } | undefined)?.name === name) return;
      this.#seed(declared.fixed, declared.updatable);
      session.wait(4);
    };
  }

  #seed(fixed: FixedPart, updatable: UpdatablePart): void {
    const { control } = this.session.simulator;
    const { name, ...args } = assembled(this.kind, fixed, updatable) as JsonObject;
    for (const { id } of control.seedPipes([creationBody(name as string, args) as unknown as SeedPipe]))
      this.outside.set(id, fixed);
  }

  #doByHand(deed: Extract<Deed, { do: `${string} by hand` }>): void {
    const { control } = this.session.simulator;
    if (deed.do === "create by hand") {
      this.#seed(deed.fixed, deed.updatable);
      return;
    }
    const resource = this.resources.find(({ name }) => name === deed.slot);
    if (resource === undefined || !this.pipes.has(resource.id)) return;
    this.disturbed = true;
    if (deed.do === "delete by hand") control.deletePipe(resource.id);
    else control.editPipe(resource.id, deed.patch);
  }

  /** Names a pipe that no other part of the program names or holds. */
  #adopt({ slot, nth, updatable, matching, policy }: Extract<Deed, { do: "adopt" }>): void {
    if (this.#isTaken(slot)) return;
    const named = new Set([...this.#program.values()].map(({ adopt }) => adopt));
    const free = [...this.outside].filter(([id]) => this.pipes.has(id) && !named.has(id));
    const [id, fixed] = free[nth % free.length] ?? [];
    if (id === undefined) return;
    const other: FixedPart = { source: {}, settings: {}, destination: { table: "other" }, scaling: {} };
    this.#program.set(slot, {
      fixed: matching && fixed !== undefined ? fixed : other,
      updatable,
      policy,
      forgotten: [],
      adopt: id,
    });
  }

  #declaration(name: string, declared: Declared): Declaration {
    const { fixed, updatable, policy, forgotten, adopt, replaceOnChanges = [] } = declared;
    const whole = assembled(this.kind, fixed, updatable);
    const args = forgotten.reduce((left, path) => without(left, path.split(".")), whole);
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
