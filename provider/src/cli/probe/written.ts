import type { Identified, WireObject } from "../../api/document/wire";
import type { Exchange } from "./exchange";

/** A part of a pipe that updatePipe can change. */
export type Part = "plain" | "settings" | "source" | "connection" | "tableMappings";

/** One update of the probe's pipe, and the list after it. */
export interface Update {
  readonly part: Part;
  readonly paths: readonly string[];
  readonly exchange: Exchange<WireObject>;
  /** Fields whose new values the list or getPipeSettings does not have. */
  readonly notApplied: readonly string[];
  /** Fields that it did not send, and that differ after it. */
  readonly alsoChanged: readonly string[];
}

/** What `--write` did, and what came of it. */
export interface Written {
  readonly created?: Exchange<Identified>;
  /** Parts of the body that the answer to createPipe lacks. */
  readonly missingInAnswer: readonly string[];
  /** The first list that has the pipe, and how long after the answer it came. */
  readonly listed?: Identified;
  readonly listedAfterMs?: number;
  readonly hadZeros: boolean;
  /** Whether the file has capital letters in names of its destination. */
  readonly hasCapitals: boolean;
  /** Fields of createPipe that the list leaves out, and those that it writes in another way. */
  readonly leftOut: readonly string[];
  readonly rewritten: readonly string[];
  readonly updates: readonly Update[];
  readonly unknownMember?: Exchange;
  readonly emptyUpdate?: Exchange;
  readonly deletion?: Exchange;
  /** Whether the list lacks the pipe after the deletion. */
  readonly isGone?: boolean;
  /** The second createPipe with one name. */
  readonly duplicate?: Exchange;
  /** The pipes of the probe that the service still has, or may have. */
  readonly left: readonly Left[];
  /** Why the probe ended early. */
  readonly failure?: unknown;
}

/** A pipe that the probe could not take away. */
export interface Left {
  readonly name: string;
  readonly id?: string;
}
