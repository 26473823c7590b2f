import type { Change } from "../comparison/changes";
import type { FieldSchemas, ValuesOf } from "../comparison/field-schema";
import type { Failure } from "../comparison/validation";
import type { Declaration, PolicyInputs, Program } from "./program";
import type { Draft, PropertyMap } from "../comparison/property-value";
import type { OutputDefinition } from "../state/outputs";
import type { FailedCall, Progress } from "../state/write-failure";
import type { Adopted } from "../state/private-state";
import type { Stack } from "./stack";

/** The inputs after a successful check. */
export type Inputs<S extends FieldSchemas> = FieldSchemas extends S ? PropertyMap : ValuesOf<S>;

/** The inputs during a check: a mistyped value is unknown. */
export type DraftInputs<S extends FieldSchemas> = FieldSchemas extends S
  ? PropertyMap
  : { readonly [K in keyof ValuesOf<S>]?: Draft<ValuesOf<S>[K]> };

export type { PolicyInputs, Progress };

export interface Update<I = PropertyMap> {
  readonly id: string;
  /** See `resourceKey`. */
  readonly key?: string | undefined;
  readonly oldInputs: PropertyMap;
  readonly inputs: I;
  /** All that the API returned at the last read. */
  readonly lastRead: PropertyMap;
  /** The changed fields that the update operation can change. */
  readonly changes: readonly Change[];
  /** `changes`, and the changes of fields that only the state keeps or that the program no longer declares. */
  readonly allChanges: readonly Change[];
}

export interface Created {
  readonly id: string;
  readonly current: PropertyMap;
  readonly adopted?: Adopted | undefined;
}

/** A resource whose check has succeeded. */
export interface CheckedResource<D = PropertyMap> extends Pick<Declaration, "key" | "oldInputs" | "step"> {
  readonly inputs: D;
  /** Whether it was imported or adopted: the program need not declare what the API never returns. */
  readonly wasTakenOver: boolean;
}

/** What a check logs, and why it fails. */
export interface CheckReport {
  readonly lines?: readonly string[];
  readonly warnings?: readonly string[];
  readonly failures?: readonly Failure[];
}

/** A resource type: its fields and operations. The smallest one is `tests/unit/lifecycle/note.ts`. */
export interface ResourceDefinition<
  S extends FieldSchemas = FieldSchemas,
  I = Inputs<S>,
  D = DraftInputs<S>,
> extends OutputDefinition {
  /** The name of the class and of the type token. */
  readonly type: string;
  /** The word for one of them, as in `A change replaces the pipe.` */
  readonly noun: string;
  /** How a program takes over an existing one: a sentence for the errors of `import` and `get`. */
  readonly takeOver: string;
  readonly schema: S;
  /** Members of these names are secret at any depth. */
  readonly secretNames: ReadonlySet<string>;
  /** Whether the ID names something larger, of which a delete removes a part. */
  readonly deletesPart?: true;
  /** The resource in messages: its name in the service, then its ID. */
  describe?(id: string, properties: PropertyMap): string;
  defaultsOf?(logicalName: string): PropertyMap;
  /** Validates rules between fields. */
  rules(inputs: D): readonly Failure[];
  /** Compares a checked resource with others, and says what the run will do with it. May read a list once. */
  checkAgainstOthers?(resource: CheckedResource<D>): Promise<CheckReport>;
  /** Whether an update must run although no input changed, because of what the API last returned. No I/O. */
  needsUpdate?(lastRead: PropertyMap, inputs: D): boolean;
  create(inputs: I, progress: Progress, resource: Pick<CheckedResource, "key" | "step">): Promise<Created>;
  /**
   * Reads the resource; undefined if it no longer exists, and `lastRead` itself if it cannot tell. Without it a refresh
   * keeps the state; with it, the output `observed` does not repeat declared values and outputs.
   */
  read?(
    id: string,
    properties: PropertyMap,
    lastRead: PropertyMap | undefined,
  ): Promise<PropertyMap | undefined>;
  /** Sends the changes; undefined if there was nothing to send. */
  update(update: Update<I>, progress: Progress): Promise<PropertyMap | undefined>;
  /** Deletes or retains the resource, as `properties.deletionPolicy` says. */
  delete(id: string, properties: PolicyInputs, lastRead: PropertyMap, key: string | undefined): Promise<void>;
}

export interface Log {
  readonly log: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** What a lifecycle needs from its run. */
export interface LifecycleContext extends Log {
  readonly stack: Stack;
  readonly program: Program;
  /** Problems of the configuration, one sentence each. */
  configurationProblems(inputs: PropertyMap): readonly string[];
  /** Default inputs from the configuration; a resource without such a field does not get one. */
  defaults(): PropertyMap;
  /** The message of an error with its next step, as a user may read it. */
  messageOf(error: unknown, failed?: FailedCall): string;
  /** A text without control characters, and without the secrets of the configuration and of the tracked properties. */
  readable(text: string): string;
  /** From now on, messages lose the secrets of these properties. */
  trackSecrets(...properties: readonly PropertyMap[]): void;
  /** Returns whether a text holds a secret of these properties, in any encoding that a server uses. */
  secretTextsOf(...properties: readonly PropertyMap[]): (text: string) => boolean;
}

export interface DiffResult {
  readonly changed: boolean;
  /** Whether no input changed, so that the engine cannot see the change. */
  readonly inputsEqual: boolean;
  readonly changes: readonly Change[];
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

export interface CheckResult extends Declaration {
  readonly failures: readonly Failure[];
}
