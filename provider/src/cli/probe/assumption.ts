import { enumerated } from "../../messages/enumerated";
import type { Evidence } from "./evidence";

/** How what a service does compares with what the provider assumes. */
export type Verdict =
  /** The service does what the provider assumes. */
  | "as assumed"
  /** It does something else, and every promise of the provider holds all the same. */
  | "handled"
  /** It does something else, and a promise does not hold. */
  | "not handled"
  | "unknown";

export interface Seen {
  readonly verdict: Verdict;
  readonly seen: string;
  /** What makes the simulator behave like this, if it is not what the assumption names. */
  readonly simulator?: readonly string[];
  /** The ids of the pipes that show it. */
  readonly pipes?: readonly string[];
}

/** What the provider assumes of every service. */
export interface Assumption {
  readonly assumption: string;
  /** What the API document says of it. Default: nothing. */
  readonly document?: string;
  /** The promise of the provider that rests on it. */
  readonly promise: string;
  /** The flags and faults by which the simulator breaks the assumption. */
  readonly simulator?: readonly string[];
  readonly seen: (evidence: Evidence) => Seen;
}

type More = Partial<Pick<Seen, "simulator" | "pipes">>;

const seenAs =
  (verdict: Verdict) =>
  (seen: string, more: More = {}): Seen => ({ verdict, seen, ...more });

export const asAssumed = seenAs("as assumed");
export const handled = seenAs("handled");
export const notHandled = seenAs("not handled");
export const unknown = seenAs("unknown");

/** What only `--write` can show. */
export const UNTIL_WRITE = "unknown until a write";
export const NO_PIPE = `${UNTIL_WRITE}: the service has no pipe`;

/** How many paths or names a line shows. */
const MAX_SHOWN = 8;

/** Names and paths in a line, shortened. */
export const joined = (texts: Iterable<string>): string => enumerated([...new Set(texts)], MAX_SHOWN);

/** A word of the service that is safe to show: neither an id nor a value of a customer has this form. */
export const shownWord = (word: string): string =>
  /^[A-Za-z_][A-Za-z_ .\-/]{0,40}$/.test(word) ? `\`${word}\`` : "a text of another form";
