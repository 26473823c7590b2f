import { SECRET_NAMES } from "../../api/secret-names";
import { fieldsOf, type Field } from "../../core/fields";
import { isList, isMap, omit, type PropertyMap, type PropertyValue } from "../../core/property-value";
import { elementsOf, keyOfElement } from "../../core/set-diff";
import { isAddress, normalizeAddress } from "./address";
import { serviceSettingsSchema, type ServiceSettingsInputs } from "./schema";

/** The two lists that other clients of the service change too, and the outputs with the entries that are not declared. */
export const LISTS = {
  ipAccessList: "unmanagedIpAccessList",
  privateEndpointIds: "unmanagedPrivateEndpointIds",
} as const;

export type ListName = keyof typeof LISTS;

export const listNames = Object.keys(LISTS) as readonly ListName[];
export const fields = fieldsOf(serviceSettingsSchema, SECRET_NAMES);

/** An entry of the access list, or the id of a private endpoint. */
export type Entry = NonNullable<ServiceSettingsInputs["ipAccessList"]>[number] | string;
type Entries = readonly Entry[];

/** What an update of a service does to its lists. */
export type ListPatches = Readonly<Partial<Record<ListName, ListPatch>>>;
export type ListPatch = Readonly<Partial<Record<"add" | "remove", Entries>>>;

/** The entries of a list in inputs, in a state or in an answer. What is unknown, or has another form, is left out. */
export const entriesOf = (list: ListName, properties: PropertyMap): Entries =>
  elementsOf(properties[list]).flatMap(entryOf);

function entryOf(element: PropertyValue): Entries {
  if (!isMap(element)) return typeof element === "string" ? [element] : [];
  const { source, description = null } = element;
  if (typeof source !== "string") return [];
  if (typeof description === "string") return [{ source, description }];
  return description === null ? [{ source }] : [];
}

/** What all spellings of an entry share, and no other entry has. */
export const keyOf = (entry: Entry): string =>
  keyOfElement(fieldOf(typeof entry === "string" ? "privateEndpointIds" : "ipAccessList"), entry);

function fieldOf(list: ListName): Field {
  const field = fields.find(({ name }) => name === list);
  if (field === undefined) throw new TypeError(`the schema has no field ${list}`);
  return field;
}

/** Tells whether an entry is among these, in whichever spelling. */
function isAmong(entries: Entries): (entry: Entry) => boolean {
  const keys = new Set(entries.map(keyOf));
  return (entry) => keys.has(keyOf(entry));
}

export const among = (entries: Entries, others: Entries): Entries => entries.filter(isAmong(others));

export function without(entries: Entries, others: Entries): Entries {
  const isOther = isAmong(others);
  return entries.filter((entry) => !isOther(entry));
}

/** A declared entry that the service lists as another one: only the answer to its addition showed which one it is. */
interface Rewritten extends PropertyMap {
  readonly list: ListName;
  readonly declared: Entry;
  readonly listed: Entry;
}

/** The member of `observed` that keeps rewritten entries for later runs. Pulumi shows no property that begins like this. */
const REWRITTEN = "__rewritten";

const rewrittenIn = (list: ListName, observed: PropertyMap): readonly Rewritten[] =>
  elementsOf(observed[REWRITTEN]).filter((pair): pair is Rewritten => isMap(pair) && pair["list"] === list);

/** Whether no answer of the service is known. */
export const isUnknown = (observed: PropertyMap): boolean =>
  Object.keys(omit(observed, [REWRITTEN])).length === 0;

/** Entries as the service lists them, each in every way in which it does, because it removes only exact matches. */
export function asListed(list: ListName, entries: Entries, observed: PropertyMap): Entries {
  const listed = entriesOf(list, observed).map((entry) => ({ declared: entry, listed: entry }));
  const known = [...listed, ...rewrittenIn(list, observed)].map((one) => ({
    ...one,
    key: keyOf(one.declared),
  }));
  return entries.flatMap((entry) => {
    const key = keyOf(entry);
    const same = known.filter((one) => one.key === key);
    return same.length === 0 ? [entry] : same.map((one) => one.listed);
  });
}

/** How the entries that the service lists compare with those that the program declares. */
interface Comparison {
  /** Listed entries that the program does not declare. */
  readonly unmanaged: Entries;
  /** Declared entries that the service does not list, or not so that they can be recognized. */
  readonly missing: Entries;
  /** Listed entries that may be one of the missing. */
  readonly ambiguous: Entries;
}

export function compare(list: ListName, declared: PropertyMap, observed: PropertyMap): Comparison {
  if (!isList(observed[list])) return { unmanaged: [], missing: [], ambiguous: [] };
  const [ours, listed] = [entriesOf(list, declared), entriesOf(list, observed)];
  const isOurs = isAmong(ours);
  const rewritten = rewrittenIn(list, observed).filter((pair) => isOurs(pair.declared));
  const missing = without(ours, [...listed, ...rewritten.map((pair) => pair.declared)]);
  const others = without(listed, [...ours, ...rewritten.map((pair) => pair.listed)]);
  const addresses = new Set(missing.map(addressOf));
  // A service may write another word for a word, but no other address.
  const hasWord = missing.some(isWord);
  const isAmbiguous = (entry: Entry): boolean => hasWord || addresses.has(addressOf(entry));
  return {
    missing,
    ambiguous: others.filter(isAmbiguous),
    unmanaged: others.filter((entry) => !isAmbiguous(entry)),
  };
}

/** What an entry lets in, in the one form of all spellings. */
const addressOf = (entry: Entry): string =>
  normalizeAddress(typeof entry === "string" ? entry : entry.source);

/** Whether an entry lets in what a word of the service stands for, and not an address. */
export const isWord = (entry: Entry): boolean => !isAddress(addressOf(entry));

/** What was known before an update, what it sent, and what the program declares. */
interface Sent {
  readonly before: PropertyMap;
  readonly patch: ListPatches;
  readonly declared: PropertyMap;
}

/** An answer that also holds the declared entries that it lists as others, as far as they are certain. */
export function withRewritten(answer: PropertyMap, sent: Sent): PropertyMap {
  const rewritten = listNames.flatMap((list) => {
    const isDeclared = isAmong(entriesOf(list, sent.declared));
    const isListed = isAmong(entriesOf(list, answer));
    const kept = rewrittenIn(list, sent.before).filter(
      (pair) => isDeclared(pair.declared) && (isListed(pair.listed) || !isList(answer[list])),
    );
    return [...kept, ...newlyRewritten(list, { ...answer, [REWRITTEN]: kept }, sent)];
  });
  return rewritten.length === 0 ? answer : { ...answer, [REWRITTEN]: rewritten };
}

/** The additions that the answer does not list as they were sent, each with the one new entry that can only be it. */
function newlyRewritten(
  list: ListName,
  answer: PropertyMap,
  { before, patch, declared: news }: Sent,
): readonly Rewritten[] {
  // Without the list of before, a new entry cannot be told from one that was there.
  if (!isList(before[list])) return [];
  const { missing, unmanaged, ambiguous } = compare(list, news, answer);
  const appeared = without([...unmanaged, ...ambiguous], entriesOf(list, before));
  const candidates = candidatesAmong(appeared, missing);
  const found = among(missing, patch[list]?.add ?? []).flatMap((declared) => {
    const [listed, ...more] = candidates(declared);
    return listed === undefined || more.length > 0 ? [] : [{ list, declared, listed }];
  });
  // What two declared entries may be is neither's.
  return found.filter((pair) => found.every((other) => other === pair || other.listed !== pair.listed));
}

/** Which new entries a missing one can be: those of its address, or for a word those that have the address of no missing one. */
function candidatesAmong(appeared: Entries, missing: Entries): (entry: Entry) => Entries {
  const addresses = new Set(missing.map(addressOf));
  const addressed = appeared.map((entry) => ({ entry, address: addressOf(entry) }));
  const others = addressed.filter((one) => !addresses.has(one.address));
  return (missed) => {
    const address = addressOf(missed);
    const same = addressed.filter((one) => one.address === address);
    return (same.length > 0 || isAddress(address) ? same : others).map(({ entry }) => entry);
  };
}
