import { isDeepStrictEqual } from "node:util";
import type { WireObject } from "../../api/wire";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import type { Update } from "../../lifecycle/program/definition";
import { fieldsOf, type Field } from "../../lifecycle/comparison/fields";
import { isFalseOrEmpty, isList, isMap, mapMembers } from "../../lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../lifecycle/comparison/property-value";
import { elementsOf, keyOfElement } from "../../lifecycle/comparison/equality";
import { serviceSettingsSchema, type ServiceSettingsInputs } from "./schema";

/** The two lists that other clients change, too. */
const LIST_NAMES = ["ipAccessList", "privateEndpointIds"] as const;
type ListName = (typeof LIST_NAMES)[number];

/** An entry of the access list, or the ID of a private endpoint. */
type Entry = string | { readonly source: string; readonly description?: string };

export type Entries = Readonly<Record<ListName, readonly Entry[]>>;

export type SettingsUpdate = Pick<Update<ServiceSettingsInputs>, "id" | "oldInputs" | "inputs" | "lastRead">;

const FIELDS = fieldsOf(serviceSettingsSchema, SECRET_NAMES);
export const listFields = Object.fromEntries(FIELDS.map((one) => [one.name, one])) as Record<ListName, Field>;

const VALUE_FIELDS = FIELDS.filter(({ onChange, unordered }) => onChange === "update" && !unordered);

const inBothLists = (entries: (list: ListName) => readonly Entry[]): Entries => ({
  ipAccessList: entries("ipAccessList"),
  privateEndpointIds: entries("privateEndpointIds"),
});

/**
 * The entries of a list in inputs, in a state or in an answer, without elements that are unknown or of another type.
 */
const entriesOf = (list: ListName, properties: PropertyMap): readonly Entry[] =>
  elementsOf(properties[list]).flatMap(entryOf);

function entryOf(element: PropertyValue): readonly Entry[] {
  if (!isMap(element)) return typeof element === "string" ? [element] : [];
  const { source, description } = element;
  if (typeof source !== "string") return [];
  return [typeof description === "string" ? { source, description } : { source }];
}

/** Returns whether an entry is one of these, in any format. */
function isOneOf(list: ListName, entries: readonly Entry[]): (entry: Entry) => boolean {
  const keys = new Set(entries.map((entry) => keyOfElement(listFields[list], entry)));
  return (entry) => keys.has(keyOfElement(listFields[list], entry));
}

/** Whether a list is encrypted: the state encrypts secrets. */
const isEncrypted = (list: ListName, properties: PropertyMap): boolean => isMap(properties[list]);

export const encryptedIn = (properties: PropertyMap): readonly string[] =>
  LIST_NAMES.filter((list) => isEncrypted(list, properties));

/** The entries that some properties have and others do not. Any entry may be in an encrypted list. */
export const entriesBeside = (others: PropertyMap, properties: PropertyMap): Entries =>
  inBothLists((list) => {
    if (isEncrypted(list, others)) return [];
    const isOther = isOneOf(list, entriesOf(list, others));
    return entriesOf(list, properties).filter((entry) => !isOther(entry));
  });

/**
 * The declared entries that the service does not list in a known format. A list that the answer lacks says nothing.
 */
export const missingIn = (current: PropertyMap, declared: PropertyMap): Entries =>
  entriesBeside({ ...declared, ...current }, declared);

/** Those of the entries that the service lists, in its format. */
export const listedOf = (entries: Entries, current: PropertyMap): Entries =>
  inBothLists((list) => entriesOf(list, current).filter(isOneOf(list, entries[list])));

/** Whether an object has no members, or empty ones alone. */
export const isEmpty = (members: object): boolean => Object.values(members).every(isFalseOrEmpty);

/** The first PATCH of an update; undefined if there is nothing to send. */
export function firstPatch({ oldInputs, inputs, lastRead }: SettingsUpdate): WireObject | undefined {
  const add = entriesBeside(oldInputs, inputs);
  const remove = removable(entriesBeside(inputs, oldInputs), lastRead);
  const changes = { ...changedValues(oldInputs, inputs), ...patchOfLists({ add, remove }) };
  if (!isEmpty(changes)) return changes;
  if (inputs.exclusive !== true) return undefined;
  const removal = removalOfUnmanaged(inputs, lastRead);
  if (!isEmpty(removal)) return removal;
  // An empty PATCH changes nothing, and its answer shows what the service lists now.
  return isEmpty(lastRead) || oldInputs["exclusive"] !== true ? {} : undefined;
}

function changedValues(oldInputs: PropertyMap, inputs: ServiceSettingsInputs): WireObject {
  const values: WireObject = inputs;
  const names = VALUE_FIELDS.map(({ name }) => name).filter((name) => values[name] !== oldInputs[name]);
  const oldEndpoints = elementsOf(oldInputs["endpoints"]);
  const endpoints = inputs.endpoints?.filter(
    (one) => !oldEndpoints.some((old) => isDeepStrictEqual(old, one)),
  );
  return withoutEmpty({ ...Object.fromEntries(names.map((name) => [name, values[name]])), endpoints });
}

/**
 * What `exclusive` removes: nothing while a declared entry is missing, because an entry that the service lists may be
 * that one in a format that the provider does not know.
 */
export const removalOfUnmanaged = (inputs: PropertyMap, current: PropertyMap): WireObject =>
  inputs["exclusive"] === true && isEmpty(missingIn(current, inputs))
    ? removalOf(entriesBeside(inputs, current), current)
    : {};

export const removalOf = (entries: Entries, current: PropertyMap): WireObject =>
  patchOfLists({ remove: removable(entries, current) });

/**
 * The entries in the format of the service, which removes only exact matches. Entries that it does not list are
 * left out: it may take one for another, which the program declares. Where the answer lacks a list, the provider has
 * only the declared format.
 */
function removable(entries: Entries, current: PropertyMap): Entries {
  const listed = listedOf(entries, current);
  return inBothLists((list) => (isList(current[list]) ? listed[list] : entries[list]));
}

/** Changes of the lists, such as `{ ipAccessList: { add: […], remove: […] } }`, without empty ones. */
const patchOfLists = (changes: Readonly<Record<string, Entries>>): WireObject => {
  const changesOf = (list: ListName) => withoutEmpty(mapMembers(changes, (entries) => entries[list]));
  return withoutEmpty(Object.fromEntries(LIST_NAMES.map((list) => [list, changesOf(list)])));
};

const withoutEmpty = (members: WireObject): WireObject =>
  mapMembers(members, (member) => (isFalseOrEmpty(member) ? undefined : member));

/** Entries as a message names them; empty if there are none. */
export const textOf = (entries: Entries): string =>
  LIST_NAMES.filter((list) => entries[list].length > 0)
    .map((list) => `${list} ${entries[list].map(entryText).join(", ")}`)
    .join("; ");

function entryText(entry: Entry): string {
  const { source, description = "" } = typeof entry === "string" ? { source: entry } : entry;
  const suffix = description === "" ? "" : ` (${JSON.stringify(description)})`;
  return JSON.stringify(source) + suffix;
}
