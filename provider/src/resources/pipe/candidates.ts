import { matchOf, type Match } from "./match";
import type { Span } from "../../api/http/server-clock";
import { idKey } from "../../values/uuid";
import type { PropertyMap, PropertyValue } from "../../lifecycle/property-value";
import type { ListedPipe } from "./observed";

/** A POST that may have created a pipe. */
export interface SentCreate {
  readonly body: PropertyMap;
  /** The server's time when the POST was sent; undefined when it is not known. */
  readonly sent: Span | undefined;
  /** The server's time of the first POST, if this one repeats it: the first one may have created a pipe meanwhile. */
  readonly firstSent?: Span | undefined;
  /** How long before the POST the list without the pipe was read, in milliseconds. */
  readonly listAge: number;
}

/** Why the provider does not adopt a pipe that has appeared. */
export type Doubt =
  "created before the request" | "perhaps created before the request" | "differs from the program";

/** A pipe that another client may have created. */
export interface DoubtfulPipe {
  readonly pipe: ListedPipe;
  readonly doubt: Doubt;
}

/** The pipes that match a request and that were not in the list before it. */
export interface Candidates {
  /** They match, and the server created them after the request. */
  readonly created: readonly ListedPipe[];
  readonly doubtful: readonly DoubtfulPipe[];
}

/** The clocks of the machines of one service may differ by this much. */
const TOLERANCE_MS = 2_000;
/** A creation time this close before the request counts as after it: the server's time is known no better. */
const PRECISION_MS = 250;
/** An older list does not prove that a pipe that it lacks is new. */
const MAX_LIST_AGE_MS = 1_000;

/** The pipes of a list that the request may have created. */
export function candidatesOf(
  request: SentCreate,
  pipes: readonly ListedPipe[],
  known: ReadonlyMap<string, unknown>,
): Candidates {
  const matches = pipes
    .filter(({ id }) => !known.has(idKey(id)))
    .map((pipe) => ({ pipe, match: matchOf(request.body, pipe) }))
    .filter(({ match }) => match !== "none");
  const checked = matches.map(({ pipe, match }) => ({
    pipe,
    doubt: doubtOf(request, pipe, match, matches.length === 1),
  }));
  return {
    created: checked.filter(({ doubt }) => doubt === undefined).map(({ pipe }) => pipe),
    doubtful: checked.filter((one): one is DoubtfulPipe => one.doubt !== undefined),
  };
}

/** A normalized match counts only if it is the only one and the server's clock shows that it came after the request. */
function doubtOf(
  request: SentCreate,
  pipe: ListedPipe,
  match: Match,
  isOnlyMatch: boolean,
): Doubt | undefined {
  if (match === "possible" || (match === "normalized" && !isOnlyMatch)) return "differs from the program";
  const { sent, firstSent = sent, listAge } = request;
  const created = creationTimeOf(pipe.createdAt);
  if (created && firstSent && created.to < firstSent.from - TOLERANCE_MS) return "created before the request";
  if (isCreatedAfter(pipe, sent)) return undefined;
  return match === "exact" && listAge <= MAX_LIST_AGE_MS ? undefined : "perhaps created before the request";
}

/** Whether the server certainly created the pipe after a request was sent. */
export function isCreatedAfter({ createdAt }: ListedPipe, sent: Span | undefined): boolean {
  const created = creationTimeOf(createdAt);
  return created !== undefined && sent !== undefined && created.from >= sent.to - PRECISION_MS;
}

/**
 * When the server created a pipe, by its `createdAt`: a time with a zone. Whole seconds may be rounded up or down; so may a fraction of
 * zeros, which a database may add.
 */
export function creationTimeOf(createdAt: PropertyValue): Span | undefined {
  if (typeof createdAt !== "string") return undefined;
  const [, seconds, fraction] =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i.exec(createdAt) ?? [];
  const time = Date.parse(createdAt);
  if (seconds === undefined || Number.isNaN(time)) return undefined;
  const digits = fraction === undefined || Number(fraction) === 0 ? 0 : fraction.length - 1;
  const resolution = 1000 / 10 ** Math.min(3, digits);
  return { from: digits >= 3 ? time : time - resolution / 2, to: time + resolution };
}
