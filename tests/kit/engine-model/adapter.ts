import type { Clock } from "../../../provider/src/api/http/clock";
import type { Simulator } from "../../../simulator/src/index";
import { withSecrets } from "../json";

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
export interface EngineAdapter {
  /**
   * Whether programs set the options `retainOnDelete` and `deleteBeforeReplace`, as the classes of dynamic resources do by
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
  readonly adapter: EngineAdapter;
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

export type Properties = Record<string, unknown>;

/** The engine's copy of what the plugin returned: secrets are unwrapped. */
export function received(value: object): Properties {
  JSON.stringify(value, (name, member: unknown) => {
    // The engine's serializer fails on undefined.
    if (member === undefined) throw new Error(`The plugin returned undefined as ${name}.`);
    return member;
  });
  return withSecrets(value, (secret) => secret.value) as Properties;
}

/** A request, with the members that the protocol has. */
export interface EngineCall {
  readonly method: string;
  readonly name: string;
  readonly id?: unknown;
  readonly preview?: unknown;
  readonly olds?: unknown;
  readonly oldInputs?: unknown;
  readonly news?: unknown;
}

const stored = ({ id, inputs, outputs }: Stored) => ({ id, olds: outputs, oldInputs: inputs });

/** The plugin, which adds to `calls` what the engine calls. */
export function recordCalls({ adapter, lines }: Plugin, calls: EngineCall[]): Plugin {
  const record = (method: string, { name }: Identity, values: Omit<EngineCall, "method" | "name">): void => {
    calls.push({ method, name, ...values });
  };
  /** Pulumi's plugin for dynamic resources supports no previews, so the engine does not call it. */
  const isCalled = ({ preview }: Operation): boolean => !(preview && adapter.setsOptions);
  /** The protocol leaves out what is false. */
  const shown = ({ preview }: Operation) => (preview ? { preview } : {});
  return {
    lines,
    adapter: {
      ...adapter,
      check: (resource, olds, news) => {
        record("Check", resource, { olds: olds ?? {}, news });
        return adapter.check(resource, olds, news);
      },
      diff: (resource, old, news) => {
        record("Diff", resource, { ...stored(old), news });
        return adapter.diff(resource, old, news);
      },
      create: (resource, news, operation) => {
        if (isCalled(operation)) record("Create", resource, { news, ...shown(operation) });
        return adapter.create(resource, news, operation);
      },
      update: (resource, old, news, operation) => {
        if (isCalled(operation)) record("Update", resource, { ...stored(old), news, ...shown(operation) });
        return adapter.update(resource, old, news, operation);
      },
      read: (resource, old) => {
        record("Read", resource, stored(old));
        return adapter.read(resource, old);
      },
      delete: (resource, old) => {
        record("Delete", resource, stored(old));
        return adapter.delete(resource, old);
      },
    },
  };
}
