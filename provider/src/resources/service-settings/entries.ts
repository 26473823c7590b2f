import { SECRET_NAMES } from "../../api/secret-names";
import { fieldsOf, type Field } from "../../core/fields";
import { isList, isMap, omit, pick, type PropertyMap, type PropertyValue } from "../../core/property-value";
import { elementsOf, keyOfElement, setDiff } from "../../core/set-diff";
import { isAddress, normalizeAddress } from "./address";
import { IP_ACCESS_IDENTITY, serviceSettingsSchema } from "./schema";

/** The two lists that the program shares with others, and the outputs that name the entries of the others. */
export const LISTS = {
  ipAccessList: "unmanagedIpAccessList",
  privateEndpointIds: "unmanagedPrivateEndpointIds",
} as const;

/** The name of one of the two lists. */
export type ListName = keyof typeof LISTS;

type Entries = readonly PropertyValue[];

export const listNames = Object.keys(LISTS) as readonly ListName[];
export const fields = fieldsOf(serviceSettingsSchema, SECRET_NAMES);

/** Whether a field is one of the two lists. */
export const isListName = (name: string): name is ListName => Object.hasOwn(LISTS, name);

/** An entry of ours that the service writes so differently that only the answer to its addition showed which one it is. */
interface Rewritten {
  readonly list: ListName;
  readonly declared: PropertyValue;
  readonly listed: PropertyValue;
}

/**
 * The member of `observed` that keeps the rewritten entries for later runs. It exists only where there are any, and the engine
 * shows no property whose name begins like this.
 */
const REWRITTEN = "__rewritten";

/** The entries of one list that are not among others, however either is spelt. */
export const without = (list: ListName, entries: PropertyValue, others: PropertyValue): Entries =>
  setDiff(fieldOf(list), others, entries).add;

const keyOf = (list: ListName, entry: PropertyValue): string | undefined =>
  keyOfElement(fieldOf(list), entry);

const keysOf = (list: ListName, entries: PropertyValue): ReadonlySet<string | undefined> =>
  new Set(elementsOf(entries).map((entry) => keyOf(list, entry)));

/** An entry without what the server adds to it. */
export const ownMembers = (entry: PropertyValue): PropertyValue =>
  isMap(entry) ? pick(entry, IP_ACCESS_IDENTITY) : entry;

/** Entries as the service lists them, each in every way in which it does, because it removes only exact matches. */
export function asListed(list: ListName, observed: PropertyMap, entries: Entries): Entries {
  const listed = new Map<string | undefined, PropertyValue[]>();
  const note = (entry: PropertyValue, spelling: PropertyValue): void => {
    const key = keyOf(list, entry);
    listed.set(key, [...(listed.get(key) ?? []), ownMembers(spelling)]);
  };
  for (const entry of elementsOf(observed[list])) note(entry, entry);
  for (const pair of rewrittenIn(list, observed)) note(pair.declared, pair.listed);
  return entries.flatMap((entry) => listed.get(keyOf(list, entry)) ?? [entry]);
}

/** How the entries of a list that the service has compare with those that the program declares. */
interface Comparison {
  /** Listed entries that the program does not declare. */
  readonly unmanaged: Entries;
  /** Declared entries that the service does not list, or not so that they can be recognized. */
  readonly missing: Entries;
  /** Listed entries that may be one of the missing. */
  readonly doubtful: Entries;
}

/** Compares what the service lists with what the program declares. */
export function compare(list: ListName, observed: PropertyMap, declared: PropertyMap): Comparison {
  if (!isList(observed[list])) return { unmanaged: [], missing: [], doubtful: [] };
  const ours = keysOf(list, declared[list]);
  const rewritten = rewrittenIn(list, observed).filter((pair) => ours.has(keyOf(list, pair.declared)));
  const known = (member: "declared" | "listed") => rewritten.map((pair) => pair[member]);
  const missing = without(list, without(list, declared[list], observed[list]), known("declared"));
  const others = without(list, without(list, observed[list], declared[list]), known("listed"));
  const isDoubtful = mayBeOneOf(missing);
  const doubtful = others.filter(isDoubtful);
  return { missing, doubtful, unmanaged: others.filter((other) => !isDoubtful(other)) };
}

/** The entries that the program does not declare, by the names of the outputs. */
export const unmanagedEntries = (declared: PropertyMap, observed: PropertyMap): PropertyMap =>
  Object.fromEntries(
    listNames.map((name) => [LISTS[name], compare(name, observed, declared).unmanaged.map(ownMembers)]),
  );

/** Whether a listed entry may be one of the declared: a service may write another word for a word, but no other address. */
function mayBeOneOf(declared: Entries): (listed: PropertyValue) => boolean {
  const addresses = new Set(declared.map(addressOf));
  if (![...addresses].every(isAddress)) return () => true;
  return (listed) => addresses.size > 0 && addresses.has(addressOf(listed));
}

/** What an entry lets in, in the one form of all spellings. */
function addressOf(entry: PropertyValue): string {
  const source = isMap(entry) ? entry["source"] : entry;
  return typeof source === "string" ? normalizeAddress(source) : JSON.stringify(source ?? "");
}

/** Whether a body adds an entry that the service may list under another word. */
export const addsWords = (body: PropertyMap): boolean =>
  addedTo("ipAccessList", body).some((entry) => !isAddress(addressOf(entry)));

/** What a body adds to a list. */
export function addedTo(list: ListName, body: PropertyMap): Entries {
  const change = body[list];
  return isMap(change) ? elementsOf(change["add"]) : [];
}

/** What a body removes from a list. */
export function removedFrom(list: ListName, body: PropertyMap): Entries {
  const change = body[list];
  return isMap(change) ? elementsOf(change["remove"]) : [];
}

/** What was known before an update, what it sent, and what the program declares. */
interface Sent {
  readonly before: PropertyMap;
  readonly body: PropertyMap;
  readonly declared: PropertyMap;
}

/** An answer with the entries of ours that it writes in a way of its own, as far as they can be told from others'. */
export function withRewritten(answer: PropertyMap, sent: Sent): PropertyMap {
  const rewritten = listNames.flatMap((list) => {
    const [declaredKeys, listedKeys] = [keysOf(list, sent.declared[list]), keysOf(list, answer[list])];
    const kept = rewrittenIn(list, sent.before).filter(
      ({ declared, listed }) =>
        declaredKeys.has(keyOf(list, declared)) &&
        (!isList(answer[list]) || listedKeys.has(keyOf(list, listed))),
    );
    return [...kept, ...rewrittenNow(list, { ...answer, [REWRITTEN]: kept.map(asProperty) }, sent)];
  });
  return rewritten.length === 0 ? answer : { ...answer, [REWRITTEN]: rewritten.map(asProperty) };
}

interface Pair {
  readonly declared: PropertyValue;
  readonly candidates: Entries;
}

/** The additions that the answer does not list as they were sent, each with the one entry that it lists instead. */
function rewrittenNow(list: ListName, answer: PropertyMap, sent: Sent): readonly Rewritten[] {
  // Without the list of before, an entry that appears cannot be told from one that was there.
  if (!isList(sent.before[list])) return [];
  const { missing, unmanaged, doubtful } = compare(list, answer, sent.declared);
  const added = keysOf(list, addedTo(list, sent.body));
  const likely = likeliest(missing, without(list, [...unmanaged, ...doubtful], sent.before[list]));
  const pairs = missing
    .filter((entry) => added.has(keyOf(list, entry)))
    .map((declared): Pair => ({ declared, candidates: likely(declared) }));
  const claims = new Map<PropertyValue, number>();
  for (const listed of pairs.flatMap(({ candidates }) => (candidates.length === 1 ? candidates : [])))
    claims.set(listed, (claims.get(listed) ?? 0) + 1);
  return pairs.flatMap(({ declared, candidates }): readonly Rewritten[] => {
    const [listed] = candidates;
    // What two declared entries may be is neither's.
    const isClear = candidates.length === 1 && claims.get(listed) === 1;
    return isClear ? [{ list, declared, listed: ownMembers(listed) }] : [];
  });
}

/** Which of the entries that appeared a missing one can be: one of its address, or for a word any that has no such address. */
function likeliest(missing: Entries, appeared: Entries): (declared: PropertyValue) => Entries {
  const byAddress = new Map<string, PropertyValue[]>();
  for (const entry of appeared) {
    const address = addressOf(entry);
    byAddress.set(address, [...(byAddress.get(address) ?? []), entry]);
  }
  const addresses = new Set(missing.map(addressOf));
  const rest = appeared.filter((entry) => !addresses.has(addressOf(entry)));
  return (declared) => {
    const address = addressOf(declared);
    return byAddress.get(address) ?? (isAddress(address) ? [] : rest);
  };
}

const asProperty = ({ list, declared, listed }: Rewritten): PropertyMap => ({ list, declared, listed });

function rewrittenIn(list: ListName, observed: PropertyMap): readonly Rewritten[] {
  return elementsOf(observed[REWRITTEN]).flatMap((pair) =>
    isMap(pair) && pair["list"] === list
      ? [{ list, declared: pair["declared"], listed: pair["listed"] }]
      : [],
  );
}

/** Whether nothing is known of a service. */
export const isUnknown = (observed: PropertyMap): boolean =>
  Object.keys(omit(observed, [REWRITTEN])).length === 0;

function fieldOf(name: ListName): Field {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new TypeError(`the schema has no field ${name}`);
  return field;
}
