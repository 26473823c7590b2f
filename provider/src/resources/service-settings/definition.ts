import { SECRET_NAMES } from "../../api/secret-names";
import { idKey } from "../../api/wire";
import { changesBetween, changesOf } from "../../core/changes";
import { duplicates } from "../../core/duplicates";
import type { Declared, ResourceDefinition } from "../../core/lifecycle";
import { containsUnknown, valueAt, type PropertyMap, type PropertyValue } from "../../core/property-value";
import { observedOf } from "../../core/outputs";
import { elementsOf } from "../../core/set-diff";
import type { Failure } from "../../core/validation";
import { scopeOf, type ResourceContext } from "../context";
import {
  compare,
  entriesOf,
  fields,
  hasUncertain,
  isUnfinished,
  keyOf,
  listNames,
  LISTS,
  shown,
  UNCERTAIN,
  uncertainIn,
  type Entry,
} from "./entries";
import { removalOfDeclared } from "./plan";
import {
  IP_ACCESS_IDENTITY,
  normalizedEntries,
  serviceSettingsOutputs,
  serviceSettingsSchema,
  type SettingsDraft,
  type StoredSettings,
} from "./schema";
import { applySettings, removeEntries } from "./send";

/** The settings of a service. The API can only change them: its answers are all that the provider can read. */
export const serviceSettingsDefinition = (
  context: ResourceContext,
): ResourceDefinition<typeof serviceSettingsSchema> => {
  /** The entries that this process has checked. */
  const declared = new Set<string>();
  return {
    type: "ServiceSettings",
    sharesId: true,
    schema: serviceSettingsSchema,
    secretNames: new Set([...SECRET_NAMES, UNCERTAIN]),
    outputs: serviceSettingsOutputs,
    derived: unmanagedEntries,
    rules: duplicateEntries,
    warnings: ({ olds, news }) => [
      ...removedEndpoints(olds, news),
      ...uncertainEntries(olds),
      ...unfinishedRemoval(olds, news),
    ],
    needsUpdate: (observed, news) =>
      hasUncertain(observed) || (isUnfinished(observed) && news.exclusive === true),

    checked(_key, inputs) {
      for (const note of listNames.flatMap((list) => entriesOf(list, inputs)).map(noteOf(inputs))) {
        declared.add(note);
        // Another provider instance, which has its own process, may delete the same entry.
        context.runFlags?.set(note);
      }
    },

    async create(inputs, progress) {
      const id = scopeOf(inputs).serviceId;
      const changes = changesOf("update", changesBetween(fields, {}, inputs));
      const current = await applySettings(context, { id, news: inputs, lastRead: {}, changes }, progress);
      return { id, current };
    },

    read: (id, _properties, observed) => Promise.resolve(lastAnswer(context, id, observed)),

    update: (update, progress) => applySettings(context, update, progress),

    delete: (id, properties, observed) =>
      deleteSettings(context, { id, properties, observed }, (note) => declared.has(note)),
  };
};

function lastAnswer({ log }: ResourceContext, id: string, observed: PropertyMap | undefined): PropertyMap {
  if (observed === undefined) return {};
  log(
    `service ${id}: the API has no operation that reads the settings of a service. The refresh compared nothing, and the state ` +
      `keeps the last response.`,
  );
  return observed;
}

/** Removes the declared entries, unless a resource of this run declares them too, or the policy keeps them all. */
async function deleteSettings(
  context: ResourceContext,
  { id, properties, observed }: { id: string; properties: Declared; observed: PropertyMap },
  isDeclared: (note: string) => boolean,
): Promise<void> {
  if (properties.deletionPolicy !== "delete") {
    context.log(
      `service ${id} stays as it is: the deletionPolicy of its settings is "retain", so the provider sends nothing.`,
    );
    return;
  }
  const note = noteOf(properties);
  const isKept = (entry: Entry): boolean =>
    isDeclared(note(entry)) || context.runFlags?.has(note(entry)) === true;
  const removal = removalOfDeclared(properties, observed, isKept);
  if (removal !== undefined) await removeEntries(context, id, properties, removal);
}

/** A key for a declared entry of a service, shared by all spellings of both. */
const noteOf =
  ({ organizationId, serviceId }: PropertyMap) =>
  (entry: Entry): string => {
    const scope = [organizationId, serviceId].map((id) => (typeof id === "string" ? idKey(id) : ""));
    return JSON.stringify([...scope, keyOf(entry)]);
  };

const unmanagedEntries = (declared: PropertyMap, current: PropertyMap): PropertyMap =>
  Object.fromEntries(listNames.map((list) => [LISTS[list], compare(list, declared, current).unmanaged]));

/** Entries that occur twice, in any spelling. */
const duplicateEntries = (inputs: SettingsDraft): readonly Failure[] => [
  ...duplicates({
    path: ["ipAccessList"],
    list: normalizedEntries(inputs.ipAccessList),
    by: IP_ACCESS_IDENTITY,
    noun: "entry",
  }),
  ...duplicates({ path: ["privateEndpointIds"], list: inputs.privateEndpointIds, noun: "entry" }),
  ...duplicates({ path: ["endpoints"], list: inputs.endpoints, by: ["protocol"], noun: "protocol" }),
];

/** A warning of each list that has uncertain entries. */
const uncertainEntries = (olds: StoredSettings): readonly string[] =>
  listNames.flatMap((list) => {
    const entries = uncertainIn(list, observedOf(olds));
    if (entries.length === 0) return [];
    return [
      `ServiceSettings ${idOf(olds)}: an update failed, and the provider cannot know whether ${list} has ${shown(entries)}. ` +
        `This update reads the list, then adds those that the program declares and removes the others.`,
    ];
  });

/** A warning that an update removes unmanaged entries, because the last one failed before it had done so. */
const unfinishedRemoval = (olds: StoredSettings, { exclusive }: SettingsDraft): readonly string[] =>
  exclusive === true && isUnfinished(observedOf(olds)) && !hasUncertain(observedOf(olds))
    ? [
        `ServiceSettings ${idOf(olds)}: an update failed before it had removed all entries that the program does not declare. This ` +
          `update removes them, because exclusive is true.`,
      ]
    : [];

const idOf = ({ serviceId }: { readonly serviceId?: PropertyValue }): string =>
  typeof serviceId === "string" ? serviceId : "";

/** A warning of endpoints that the program no longer declares, while it still declares the list. */
function removedEndpoints(olds: StoredSettings, { endpoints, serviceId }: SettingsDraft): readonly string[] {
  if (endpoints === undefined || containsUnknown(endpoints)) return [];
  const present = protocolsOf(endpoints);
  const removed = protocolsOf(olds.endpoints).filter((protocol) => !present.includes(protocol));
  if (removed.length === 0) return [];
  const shown = removed.map((protocol) => JSON.stringify(protocol)).join(", ");
  return [
    `ServiceSettings ${idOf({ serviceId })}: the program no longer declares ${shown} in endpoints, but ` +
      `the API has no way to unset it. The provider sends nothing, and the value stays.`,
  ];
}

const protocolsOf = (endpoints: PropertyValue): readonly PropertyValue[] =>
  elementsOf(endpoints).map((element) => valueAt(element, ["protocol"]));
