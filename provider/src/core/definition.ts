import type { z } from "zod";
import type { GivenSettings } from "../config";
import type { Change } from "./changes";
import type { Failure } from "./validation";
import type { Draft, PropertyMap, PropertyValue } from "./property-value";

/** The inputs of a resource after a check that found nothing wrong, all of them known. */
export type Inputs<S extends z.ZodObject> = z.ZodObject extends S ? PropertyMap : z.output<S>;

/** The inputs of a resource during a check: what is of a wrong type counts as unknown. */
export type DraftInputs<S extends z.ZodObject> = z.ZodObject extends S
  ? PropertyMap
  : { readonly [K in keyof z.output<S>]?: Draft<z.output<S>[K]> };

/** The inputs that the lifecycle itself acts on, as far as a kind of resource has them. */
export interface Declared extends PropertyMap {
  readonly adopt?: PropertyValue;
  readonly deletionPolicy?: PropertyValue;
  readonly replacementPolicy?: PropertyValue;
}

/** Where an operation notes what exists, so that a failure after it loses nothing. */
export interface Progress {
  /** The resource exists (or has changed) and this is what is true of it. */
  checkpoint(id: string, declared: PropertyMap, found: PropertyMap): void;
}

/** A change that the program asks for. */
export interface Update<I = PropertyMap> {
  readonly id: string;
  /** The properties before, as declared. */
  readonly olds: PropertyMap;
  /** The properties that the program declares now. */
  readonly news: I;
  /** What the API stated the last time, in full. */
  readonly lastRead: PropertyMap;
  /** The changed fields that the update operation can take. */
  readonly changes: readonly Change[];
}

/** What exists after a create. */
export interface Created {
  readonly id: string;
  readonly current: PropertyMap;
  /** What an adoption sent, and what the API stated of it before. */
  readonly adopted?: { readonly sent: readonly string[]; readonly former: PropertyMap };
}

/** What an adoption will do, as far as it is known at preview. */
export interface AdoptionPreview {
  readonly lines: readonly string[];
  readonly failures: readonly Failure[];
}

/** A kind of resource: its fields, and how it is created, read, updated and deleted. */
export type ResourceDefinition<S extends z.ZodObject = z.ZodObject> = Definition<
  S,
  Inputs<S>,
  DraftInputs<S>
>;

/** @template I its inputs after a check; @template D the same during a check */
interface Definition<S extends z.ZodObject, I, D> {
  /** The name of the class and of the type token. */
  readonly type: string;
  /** The fields, with their metadata. */
  readonly schema: S;
  /** Members of these names are secret wherever they are. */
  readonly secretNames: ReadonlySet<string>;
  /** The output `observed` does not repeat what the program declares, nor what is an output of its own. */
  readonly hasReadOperation?: true;
  /** Several resources may be about one and the same id, of which each has a part only. */
  readonly sharesId?: true;
  /** The outputs, beside `observed`, that the program does not declare. */
  readonly computed: readonly string[];
  /** Those of them that follow from what is declared and what the API returned together. */
  derived?(declared: PropertyMap, found: PropertyMap): PropertyMap;
  /** The inputs that follow from the logical name of a resource whose program does not give them. */
  defaultsOf?(logicalName: string): PropertyMap;
  /** Rules that hold between fields. */
  rules(inputs: D): readonly Failure[];
  /** Called with each resource that this run of the program declares, by its key. */
  checked?(key: string, inputs: D): void;
  /** What a person who reads the preview should know of a change of a resource that the stack has. */
  warnings?(olds: PropertyMap, news: D): readonly string[];
  /** What the adoption that these inputs ask for will do. The only part of a check that may send a request. */
  previewAdoption?(inputs: D): Promise<AdoptionPreview>;
  create(inputs: I, progress: Progress): Promise<Created>;
  /**
   * What the API has under this id, or undefined when it is gone. Where it offers no way to read, this is what it stated
   * the last time. `properties` come from the state, or from the arguments of `get`.
   */
  read(
    id: string,
    properties: PropertyMap,
    observed: PropertyMap | undefined,
  ): Promise<PropertyMap | undefined>;
  /** Sends the changes; undefined when there was nothing to send. */
  update(update: Update<I>, progress: Progress): Promise<PropertyMap | undefined>;
  /** Deletes the resource, or leaves it as `properties.deletionPolicy` says; `observed` is what the API returned the last time. */
  delete(id: string, properties: Declared, observed: PropertyMap): Promise<void>;
}

/** Notes that the plugin processes of one run leave for each other. */
export interface RunFlags {
  set(note: string): void;
  /** Takes back what this process has left. */
  clear(note: string): void;
  has(note: string): boolean;
}

/** Where the lines go that the user sees. */
export interface Log {
  /** Shows a line that informs. */
  readonly log: (line: string) => void;
  /** Shows a line that warns. */
  readonly warn: (line: string) => void;
}

/** What a resource needs of its context. */
export interface ProviderContext extends Log {
  /**
   * What is wrong with the configuration, one sentence each. Empty when all is well. `given` is what the program said to the
   * resource's own `Provider`.
   */
  configurationProblems(inputs: PropertyMap, given?: GivenSettings): readonly string[];
  /** Inputs that configuration gives where the program does not. */
  defaults(): PropertyMap;
  /** What the plugin processes of this run tell each other: there is one for each provider instance. */
  readonly runFlags?: RunFlags;
  /** What the user reads of an error. `inStack` is the type of a resource that was created all the same. */
  readonly render?: (error: unknown, inStack?: string) => string;
  /** A text without the secrets of the configuration and of what `trackSecrets` was called with. */
  redact?(text: string): string;
  /** Called with what an operation is about, so that no line and no error repeats what is secret in it. */
  trackSecrets?(...properties: readonly PropertyMap[]): void;
  /** Tells which texts hold what is secret in these properties, in whichever form a server writes it. */
  secretTextsOf?(properties: PropertyMap): (text: string) => boolean;
}

/** What is compared and decided at preview. */
export interface DiffResult {
  readonly changed: boolean;
  /** The fields that differ, each with what its change leads to. */
  readonly changes: readonly Change[];
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** What is known after the arguments of a resource were checked. */
export interface CheckResult {
  /** The arguments as they will be stored. */
  readonly inputs: PropertyMap;
  readonly failures: readonly Failure[];
  /** The resource is not in the stack, and `adopt` names what it takes over. */
  readonly adopts?: boolean;
}
