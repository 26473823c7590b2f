import { SECRET_NAMES } from "../../api/secret-names";
import type { Client } from "../../api/client";
import type { ServiceScope } from "../../api/operations";
import {
  idKey,
  isWireObject,
  pipeFromWire,
  type Identified,
  type WireObject,
  type WireValue,
} from "../../api/wire";

/**
 * Whether a pipe is what a body asks for.
 *
 * - `same`: in name, table and all else that both say.
 * - `normalized`: the same, but for what services are known to normalize: letters of the table in lower case, slashes of a path.
 * - `perhaps`: the name in another spelling, or another value of something that both say.
 * - `no`: another name, another table or another kind of source.
 */
export type Likeness = "same" | "normalized" | "perhaps" | "no";

/** How long after a request a gateway may send it again, in milliseconds: two pipes of one request are no further apart. */
const MAX_RESEND_MS = 600_000;

/** What the pipe of a list is to the one that was asked for, whenever it was made. */
export function likenessOf(body: WireObject, pipe: WireObject): Likeness {
  const [asked, present] = [tableOf(body), tableOf(pipe)];
  if (plain(body["name"]) !== plain(pipe["name"])) return "no";
  if (asked !== undefined && present !== undefined && plain(asked) !== plain(present)) return "no";
  if (isOtherKind(body["source"], pipe["source"])) return "no";
  const differs = (normalize: Normalize): boolean =>
    ["source", "destination"].some((name) => contradicts(body[name], pipe[name], normalize));
  if (body["name"] !== pipe["name"] || differs(withoutSlashes)) return "perhaps";
  const isSameTable = asked === undefined || present === undefined || asked === present;
  return isSameTable && !differs(plain) ? "same" : "normalized";
}

/** The pipes of a list by name. A stack asks for the namesakes of each of its pipes, so they are found once. */
const namesakes = new WeakMap<object, ReadonlyMap<WireValue, readonly Identified[]>>();

/** What else of a list is as a pipe was asked for and was made at about its time: perhaps by the same request, sent twice. */
export function doublesOf(
  asked: WireObject,
  pipe: Identified,
  pipes: ReadonlyMap<string, Identified>,
): readonly Identified[] {
  const byName = namesakes.get(pipes) ?? groupedByName(pipes.values());
  namesakes.set(pipes, byName);
  return (byName.get(asked["name"]) ?? []).filter(
    (other) =>
      other !== pipe &&
      ["same", "normalized"].includes(likenessOf(asked, other)) &&
      !isFarApart(pipe["createdAt"], other["createdAt"]),
  );
}

/** A pipe of the cached list, with what else of it may have been made by the request that asked for this pipe. */
export async function findPipeAndDoubles(
  client: Client,
  scope: ServiceScope,
  pipeId: string,
  asked: WireObject,
): Promise<{ readonly pipe?: Identified; readonly doubles: readonly Identified[] }> {
  const pipes = await client.cachedPipes(scope);
  const pipe = pipes.get(idKey(pipeId));
  return pipe === undefined
    ? { doubles: [] }
    : { pipe: pipeFromWire(pipe), doubles: doublesOf(asked, pipe, pipes) };
}

const momentOf = (value: WireValue): number => (typeof value === "string" ? Date.parse(value) : NaN);

function groupedByName(pipes: Iterable<Identified>): ReadonlyMap<WireValue, readonly Identified[]> {
  const groups = new Map<WireValue, Identified[]>();
  for (const pipe of pipes) {
    const group = groups.get(pipe["name"]);
    if (group === undefined) groups.set(pipe["name"], [pipe]);
    else group.push(pipe);
  }
  return groups;
}

/** A text without what servers are known to change of it; anything else as it is. */
export const plain = (value: WireValue): WireValue =>
  typeof value === "string" ? value.normalize("NFC").trim().toLowerCase() : value;

/** A spelling under which two values count as one. */
type Normalize = (value: WireValue) => WireValue;

/** Services have been seen to remove doubled slashes, and slashes at the ends, from a path. */
function withoutSlashes(value: WireValue): WireValue {
  const text = plain(value);
  return typeof text === "string" ? text.replace(/\/+/g, "/").replace(/^\/|\/$/g, "") : text;
}

function tableOf({ destination }: WireObject): WireValue {
  return isWireObject(destination) ? (destination["table"] ?? undefined) : undefined;
}

/** The kinds of source that are there: its members that are objects, whatever they are called. */
const kindsOf = (source: WireValue): readonly string[] =>
  isWireObject(source) ? Object.keys(source).filter((name) => isWireObject(source[name])) : [];

function isOtherKind(asked: WireValue, present: WireValue): boolean {
  const [ours, theirs] = [kindsOf(asked), kindsOf(present)];
  return ours.length > 0 && theirs.length > 0 && !ours.some((kind) => theirs.includes(kind));
}

/** Whether something that was asked for is there as something else. Lists, and what is never returned, say nothing. */
function contradicts(asked: WireValue, present: WireValue, normalize: Normalize): boolean {
  if (asked === undefined || asked === null || present === undefined || present === null) return false;
  if (isWireObject(asked) && isWireObject(present)) {
    return Object.entries(asked).some(
      ([name, member]) => !SECRET_NAMES.has(name) && contradicts(member, present[name], normalize),
    );
  }
  if (typeof asked === "object" || typeof present === "object") return false;
  return normalize(String(asked)) !== normalize(String(present));
}

/** Whether two moments, as far as both can be read, are further apart than two pipes of one request. One server has stamped both. */
const isFarApart = (one: WireValue, other: WireValue): boolean =>
  Math.abs(momentOf(one) - momentOf(other)) > MAX_RESEND_MS;
