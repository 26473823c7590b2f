import type { Identity, Stored } from "./adapter";
import type { Properties } from "./wire";

export interface Declaration {
  readonly type: Identity["type"];
  readonly args: Properties;
  readonly aliases?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
}

/**
 * The program: its resources in their order, by their names from the outermost parent on, as in `parent/name`. The engine tells two
 * resources apart by them, and so does the key that the classes send.
 */
export type Program = ReadonlyMap<string, Declaration>;

export interface Resource extends Identity, Stored {
  /** Its last create or update failed in part: the next run updates it, with or without changes. */
  readonly unfinished: boolean;
  /** The engine has created its replacement and still has to delete it. */
  readonly pendingDelete: boolean;
  /** The engine has deleted it and still has to create its replacement. */
  readonly pendingReplacement: boolean;
  /** The engine drops it from the state and does not call the plugin. */
  readonly retainOnDelete: boolean;
}

export interface Report {
  readonly failures: { readonly name: string; readonly message: string }[];
  readonly lines: readonly string[];
  readonly stored: string[];
  /** The ids for which the engine shows `delete[retain]`. */
  readonly retained: string[];
}

export interface UpOptions {
  readonly parallel?: boolean;
  readonly refresh?: boolean;
  readonly replace?: ReadonlySet<string>;
}
