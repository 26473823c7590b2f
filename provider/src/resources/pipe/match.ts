import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { isMap, valueAt, type PropertyValue } from "../../lifecycle/property-value";
import { ownMember } from "../../values/own-member";
import type { ObservedPipe } from "./observed";

/**
 * How a pipe compares with one that a body asks for.
 *
 * - `exact`: equal in name, table and all other members that both have.
 * - `normalized`: equal but for what services normalize: the case of the table, slashes of a path.
 * - `possible`: the name in another spelling, or another value of a member that both have.
 * - `none`: another name, another table or another kind of source.
 */
export type Match = "exact" | "normalized" | "possible" | "none";

/** Compares a pipe with the requested one, whenever it was created. */
export function matchOf(requested: ObservedPipe, pipe: ObservedPipe): Match {
  const [requestedTable, table] = [requested, pipe].map((one) => valueAt(one.destination, ["table"]));
  if (folded(requested.name) !== folded(pipe.name) || differs(requestedTable, table, folded)) return "none";
  const [requestedKinds, kinds] = [kindsOf(requested.source), kindsOf(pipe.source)];
  if (requestedKinds.length > 0 && kinds.length > 0 && !requestedKinds.some((kind) => kinds.includes(kind)))
    return "none";
  const differsBy = (normalize: Normalize): boolean =>
    differs(requested.source, pipe.source, normalize) ||
    differs(requested.destination, pipe.destination, normalize);
  if (requested.name !== pipe.name || differsBy(withoutSlashes)) return "possible";
  return differs(requestedTable, table, (text) => text) || differsBy(folded) ? "normalized" : "exact";
}

type Normalize = (value: PropertyValue) => PropertyValue;

/** A text without its case and the space around it. */
export const folded: Normalize = (value) =>
  typeof value === "string" ? value.normalize("NFC").trim().toLowerCase() : value;

/** Services have been seen to remove doubled slashes, and slashes at the ends, from a path. */
export const withoutSlashes: Normalize = (value) => {
  const text = folded(value);
  return typeof text === "string" ? text.replace(/\/+/g, "/").replace(/^\/|\/$/g, "") : text;
};

/** The kinds of source that are set, also those that this package does not know. */
const kindsOf = (source: PropertyValue): readonly string[] =>
  isMap(source) ? Object.keys(source).filter((name) => isMap(source[name])) : [];

/** Whether both have a value and the values differ. Lists, and what the API never returns, are not compared. */
function differs(requested: PropertyValue, current: PropertyValue, normalize: Normalize): boolean {
  if (requested === undefined || requested === null || current === undefined || current === null)
    return false;
  if (isMap(requested) && isMap(current)) {
    return Object.entries(requested).some(
      ([name, member]) => !SECRET_NAMES.has(name) && differs(member, ownMember(current, name), normalize),
    );
  }
  if (typeof requested === "object" || typeof current === "object") return false;
  return normalize(String(requested)) !== normalize(String(current));
}
