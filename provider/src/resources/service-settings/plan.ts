import type { WireObject } from "../../api/document/wire";
import type { Update } from "../../lifecycle/lifecycle";
import { isList, omit, valueAt, type PropertyMap } from "../../lifecycle/property-value";
import { elementsOf } from "../../lifecycle/set-diff";
import {
  intersection,
  inServiceSpelling,
  asUnfinished,
  compare,
  entriesOf,
  isUnfinished,
  isUnknown,
  isWord,
  listedOf,
  listNames,
  LISTS,
  difference,
  withoutListed,
  type Entry,
  type ListName,
  type ListPatch,
  type ListPatches,
} from "./entries";
import type { ServiceSettingsInputs, StoredSettings } from "./schema";

/** The body of `updateService`. A function returns undefined when there is nothing to send. */
export type ServicePatch = WireObject & ListPatches;

/** A change of the settings; without `oldInputs` for settings that are not in the stack yet. */
export type SettingsUpdate = Omit<Update<ServiceSettingsInputs>, "oldInputs"> & {
  readonly oldInputs?: StoredSettings;
};

/**
 * The changed fields, with the smallest additions and removals. After an update that failed, the entries of the state are those that the
 * service may have, and its answer lists those that it certainly has.
 */
export function patchOf({
  oldInputs = {},
  inputs,
  lastRead,
  changes,
}: SettingsUpdate): ServicePatch | undefined {
  const values: WireObject = inputs;
  const scalars = changes
    .filter(({ field }) => !field.unordered)
    .map(({ path }) => [path, values[path]] as const);
  return nonEmpty({
    ...Object.fromEntries(scalars),
    ...withoutEmpty({ endpoints: changedEndpoints(oldInputs, inputs) }),
    ...patchesOf((list) => {
      const [ours, after] = [entriesOf(list, oldInputs), entriesOf(list, inputs)];
      const present = isUnfinished(lastRead) ? listedOf(list, oldInputs, lastRead) : ours;
      return {
        add: difference(after, present),
        remove: inServiceSpelling(list, difference(ours, after), lastRead),
      };
    }),
  });
}

function changedEndpoints(oldInputs: StoredSettings, { endpoints = [] }: ServiceSettingsInputs) {
  const wasEnabled = new Map(
    elementsOf(oldInputs.endpoints).map((one) => [valueAt(one, ["protocol"]), valueAt(one, ["enabled"])]),
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
      add: difference(added(patch, list), entriesOf(list, answer)),
      // An answer without the list does not show that the entries are gone.
      remove: isList(answer[list]) ? stillListed(patch, list, answer) : removed(patch, list),
    })),
  });
}

/** The removal of entries that a patch has removed and the answer still lists. */
export const repeatedRemoval = (patch: ServicePatch, answer: PropertyMap): ServicePatch | undefined =>
  removalOf((list) => stillListed(patch, list, answer));

const stillListed = (patch: ServicePatch, list: ListName, answer: PropertyMap): readonly Entry[] =>
  intersection(entriesOf(list, answer), removed(patch, list));

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
  removalOf((list) => difference(compare(list, declared, current).unmanaged, removed(done, list)));

/** The removal of the declared entries, but for those to keep. */
export const removalOfDeclared = (
  declared: PropertyMap,
  current: PropertyMap,
  isKept: (entry: Entry) => boolean,
): ServicePatch | undefined =>
  removalOf((list) =>
    inServiceSpelling(
      list,
      entriesOf(list, declared).filter((entry) => !isKept(entry)),
      current,
    ),
  );

/** What the state holds of the settings. */
interface Recorded {
  readonly declared: PropertyMap;
  readonly observed: PropertyMap;
}

/**
 * What the state records of an update whose outcome is unknown. The changed fields are left out, so that the next update sends them even if
 * the program goes back to the old values. Of a changed list, all entries are declared that the service may have because of this resource, and
 * `observed` has those that the update was not to remove: the next update, or the deletion, compares both with what the program declares.
 */
export function recordOf({ oldInputs = {}, inputs, lastRead, changes }: SettingsUpdate): Recorded {
  const paths = changes.map(({ path }) => path);
  const lists = listNames.filter((list) => paths.includes(list));
  const ours = (list: ListName): readonly Entry[] => entriesOf(list, oldInputs);
  const gone = (list: ListName): readonly Entry[] => difference(ours(list), entriesOf(list, inputs));
  // What another client added before is not ours.
  const added = (list: ListName): readonly Entry[] =>
    difference(entriesOf(list, inputs), [...ours(list), ...entriesOf(list, lastRead)]);
  const observed = lists.reduce((current, list) => withoutListed(list, current, gone(list)), lastRead);
  const isAnyUnknown = lists.some((list) => gone(list).length + added(list).length > 0);
  return {
    declared: { ...omit(inputs, paths), ...listsOf(lists, (list) => [...ours(list), ...added(list)]) },
    observed: isAnyUnknown ? asUnfinished(observed) : observed,
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
