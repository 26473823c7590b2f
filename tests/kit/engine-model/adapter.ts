import type { Clock } from "../../../provider/src/api/http/clock";
import type { Simulator } from "../../../simulator/src/index";
import type { Properties } from "./wire";

/** What names a resource in a call: its names from the outermost parent on, as in `parent/name`, and its type. */
export interface Identity {
  readonly name: string;
  readonly type: string;
  /** The names of this option, which the engine applies to the result of a diff. */
  readonly replaceOnChanges?: readonly string[];
}

export interface Stored {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

interface Diff {
  readonly changed: boolean;
  readonly replaces: boolean;
  readonly deleteBeforeReplace: boolean;
}

interface Operation {
  readonly preview: boolean;
}

/**
 * The engine's calls of an adapter, as the engine makes them: the same for both adapters. Results still have their marks of secrets.
 */
export interface Adapter {
  /**
   * Whether programs set the options `retainOnDelete` and `deleteBeforeReplace`, as the resource classes of the dynamic form do by
   * `deletionPolicy`. If the first is set, the engine does not call `delete`. Other programs leave it to the provider what the policy does.
   */
  readonly setsOptions: boolean;
  urnOf: (resource: Identity) => string;
  /** Throws the reasons of a check that fails. */
  check: (resource: Identity, oldInputs: Properties | undefined, args: Properties) => Promise<Properties>;
  diff: (resource: Identity, old: Stored, inputs: Properties) => Promise<Diff>;
  /** Throws an {@link InitFailure} if the resource exists all the same. */
  create: (resource: Identity, inputs: Properties, operation: Operation) => Promise<Omit<Stored, "inputs">>;
  update: (resource: Identity, old: Stored, inputs: Properties, operation: Operation) => Promise<Properties>;
  /** Undefined if the resource no longer exists. */
  read: (resource: Identity, old: Stored) => Promise<Omit<Stored, "id"> | undefined>;
  delete: (resource: Identity, old: Stored) => Promise<void>;
}

/** A create or update failed, and the resource exists: the engine stores these outputs. */
export class InitFailure extends Error {
  constructor(
    readonly id: string,
    readonly outputs: Properties,
    message: string,
  ) {
    super(message);
  }
}

/** A plugin process: it serves one run, and all types of resource share its client. */
export interface Plugin {
  readonly adapter: Adapter;
  readonly lines: readonly string[];
}

interface PluginOptions {
  readonly clock: Clock;
  readonly maxRetries: number;
  readonly requestTimeoutSeconds: number;
  /** Returns the state of the stack, as `pulumi stack export` does. */
  readonly exportStack: () => Promise<string>;
}

/** Starts a process that shares no memory with earlier ones. */
export type StartPlugin = (simulator: Simulator, options: PluginOptions) => Plugin;
