import type { WireObject } from "../../api/wire";
import type { Update } from "../../core/lifecycle";
import { isList, omit, valueAt, type PropertyMap } from "../../core/property-value";
import { elementsOf } from "../../core/set-diff";
import {
  among,
  asListed,
  compare,
  entriesOf,
  isUnknown,
  isWord,
  listNames,
  LISTS,
  uncertainIn,
  without,
  withUncertain,
  type Entry,
  type ListName,
  type ListPatch,
  type ListPatches,
} from "./entries";
import type { ServiceSettingsInputs, StoredSettings } from "./schema";

/** The body of `updateService`. A function returns undefined when there is nothing to send. */
export type ServicePatch = WireObject & ListPatches;

/** A change of the settings; without `olds` for settings that are not in the stack yet. */
export type SettingsUpdate = Omit<Update<ServiceSettingsInputs>, "olds"> & { readonly olds?: StoredSettings };

/** The changed fields, with the smallest additions and removals. */
export function patchOf({ olds = {}, news, lastRead, changes }: SettingsUpdate): ServicePatch | undefined {
  const values: WireObject = news;
  const scalars = changes
    .filter(({ field }) => !field.unordered)
    .map(({ path }) => [path, values[path]] as const);
  return nonEmpty({
    ...Object.fromEntries(scalars),
    ...withoutEmpty({ endpoints: changedEndpoints(olds, news) }),
    ...patchesOf((list) => {
      const [certain, after] = [entriesOf(list, olds), entriesOf(list, news)];
      const before = [...certain, ...uncertainIn(list, lastRead)];
      return { add: without(after, certain), remove: asListed(list, without(before, after), lastRead) };
    }),
  });
}

function changedEndpoints(olds: StoredSettings, { endpoints = [] }: ServiceSettingsInputs) {
  const wasEnabled = new Map(
    elementsOf(olds.endpoints).map((one) => [valueAt(one, ["protocol"]), valueAt(one, ["enabled"])]),
  );
  return endpoints.filter(({ protocol, enabled }) => wasEnabled.get(protocol) !== enabled);
}

/**
 * Whether the provider must read the lists before it sends the patch: without them, a declared entry that the service lists under
 * another word would count as unmanaged.
 */
export const needsLists = (patch: ServicePatch, current: PropertyMap): boolean =>
  isUnknown(current) && added(patch, "ipAccessList").some(isWord);

/** The part of a patch that has not taken effect. Fields that the answer does not show are sent again, which does no harm. */
export function remainderOf(patch: ServicePatch, answer: PropertyMap): ServicePatch | undefined {
  const fields = Object.entries(patch).filter(
    ([name, value]) =>
      !Object.hasOwn(LISTS, name) && (name !== "transparentDataEncryptionKeyId" || answer[name] !== value),
  );
  return nonEmpty({
    ...Object.fromEntries(fields),
    ...patchesOf((list) => ({
      add: without(added(patch, list), entriesOf(list, answer)),
      // An answer without the list does not show that the entries are gone.
      remove: isList(answer[list]) ? stillListed(patch, list, answer) : removed(patch, list),
    })),
  });
}

/** The removal of entries that a patch has removed and the answer still lists. */
export const repeatedRemoval = (patch: ServicePatch, answer: PropertyMap): ServicePatch | undefined =>
  removalOf((list) => stillListed(patch, list, answer));

const stillListed = (patch: ServicePatch, list: ListName, answer: PropertyMap): readonly Entry[] =>
  among(entriesOf(list, answer), removed(patch, list));

/** Whether a patch removes all entries that another patch removes, in the same spelling. */
export const removesExactly = (patch: ServicePatch, removal: ServicePatch): boolean =>
  listNames.every((list) => {
    const texts = new Set(removed(patch, list).map((entry) => JSON.stringify(entry)));
    return removed(removal, list).every((entry) => texts.has(JSON.stringify(entry)));
  });

/** The removal of the unmanaged entries, but for those that a patch has removed already. */
export const removalOfUnmanaged = (
  declared: PropertyMap,
  current: PropertyMap,
  done: ServicePatch = {},
): ServicePatch | undefined =>
  removalOf((list) => without(compare(list, declared, current).unmanaged, removed(done, list)));

/** The removal of the declared and the uncertain entries, but for those to keep. */
export const removalOfDeclared = (
  declared: PropertyMap,
  current: PropertyMap,
  isKept: (entry: Entry) => boolean,
): ServicePatch | undefined =>
  removalOf((list) => {
    const entries = [...entriesOf(list, declared), ...uncertainIn(list, current)];
    return asListed(
      list,
      entries.filter((entry) => !isKept(entry)),
      current,
    );
  });

/** What is known of the settings while the outcome of an update is not. */
interface Certain {
  readonly declared: PropertyMap;
  readonly observed: PropertyMap;
}

/**
 * What the state holds while the outcome of an update is unknown, because no operation reads a service. The changed fields are left
 * out, and of a changed list the entries that came or went, so that the next update sends them even if the program goes back to the
 * old values. `observed` keeps those entries, so that the next update removes them if the program does not declare them.
 */
export function certainOf({ olds, news, lastRead, changes }: SettingsUpdate): Certain {
  const before = olds ?? {};
  const kept = (list: ListName) => among(entriesOf(list, before), entriesOf(list, news));
  const uncertain = (list: ListName): readonly Entry[] => {
    const ours = [...entriesOf(list, before), ...uncertainIn(list, lastRead)];
    const others = without(entriesOf(list, lastRead), ours);
    const all = [...ours, ...without(entriesOf(list, news), ours)];
    return without(all, [...kept(list), ...others]);
  };
  const paths = changes.map(({ path }) => path);
  const changed = listNames.filter((list) => paths.includes(list));
  return {
    declared: { ...omit(news, paths), ...listsOf(changed, kept) },
    observed: withUncertain(lastRead, listsOf(listNames, uncertain)),
  };
}

/** The entries of these lists, without empty lists. */
const listsOf = (
  names: readonly ListName[],
  entries: (list: ListName) => readonly Entry[],
): Readonly<Record<string, readonly Entry[]>> =>
  withoutEmpty(Object.fromEntries(names.map((list) => [list, entries(list)])));

const added = (patch: ServicePatch, list: ListName): readonly Entry[] => patch[list]?.add ?? [];
export const removed = (patch: ServicePatch, list: ListName): readonly Entry[] => patch[list]?.remove ?? [];

const removalOf = (entries: (list: ListName) => readonly Entry[]): ServicePatch | undefined =>
  nonEmpty(patchesOf((list) => ({ add: [], remove: entries(list) })));

/** The additions and removals of both lists. */
const patchesOf = (change: (list: ListName) => Required<ListPatch>): ListPatches =>
  withoutEmpty(Object.fromEntries(listNames.map((list) => [list, withoutEmpty(change(list))])));

/** A copy without the lists and objects that are empty. */
const withoutEmpty = <T extends object>(members: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => Object.keys(member).length > 0));

const nonEmpty = <T extends object>(patch: T): T | undefined =>
  Object.keys(patch).length === 0 ? undefined : patch;
