import type { PropertyMap } from "../../../provider/src/core/property-value";
import { valueAt, withValueAt } from "../../../provider/src/core/property-value";
import type { SeedPipe } from "../../../simulator/src/index";
import { creationBody, type JsonObject, type SourceKind } from "../../support/pipes";
import { assembled, type FixedPart, type UpdatablePart } from "../any-pipe";
import type { Deed, Policy } from "./any-step";
import type { Declaration, Program, Resource } from "./engine";
import type { Stack } from "./life";
import { copied, type Session } from "./session";

/** One pipe as the program declares it. */
interface Declared {
  readonly fixed: FixedPart;
  readonly updatable: UpdatablePart;
  readonly policy: Policy;
  readonly forgotten: readonly string[];
  readonly adopt?: string;
}

/** A program of pipes of one kind, and what its author knows of the service. */
export class PipeStack implements Stack<Deed> {
  readonly #program = new Map<string, Declared>();
  /** Pipes that the author knows of and that the stack does not hold, with what no update of them changes. */
  readonly outside = new Map<string, FixedPart | undefined>();
  /** Whether somebody changed pipes behind the stack's back. */
  disturbed = false;

  constructor(
    readonly session: Session,
    private readonly kind: SourceKind,
  ) {}

  get program(): Program {
    return new Map([...this.#program].map(([name, declared]) => [name, this.#declaration(declared)]));
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

  heed(name: string, message: string): boolean {
    if (message.includes('replacementPolicy: "allow"'))
      this.#correct(name, (old) => ({ ...old, policy: { ...old.policy, replacementPolicy: "allow" } }));
    else if (/adopt pipe|adopt names pipe/.test(message))
      this.#correct(name, ({ adopt: _adopt, ...old }) => old);
    else if (/did not become|will not become/.test(message))
      this.#correct(name, ({ policy: { waitFor: _waitFor, ...policy }, ...old }) => ({ ...old, policy }));
    else return false;
    return true;
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
        this.#doByHand(deed);
    }
  }

  #doByHand(deed: Extract<Deed, { do: `${string} by hand` }>): void {
    const { control } = this.session.simulator;
    if (deed.do === "create by hand") {
      const { name, ...args } = assembled(this.kind, deed.fixed, deed.updatable) as JsonObject;
      for (const { id } of control.seedPipes([creationBody(name as string, args) as unknown as SeedPipe]))
        this.outside.set(id, deed.fixed);
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
    if (this.#program.has(slot) || this.resources.some(({ name }) => name === slot)) return;
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

  #declaration({ fixed, updatable, policy, forgotten, adopt }: Declared): Declaration {
    const whole = assembled(this.kind, fixed, updatable);
    const args = forgotten.reduce((left, path) => without(left, path.split(".")), whole);
    return { type: "Pipe", args: { ...args, ...policy, ...(adopt !== undefined && { adopt }) } };
  }
}

const without = (args: PropertyMap, path: readonly string[]): PropertyMap =>
  valueAt(args, path) === undefined ? args : withValueAt(args, path, undefined);
