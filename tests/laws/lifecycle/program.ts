import type { ResourceType } from "./plugin";
import type { Properties } from "./wire";

/** A resource of the program. */
export interface Declaration {
  readonly type: ResourceType;
  readonly args: Properties;
  /** Names that the same resource had before. */
  readonly aliases?: readonly string[];
  /** Arguments of which a change is a replacement (the option `replaceOnChanges`). */
  readonly replaceOnChanges?: readonly string[];
}

/**
 * The program: its resources in their order, by their names from the outermost parent on, as in `parent/name`. The engine tells two
 * resources apart by them, and so does the key that the classes send.
 */
export type Program = ReadonlyMap<string, Declaration>;

/** A resource of the state. */
export interface Resource {
  readonly name: string;
  readonly type: ResourceType;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** Its last create or update failed in part: the next run updates it, with or without changes. */
  readonly unfinished: boolean;
  /** Another one has taken its place, and it is still to be deleted. */
  readonly condemned: boolean;
  /** It was deleted so that another one takes its place, which does not exist yet. */
  readonly vacated: boolean;
  /** The engine forgets it without a word to the plugin. */
  readonly retainOnDelete: boolean;
}

/** What a run came to. */
export interface Report {
  readonly failures: readonly { readonly name: string; readonly message: string }[];
  readonly lines: readonly string[];
  /** What anybody can read of what was stored. */
  readonly stored: readonly string[];
  /** The ids of which the engine's display says `delete[retain]`. */
  readonly retained: readonly string[];
}

/** What a user asks of `pulumi up`. */
export interface UpOptions {
  readonly parallel?: boolean;
  readonly refresh?: boolean;
  /** The names of `--replace`. */
  readonly replace?: ReadonlySet<string>;
}
