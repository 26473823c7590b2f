import type { z } from "zod";
import type { FailedOperation } from "../messages/next-steps";
import type { Change } from "./changes";
import type { IdsInUse } from "./ids-in-use";
import type { Note } from "./run-file";
import type { StoredResource } from "./stack-state";
import type { Failure } from "./validation";
import type { Draft, PropertyMap, PropertyValue } from "./property-value";

/** The inputs after a successful check. */
export type Inputs<S extends z.ZodObject> = z.ZodObject extends S ? PropertyMap : z.output<S>;

/** The inputs during a check: a mistyped value is unknown. */
export type DraftInputs<S extends z.ZodObject> = z.ZodObject extends S
  ? PropertyMap
  : { readonly [K in keyof z.output<S>]?: Draft<z.output<S>[K]> };

/** The inputs that the lifecycle itself uses, if the type has them. */
export interface PolicyInputs extends PropertyMap {
  readonly adopt?: PropertyValue;
  readonly deletionPolicy?: PropertyValue;
  readonly replacementPolicy?: PropertyValue;
}

export interface Progress {
  /** The id of the resource that a create replaces. */
  readonly replaced?: string;
  /** Records that the resource exists or has changed, so that a later failure does not lose it. */
  checkpoint(id: string, declared: PropertyMap, current: PropertyMap): void;
}

export interface Update<I = PropertyMap> {
  readonly id: string;
  /** The inputs in the state. */
  readonly oldInputs: PropertyMap;
  /** The inputs of the program. */
  readonly inputs: I;
  /** All that the API returned at the last read. */
  readonly lastRead: PropertyMap;
  /** The changed fields that the update operation can change. */
  readonly changes: readonly Change[];
}

/** An update before it happens. */
export interface PreviewedUpdate<D = PropertyMap> {
  readonly id: string;
  /** The outputs in the state. */
  readonly state: PropertyMap;
  /** The inputs of the program. */
  readonly inputs: D;
  readonly changes: readonly Change[];
}

export interface Created {
  readonly id: string;
  readonly current: PropertyMap;
  /** The paths that an adoption sent, and the values that the API returned for them before. */
  readonly adopted?: { readonly sent: readonly string[]; readonly former: PropertyMap };
}

/** A resource as the engine stores it after a create. */
export interface CreatedResource {
  readonly id: string;
  readonly outputs: PropertyMap;
}

/** A resource of the program whose check has succeeded. */
export interface DeclaredResource {
  readonly key: string;
  /** Given if the run creates something for it. */
  readonly creation?: Creation;
}

interface Creation {
  /** The stack, as the option `--stack` of the CLI takes it. */
  readonly stack: string | undefined;
  /** What the new one replaces, with its outputs, if that is not deleted. */
  readonly retained?: { readonly id: string; readonly state: PropertyMap } | undefined;
}

export interface AdoptionPreview {
  readonly lines: readonly string[];
  readonly failures: readonly Failure[];
}

/**
 * A resource type: its fields, and how to create, read, update and delete a resource. The smallest one, which runs on both adapters, is
 * `tests/unit/lifecycle/note.ts`.
 */
export interface ResourceDefinition<S extends z.ZodObject = z.ZodObject, I = Inputs<S>, D = DraftInputs<S>> {
  /** The name of the class and of the type token. */
  readonly type: string;
  /** What people call one of them, as in `A change replaces the pipe.` */
  readonly noun: string;
  /** The operations of the API document that send the fields of the schema. */
  readonly operations: { readonly create?: string; readonly update?: string };
  /** How a program takes over what exists: a sentence for errors of the ways that cannot work. */
  readonly takeOver: string;
  readonly schema: S;
  /** Members of these names are secret at any depth. */
  readonly secretNames: ReadonlySet<string>;
  /**
   * Only for a resource whose id is that of what it is a part of: what a delete removes, as a clause. The delete leaves what another
   * resource of the run declares.
   */
  readonly deletedPart?: string;
  /** The outputs that are not inputs; one of them is `observed`. */
  readonly outputs: z.ZodObject;
  /** Those of them that depend on both the inputs and what the API returned. */
  derived?(declared: PropertyMap, current: PropertyMap): PropertyMap;
  /** What messages call the resource: its name in the service, then its id. */
  nameOf?(id: string, properties: PropertyMap): string;
  defaultsOf?(logicalName: string): PropertyMap;
  /** Validates rules between fields. */
  rules(inputs: D): readonly Failure[];
  /** Called after each successful check, with the key of the resource, for failures that depend on the other resources of the run. */
  checked?(key: string, inputs: D): readonly Failure[];
  /** Warnings about an update of a resource in the stack. */
  warnings?(update: PreviewedUpdate<D>): readonly string[];
  /** Warnings about what the run will do with a resource beside others, of the program and of the stack. Sends no request. */
  previewWarnings?(resource: DeclaredResource, inputs: D): Promise<readonly string[]>;
  /** Describes an adoption before it happens. The only part of a check that may send a request. */
  previewAdoption?(inputs: D): Promise<AdoptionPreview>;
  /** Whether an update must run although no input changed, because an earlier one left open what it did. No I/O. */
  needsUpdate?(observed: PropertyMap, inputs: D): boolean;
  create(inputs: I, progress: Progress): Promise<Created>;
  /**
   * Reads the resource; undefined if it no longer exists. `properties` come from the state, or from the arguments of `get`. A type without
   * it shows no drift: a refresh keeps what is in the state. With it, the output `observed` does not repeat declared values and outputs.
   */
  read?(
    id: string,
    properties: PropertyMap,
    observed: PropertyMap | undefined,
  ): Promise<PropertyMap | undefined>;
  /** Sends the changes; undefined if there was nothing to send. */
  update(update: Update<I>, progress: Progress): Promise<PropertyMap | undefined>;
  /** Deletes or retains the resource, as `properties.deletionPolicy` says. */
  delete(id: string, properties: PolicyInputs, lastRead: PropertyMap): Promise<void>;
}

export interface Log {
  readonly log: (line: string) => void;
  readonly warn: (line: string) => void;
}

export interface NoteLog extends Log {
  /** Leaves a warning to the program, which logs those of the same words as one. False if that is not possible. */
  readonly leaveNote: (note: Note) => boolean;
}

export interface ProviderContext extends NoteLog {
  /** Problems of the configuration, one sentence each. `given` is what the program passed to the resource's own `Provider`. */
  configurationProblems(inputs: PropertyMap, given?: unknown): readonly string[];
  /** Default inputs from the configuration; a resource without such a field does not get one. */
  defaults(): PropertyMap;
  /** Of all types of resources of this process. */
  readonly ids: IdsInUse;
  /** The resources of a type in the state of a stack, as far as it can be read. */
  stored(type: string, stack: string | undefined): Promise<readonly StoredResource[]>;
  /** The message of an error. */
  readonly render: (error: unknown, failed?: FailedOperation) => string;
  /** Removes the secrets of the configuration and of the tracked properties. */
  redact(text: string): string;
  /** Makes `redact` remove the secrets in these properties. */
  trackSecrets(...properties: readonly PropertyMap[]): void;
  /** Returns whether a text holds a secret of these properties, in any encoding that a server uses. */
  secretTextsOf(properties: PropertyMap): (text: string) => boolean;
}

export interface DiffResult {
  readonly changed: boolean;
  /** Whether no input changed, so that the engine cannot see the change. */
  readonly inputsEqual: boolean;
  readonly changes: readonly Change[];
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

export interface CheckResult {
  readonly inputs: PropertyMap;
  readonly failures: readonly Failure[];
  /** The create will adopt an existing resource. */
  readonly adopts?: boolean;
  readonly resource: DeclaredResource;
}
