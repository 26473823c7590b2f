import { likenessOf, type Likeness } from "./likeness";
import type { Span } from "../../api/server-clock";
import { idKey, type Identified, type WireObject, type WireValue } from "../../api/wire";

/** A POST that may have made a pipe. */
export interface SentCreate {
  readonly body: WireObject;
  /** What the server's clock showed when it was sent; undefined when nobody can say. */
  readonly sent: Span | undefined;
  /** The same of the first POST, where this one repeats it: a pipe between the two may be the first one's. */
  readonly firstSent?: Span | undefined;
  /** How long before it the list was read that did not have the pipe, in milliseconds. */
  readonly listAge: number;
}

/** Why a pipe that has appeared is not taken for the one that was asked for. */
export type Doubt =
  "made before the request" | "perhaps made before the request" | "differs from the program";

/** A pipe that may be another client's. */
export interface Doubtful {
  readonly pipe: Identified;
  readonly doubt: Doubt;
}

/** The pipes that have appeared since a list was read and are like what was asked for. */
export interface Candidates {
  /** As it was asked for, and made after the request was sent. */
  readonly ours: readonly Identified[];
  readonly doubtful: readonly Doubtful[];
}

/**
 * By how much a creation time may lie before the request and still be that of its pipe: the clocks of the machines of one service
 * differ.
 */
const TOLERANCE_MS = 2_000;
/** How close before the request a creation time counts as after it: no measurement is better than a round trip. */
const PRECISION_MS = 250;
/** A list that is older than this, in milliseconds, does not prove that what it lacks is new. */
const MAX_LIST_AGE_MS = 1_000;

/** Sorts the pipes of a list by what they may be to the request. Those of before are left out. */
export function candidatesOf(
  request: SentCreate,
  pipes: readonly Identified[],
  known: ReadonlyMap<string, unknown>,
): Candidates {
  const alike = pipes.flatMap((pipe) => {
    const likeness = known.has(idKey(pipe.id)) ? "no" : likenessOf(request.body, pipe);
    return likeness === "no" ? [] : [{ pipe, likeness }];
  });
  const ours: Identified[] = [];
  const doubtful: Doubtful[] = [];
  for (const { pipe, likeness } of alike) {
    const doubt = doubtOf(request, pipe, likeness, alike.length === 1);
    if (doubt === undefined) ours.push(pipe);
    else doubtful.push({ pipe, doubt });
  }
  return { ours, doubtful };
}

/** What the service has normalized is ours if nothing else has appeared and the server's clock shows that it came after the request. */
function doubtOf(
  request: SentCreate,
  pipe: Identified,
  likeness: Likeness,
  isOnlyOne: boolean,
): Doubt | undefined {
  if (likeness === "perhaps" || (likeness === "normalized" && !isOnlyOne)) return "differs from the program";
  return doubtOfTime(likeness === "normalized" ? { ...request, listAge: Infinity } : request, pipe);
}

function doubtOfTime({ sent, firstSent = sent, listAge }: SentCreate, pipe: Identified): Doubt | undefined {
  const made = creationOf(pipe["createdAt"]);
  if (made && firstSent && made.to < firstSent.from - TOLERANCE_MS) return "made before the request";
  if (made && sent && made.from >= sent.to - PRECISION_MS) return undefined;
  return listAge <= MAX_LIST_AGE_MS ? undefined : "perhaps made before the request";
}

/**
 * When a pipe was made, as its `createdAt` tells: a moment with a zone. One without says nothing, for nobody knows the zone. Whole seconds
 * may be rounded up or down; so may a fraction of zeros, which a database may have put there.
 */
export function creationOf(createdAt: WireValue): Span | undefined {
  if (typeof createdAt !== "string") return undefined;
  const [, seconds, fraction] =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i.exec(createdAt) ?? [];
  const moment = Date.parse(createdAt);
  if (seconds === undefined || Number.isNaN(moment)) return undefined;
  const digits = fraction === undefined || Number(fraction) === 0 ? 0 : fraction.length - 1;
  const resolution = 1000 / 10 ** Math.min(3, digits);
  return { from: digits >= 3 ? moment : moment - resolution / 2, to: moment + resolution };
}
