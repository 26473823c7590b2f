import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";
import type { Fault, LoggedRequest, SimulatorControl } from "../../../simulator/src/index";
import type { Identity } from "../../kit/engine-model/adapter";
import type { Program, Resource } from "../../kit/engine-model/engine";
import type { Session } from "./session";

export interface Declared {
  readonly type: Identity["type"];
  readonly args: PropertyMap;
  readonly aliases: readonly string[];
  readonly replaceOnChanges?: readonly string[];
}

/** What the user does for each action. */
export type Handlers<Action extends { readonly do: string }> = {
  readonly [D in Action["do"]]: (action: Extract<Action, { do: D }>) => unknown;
};

export interface Failed {
  readonly name: string;
  readonly message: string;
  readonly requests: readonly LoggedRequest[];
}

/** A program, the user who edits it, and what the user knows of the objects that the resources manage. */
export abstract class Stack<Action extends { readonly do: string } = never, D extends Declared = Declared> {
  protected abstract readonly handlers: Handlers<Action>;
  protected readonly declarations = new Map<string, D>();
  abstract readonly manages: "pipe";
  abstract readonly operations: Readonly<Record<"create" | "delete", Fault["operationId"]>>;
  /** The objects that the user knows and the state does not have. */
  readonly unmanaged = new Set<string>();

  constructor(readonly session: Session) {}

  /** The objects that exist, by id, and the texts by which messages name them. */
  abstract get objects(): ReadonlyMap<string, string>;
  /** Deletes an object as another client. */
  abstract deleteObject(id: string): void;

  apply(action: Action): unknown {
    return (this.handlers[action.do as Action["do"]] as (one: Action) => unknown)(action);
  }

  get control(): SimulatorControl {
    return this.session.simulator.control;
  }

  get program(): Program {
    const entry = ([name, declared]: [string, D]) =>
      [name, { ...declared, args: this.argsOf(declared), aliases: this.namesOf(name).slice(1) }] as const;
    return new Map([...this.declarations].map(entry));
  }

  protected argsOf(declared: D): PropertyMap {
    return declared.args;
  }

  get resources(): readonly Resource[] {
    return this.session.engine.state;
  }

  declared(name: string | undefined): PropertyMap | undefined {
    return this.declarations.get(name ?? "")?.args;
  }

  adopts(id: string): boolean {
    return [...this.declarations.values()].some(({ args }) => args["adopt"] === id);
  }

  /** The names under which the state may have a resource of the program. */
  protected namesOf(name: string): readonly string[] {
    const { aliases = [] } = this.declarations.get(name) ?? {};
    const others = aliases.filter((alias) => !this.declarations.has(alias));
    return this.declarations.has(name) ? [name, ...others] : [];
  }

  /** The name by which the program declares a resource of the state. */
  nameOf(resource: Resource): string | undefined {
    return [...this.declarations.keys()].find((name) => this.namesOf(name).includes(resource.name));
  }

  /** The id that a resource of the program has in the state, or adopts; empty if it has none. */
  protected idOf(name: string): string {
    const names = this.namesOf(name);
    const { adopt = "" } = this.declared(name) ?? {};
    const stored = this.resources.find((one) => names.includes(one.name) && !one.pendingDelete);
    return stored?.id ?? (typeof adopt === "string" ? adopt : "");
  }

  /** Changes the program as an error message advises; false if the message has no advice for a program. */
  followAdvice({ name, message }: Failed): boolean {
    const [, id = ""] = /state delete <URN of the resource>`, and set adopt to (\S+) if/.exec(message) ?? [];
    const unfinished = this.resources.find((one) => one.id === id && one.pendingReplacement);
    if (unfinished !== undefined && message.includes("an earlier run has failed")) {
      this.session.engine.deleteFromState(unfinished);
      return this.objects.has(id) ? this.setArgs(name, { adopt: id }) : this.setArgs(name, {}, "adopt");
    }
    const [allows, created = name] = /replacementPolicy: "allow"(?: on "([^"]*)")?/.exec(message) ?? [];
    if (allows !== undefined) return this.setArgs(created, { replacementPolicy: "allow" });
    if (/adopt pipe|adopt names|already manages/.test(message)) return this.setArgs(name, {}, "adopt");
    return /of this program( manages| adopts)?\. Remove/.test(message) && this.declarations.delete(name);
  }

  /** Changes a resource of the program; false if there is none of the name. */
  protected correct(name: string, correction: (declared: D) => D): boolean {
    const declared = this.declarations.get(name);
    return declared !== undefined && this.declarations.set(name, correction(declared)).has(name);
  }

  protected setArgs(name: string, args: PropertyMap, removed = ""): boolean {
    return this.correct(name, (old) => {
      const { [removed]: _removed, ...others } = old.args;
      return { ...old, args: { ...others, ...args } };
    });
  }

  /** Whether the program or the state has a resource of the name. */
  protected isTaken(name: string): boolean {
    return this.declarations.has(name) || this.resources.some((resource) => resource.name === name);
  }

  protected rename(slot: string, to: string, how: "with alias" | "without alias" | "adopting"): boolean {
    const declared = this.declarations.get(slot);
    if (declared === undefined || this.isTaken(to)) return false;
    const id = this.resources.find(({ name, pendingDelete }) => name === slot && !pendingDelete)?.id;
    this.declarations.delete(slot);
    this.declarations.set(to, {
      ...declared,
      args: { ...declared.args, ...(how === "adopting" && id !== undefined && { adopt: id }) },
      aliases: how === "with alias" ? [slot, ...declared.aliases] : [],
    });
    return true;
  }
}
