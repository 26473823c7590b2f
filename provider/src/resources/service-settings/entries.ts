import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { fieldsOf, type Field } from "../../lifecycle/fields";
import { isList, isMap, omit, type PropertyMap, type PropertyValue } from "../../lifecycle/property-value";
import { elementsOf, keyOfElement } from "../../lifecycle/set-diff";
import { isAddress, normalizeAddress, overlap } from "./address";
import { serviceSettingsSchema, type ServiceSettingsInputs } from "./schema";

/** The two lists that other clients change too, and the outputs with their unmanaged entries. */
export const LISTS = {
  ipAccessList: "unmanagedIpAccessList",
  privateEndpointIds: "unmanagedPrivateEndpointIds",
} as const;

export type ListName = keyof typeof LISTS;

export const listNames = Object.keys(LISTS) as readonly ListName[];
export const fields = fieldsOf(serviceSettingsSchema, SECRET_NAMES);
const fieldOf = Object.fromEntries(fields.map((field) => [field.name, field])) as Record<ListName, Field>;

/** An entry of the access list, or the id of a private endpoint. */
export type Entry = NonNullable<ServiceSettingsInputs["ipAccessList"]>[number] | string;
type Entries = readonly Entry[];

export type ListPatches = Readonly<Partial<Record<ListName, ListPatch>>>;
export type ListPatch = Readonly<Partial<Record<"add" | "remove", Entries>>>;

/** The entries of a list in inputs, in a state or in an answer, without elements that are unknown or of another type. */
export const entriesOf = (list: ListName, properties: PropertyMap): Entries =>
  elementsOf(properties[list]).flatMap(entryOf);

function entryOf(element: PropertyValue): Entries {
  if (!isMap(element)) return typeof element === "string" ? [element] : [];
  const { source, description = null } = element;
  if (typeof source !== "string") return [];
  if (typeof description === "string") return [{ source, description }];
  return description === null ? [{ source }] : [];
}

/** A key that all spellings of an entry share. */
export const keyOf = (entry: Entry): string =>
  keyOfElement(fieldOf[typeof entry === "string" ? "privateEndpointIds" : "ipAccessList"], entry);

export const listText = (entries: Entries): string =>
  entries.map((entry) => JSON.stringify(typeof entry === "string" ? entry : entry.source)).join(", ");

/** A test for these entries, in any spelling. */
function isOneOf(entries: Entries): (entry: Entry) => boolean {
  const keys = new Set(entries.map(keyOf));
  return (entry) => keys.has(keyOf(entry));
}

export const intersection = (entries: Entries, others: Entries): Entries => entries.filter(isOneOf(others));

export function difference(entries: Entries, others: Entries): Entries {
  const isOther = isOneOf(others);
  return entries.filter((entry) => !isOther(entry));
}

/** A declared entry that the service lists as another entry; the answer to its addition showed which. */
interface Rewritten extends PropertyMap {
  readonly list: ListName;
  readonly declared: Entry;
  readonly listed: Entry;
}

/** The member of `observed` that keeps rewritten entries for later runs. Pulumi does not show properties with this prefix. */
const REWRITTEN = "__rewritten";

const isRewritten = (pair: PropertyValue): pair is Rewritten => isMap(pair);

const rewrittenIn = (list: ListName, current: PropertyMap): readonly Rewritten[] =>
  elementsOf(current[REWRITTEN])
    .filter(isRewritten)
    .filter((pair) => pair.list === list);

/** The member of `observed` that says that the last update failed before its end. */
const UNFINISHED = "__unfinished";

export const isUnfinished = (observed: PropertyMap): boolean => observed[UNFINISHED] === true;
export const asUnfinished = (observed: PropertyMap): PropertyMap => ({ ...observed, [UNFINISHED]: true });
export const asFinished = (observed: PropertyMap): PropertyMap => omit(observed, [UNFINISHED]);

/** Whether the state holds no answer. */
export const isUnknown = (current: PropertyMap): boolean =>
  Object.keys(omit(current, [REWRITTEN, UNFINISHED])).length === 0;

/** Entries in every spelling in which the service lists them, because it removes only exact matches. */
export function inServiceSpelling(list: ListName, entries: Entries, current: PropertyMap): Entries {
  const listed = entriesOf(list, current).map((entry) => ({ declared: entry, listed: entry }));
  const known = [...listed, ...rewrittenIn(list, current)].map((one) => ({
    ...one,
    key: keyOf(one.declared),
  }));
  return entries.flatMap((entry) => {
    const key = keyOf(entry);
    const same = known.filter((one) => one.key === key);
    return same.length === 0 ? [entry] : same.map((one) => one.listed);
  });
}

interface Comparison {
  /** Listed entries that the program does not declare. */
  readonly unmanaged: Entries;
  /** Declared entries that the service does not list in a spelling that the provider knows. */
  readonly missing: Entries;
  /** Listed entries that may be one of the missing. */
  readonly ambiguous: Entries;
}

/** Compares the entries that the program declares with those that the service lists. */
export function compare(list: ListName, declared: PropertyMap, current: PropertyMap): Comparison {
  if (!isList(current[list])) return { unmanaged: [], missing: [], ambiguous: [] };
  const ours = entriesOf(list, declared);
  const listed = entriesOf(list, current);
  const isOurs = isOneOf(ours);
  const rewritten = rewrittenIn(list, current).filter((pair) => isOurs(pair.declared));
  const missing = difference(ours, [...listed, ...rewritten.map((pair) => pair.declared)]);
  const others = difference(listed, [...ours, ...rewritten.map((pair) => pair.listed)]);
  const hasWord = missing.some(isWord);
  const isAmbiguous = (entry: Entry): boolean => hasWord || missing.some((one) => mayBe(one, entry));
  return {
    missing,
    ambiguous: others.filter(isAmbiguous),
    unmanaged: others.filter((entry) => !isAmbiguous(entry)),
  };
}

/** The declared entries that the service lists in a spelling that the provider knows. */
export const listedOf = (list: ListName, declared: PropertyMap, current: PropertyMap): Entries =>
  isList(current[list])
    ? difference(entriesOf(list, declared), compare(list, declared, current).missing)
    : [];

/** An answer whose list does not have these entries. */
export function withoutListed(list: ListName, current: PropertyMap, entries: Entries): PropertyMap {
  if (!isList(current[list])) return current;
  const isGone = isOneOf(inServiceSpelling(list, entries, current));
  const kept = elementsOf(current[list]).filter((element) => !entryOf(element).some(isGone));
  return { ...current, [list]: kept };
}

/** The normalized address of an entry, or its word. */
const addressOf = (entry: Entry): string =>
  normalizeAddress(typeof entry === "string" ? entry : entry.source);

/** Whether a service may list the declared entry as the other one: another address never, but a network that contains it. */
const mayBe = (declared: Entry, listed: Entry): boolean =>
  addressOf(declared) === addressOf(listed) || overlap(addressOf(declared), addressOf(listed));

/** Whether an entry has a word of the service, such as `any`, in place of an address. */
export const isWord = (entry: Entry): boolean => !isAddress(addressOf(entry));

interface Sent {
  readonly before: PropertyMap;
  readonly patch: ListPatches;
  readonly declared: PropertyMap;
}

/** The answer with the rewritten entries that it certainly shows. */
export function withRewritten(answer: PropertyMap, sent: Sent): PropertyMap {
  const rewritten = listNames.flatMap((list) => {
    const isDeclared = isOneOf(entriesOf(list, sent.declared));
    const isListed = isOneOf(entriesOf(list, answer));
    const kept = rewrittenIn(list, sent.before).filter(
      (pair) => isDeclared(pair.declared) && (isListed(pair.listed) || !isList(answer[list])),
    );
    return [...kept, ...newlyRewritten(list, { ...answer, [REWRITTEN]: kept }, sent)];
  });
  return rewritten.length === 0 ? answer : { ...answer, [REWRITTEN]: rewritten };
}

/** The added entries that the answer does not list as they were sent, each with the one new entry that it can be. */
function newlyRewritten(
  list: ListName,
  answer: PropertyMap,
  { before, patch, declared: inputs }: Sent,
): readonly Rewritten[] {
  // Without an earlier list, any entry may be older than the update.
  if (!isList(before[list])) return [];
  const { missing, unmanaged, ambiguous } = compare(list, inputs, answer);
  const appeared = difference([...unmanaged, ...ambiguous], entriesOf(list, before));
  const addresses = new Set(missing.map(addressOf));
  const others = appeared.filter((entry) => !addresses.has(addressOf(entry)));
  const pairs = intersection(missing, patch[list]?.add ?? []).flatMap((declared) => {
    const same = appeared.filter((entry) => addressOf(entry) === addressOf(declared));
    const near = same.length > 0 ? same : appeared.filter((entry) => mayBe(declared, entry));
    // For a word such as "any", a service may list an address: the one that appeared and fits no other missing entry.
    const [listed, ...more] = near.length > 0 || !isWord(declared) ? near : others;
    return listed === undefined || more.length > 0 ? [] : [{ list, declared, listed }];
  });
  // An entry that two declared entries can be stays unmanaged.
  return pairs.filter((pair) => pairs.every((other) => other === pair || other.listed !== pair.listed));
}
