import type { z } from "zod";
import type { FailedOperation } from "../messages/next-steps";
import type { Change } from "./changes";
import type { Failure } from "./validation";
import type { Draft, PropertyMap, PropertyValue } from "./property-value";

/** The inputs after a successful check. */
export type Inputs<S extends z.ZodObject> = z.ZodObject extends S ? PropertyMap : z.output<S>;

/** The inputs during a check: a mistyped value is unknown. */
export type DraftInputs<S extends z.ZodObject> = z.ZodObject extends S
  ? PropertyMap
  : { readonly [K in keyof z.output<S>]?: Draft<z.output<S>[K]> };

/** The inputs that the lifecycle itself uses. */
export interface PolicyInputs extends PropertyMap {
  readonly adopt?: PropertyValue;
  readonly deletionPolicy?: PropertyValue;
  readonly replacementPolicy?: PropertyValue;
}

export interface Progress {
  /** Records that the resource exists or has changed, so that a later failure does not lose it. */
  checkpoint(id: string, declared: PropertyMap, current: PropertyMap, adopted?: Adopted): void;
}

/** What an adoption has sent. */
export interface Adopted {
  readonly sent: readonly string[];
  /** The values that the API returned for the sent paths before. */
  readonly former: PropertyMap;
}

export interface Update<I = PropertyMap> {
  readonly id: string;
  readonly oldInputs: PropertyMap;
  readonly inputs: I;
  /** All that the API returned at the last read. */
  readonly lastRead: PropertyMap;
  /** The changed fields that the update operation can change. */
  readonly changes: readonly Change[];
}

export interface Created {
  readonly id: string;
  readonly current: PropertyMap;
  readonly adopted?: Adopted | undefined;
}

/** What a run does with a resource of the program. `replace` creates a second one. */
export type Step = "create" | "adopt" | "update" | "replace";

/** A resource of the program whose check has succeeded. */
export interface CheckedResource<D = PropertyMap> {
  /** See `resourceKey`. */
  readonly key: string;
  readonly inputs: D;
  /** Of a resource that the stack has, if the step is an update. */
  readonly oldInputs?: PropertyMap | undefined;
  readonly step: Step;
  /** Imported or adopted before: the program may not declare what the API never returns. */
  readonly wasTakenOver: boolean;
}

/** What a check says of a resource beside others. */
export interface Preview {
  readonly lines?: readonly string[];
  readonly warnings?: readonly string[];
  readonly failures?: readonly Failure[];
}

/** A resource as the state of the stack holds it. Secrets in it are encrypted, as objects. */
export interface StoredResource {
  readonly urn: string;
  /** The name of its type, such as `Pipe`, in either form. */
  readonly type: string;
  readonly id: string;
  /** See `resourceKey`. */
  readonly key: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  /** `creating`: the engine waits for its create. `replaced`: the engine will delete it. */
  readonly status: "managed" | "creating" | "replaced";
  /** Pulumi keeps what the resource manages when it is no longer declared. */
  readonly retains: boolean;
  /** The ID that the option `import` named. */
  readonly importId?: string | undefined;
  /** When the engine added it to the state, in milliseconds since 1970. */
  readonly createdAt?: number | undefined;
}

/** What the stack of the run has now. */
export interface StackView {
  /** The stack, as the option `--stack` of the CLI takes it, once a check has told it. */
  name: string | undefined;
  /** Records that a resource has an ID, or will have it. Returns the key of another resource that has it. */
  claim(type: string, id: string, key: string): string | undefined;
  /** Takes the claim of a replaced resource back. What its replacement leaves, another resource may claim. */
  replaced(type: string, id: string, key: string, isDeleted: boolean): void;
  /** Records that a resource has created or adopted an ID in this run. */
  made(type: string, id: string, key: string): void;
  isMade(type: string, id: string): boolean;
  /** The key of a resource that has the ID of the deleted one. Throws if the state of the stack cannot be read. */
  holderBeside(type: string, id: string, key: string | undefined): Promise<string | undefined>;
  /** Another resource that has the ID of the deleted one, as the state has it now. Throws like `holderBeside`. */
  storedBeside(type: string, id: string, key: string | undefined): Promise<StoredResource | undefined>;
  /** The key of the resource to which another provider instance gives the ID in this run. */
  adopterElsewhere(type: string, id: string, key: string): Promise<string | undefined>;
  /** The ID that the option `import` of a resource names now, if it is another one than this. */
  importedInstead(urn: string, id: string): Promise<string | undefined>;
  /** The resources of a type in the state; none if it cannot be read, which a line says. */
  stored(type: string): Promise<readonly StoredResource[]>;
}

/** A resource type: its fields and operations. The smallest one is `tests/unit/lifecycle/note.ts`. */
export interface ResourceDefinition<S extends z.ZodObject = z.ZodObject, I = Inputs<S>, D = DraftInputs<S>> {
  /** The name of the class and of the type token. */
  readonly type: string;
  /** What people call one of them, as in `A change replaces the pipe.` */
  readonly noun: string;
  /** How a program takes over what exists: a sentence for errors of the ways that cannot work. */
  readonly takeOver: string;
  readonly schema: S;
  /** Members of these names are secret at any depth. */
  readonly secretNames: ReadonlySet<string>;
  /** What a delete removes, as a clause, if the ID is that of something else, of which the resource is a part. */
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
  /** What the run will do with a checked resource, beside others. May read a list once. */
  preview?(resource: CheckedResource<D>): Promise<Preview>;
  /** Whether an update must run although no input changed, because of what the API last returned. No I/O. */
  needsUpdate?(lastRead: PropertyMap, inputs: D): boolean;
  create(inputs: I, progress: Progress, resource: Pick<CheckedResource, "key" | "step">): Promise<Created>;
  /**
   * Reads the resource; undefined if it no longer exists. Without it a refresh keeps the state; with it, the output
   * `observed` does not repeat declared values and outputs.
   */
  read?(
    id: string,
    properties: PropertyMap,
    observed: PropertyMap | undefined,
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

/** What a lifecycle needs of its run. */
export interface LifecycleContext extends Log {
  readonly stack: StackView;
  /** Problems of the configuration, one sentence each. */
  configurationProblems(inputs: PropertyMap): readonly string[];
  /** Default inputs from the configuration; a resource without such a field does not get one. */
  defaults(): PropertyMap;
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

export interface CheckResult extends Omit<CheckedResource<PolicyInputs>, "wasTakenOver"> {
  readonly failures: readonly Failure[];
}
