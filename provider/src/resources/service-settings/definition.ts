import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { idKey } from "../../values/uuid";
import { changesBetween, changesOf } from "../../lifecycle/changes";
import { duplicates } from "../../lifecycle/duplicates";
import type { IdUser } from "../../lifecycle/ids-in-use";
import type { PolicyInputs, ResourceDefinition } from "../../lifecycle/lifecycle";
import { nameInKey } from "../../lifecycle/resource-key";
import {
  containsUnknown,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/property-value";
import { observedOf } from "../../lifecycle/outputs";
import { elementsOf } from "../../lifecycle/set-diff";
import type { Failure } from "../../lifecycle/validation";
import { scopeOf, type ResourceContext } from "../context";
import { compare, entriesOf, fields, isUnfinished, keyOf, listNames, LISTS, type Entry } from "./entries";
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

const TYPE = "ServiceSettings";

/** The settings of a service. The API can only change them: its answers are all that the provider can read. */
export const serviceSettingsDefinition = (
  context: ResourceContext,
): ResourceDefinition<typeof serviceSettingsSchema> => {
  const { ids, server } = context;
  return {
    type: TYPE,
    noun: "resource",
    operations: { update: "updateService" },
    takeOver:
      "Declare the settings without an import: a declared ServiceSettings manages the settings of the existing service, and `pulumi up` " +
      "changes what the program declares, and nothing else.",
    deletedPart: "the declared entries of the access lists are removed, and the service stays",
    schema: serviceSettingsSchema,
    secretNames: SECRET_NAMES,
    outputs: serviceSettingsOutputs,
    derived: unmanagedEntries,
    rules: duplicateEntries,
    warnings: ({ state, inputs }) => [...removedEndpoints(state, inputs), ...unfinishedUpdate(state, inputs)],
    needsUpdate: isUnfinished,

    checked(key, inputs) {
      const { serviceId } = inputs;
      if (typeof serviceId !== "string") return [];
      // Another provider instance, which has its own process, may declare the same entry, or delete it.
      for (const entry of listNames.flatMap((list) => entriesOf(list, inputs)).map(idIn(inputs)))
        ids.use(entry, "declares");
      const other = ids.manage({ type: TYPE, id: `${server} ${serviceId}`, key }, "has");
      return other === undefined ? [] : [{ path: [], reason: bothForService(key, other, serviceId) }];
    },

    async create(inputs, progress) {
      const id = scopeOf(inputs).serviceId;
      const changes = changesOf("update", changesBetween(fields, {}, inputs));
      const current = await applySettings(context, { id, inputs, lastRead: {}, changes }, progress);
      return { id, current };
    },

    update: (update, progress) => applySettings(context, update, progress),

    delete: (id, properties, observed) => deleteSettings(context, id, properties, observed),
  };
};

/** Removes the declared entries, unless a resource of this run declares them too, or the policy keeps them all. */
async function deleteSettings(
  context: ResourceContext,
  id: string,
  properties: PolicyInputs,
  observed: PropertyMap,
): Promise<void> {
  if (properties.deletionPolicy !== "delete") {
    context.log(
      `service ${id} stays as it is: the deletionPolicy of its settings is "retain", so the provider sends nothing.`,
    );
    return;
  }
  const idOfEntry = idIn(properties);
  const removal = removalOfDeclared(properties, observed, (entry) => context.ids.isUsed(idOfEntry(entry)));
  if (removal !== undefined) await removeEntries(context, id, properties, removal);
}

/** The id of a declared entry of a service, shared by all spellings of both. */
const idIn =
  ({ organizationId, serviceId }: PropertyMap) =>
  (entry: Entry) => {
    const scope = [organizationId, serviceId].map((id) => (typeof id === "string" ? idKey(id) : ""));
    // Ids are compared in lower case, and texts of an entry are not.
    return { type: TYPE, id: Buffer.from(JSON.stringify([...scope, keyOf(entry)])).toString("hex") };
  };

/** Why a program cannot have two resources for the settings of a service. */
const bothForService = (key: string, { name = "one of another provider" }: IdUser, serviceId: string) =>
  `${TYPE} ${nameInKey(key)} and ${name} are both for service ${serviceId}. A program can have one ServiceSettings for each ` +
  `service: merge the two into one.`;

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

/** A warning that an update reads the lists and may change them, because the last one failed before its end. */
const unfinishedUpdate = (state: StoredSettings, { exclusive }: SettingsDraft): readonly string[] =>
  isUnfinished(observedOf(state))
    ? [
        `ServiceSettings ${idOf(state)}: the last update failed, and the provider cannot know what it has changed in the lists. This update ` +
          `reads them, adds the entries that the program declares, and removes those that it ${exclusive === true ? "does not declare" : "no longer declares"}.`,
      ]
    : [];

const idOf = ({ serviceId }: { readonly serviceId?: PropertyValue }): string =>
  typeof serviceId === "string" ? serviceId : "";

/** A warning of endpoints that the program no longer declares, while it still declares the list. */
function removedEndpoints(state: StoredSettings, { endpoints, serviceId }: SettingsDraft): readonly string[] {
  if (endpoints === undefined || containsUnknown(endpoints)) return [];
  const present = protocolsOf(endpoints);
  const removed = protocolsOf(state.endpoints).filter((protocol) => !present.includes(protocol));
  if (removed.length === 0) return [];
  const shown = removed.map((protocol) => JSON.stringify(protocol)).join(", ");
  return [
    `ServiceSettings ${idOf({ serviceId })}: the program no longer declares ${shown} in endpoints, but ` +
      `the API has no way to unset it. The provider sends nothing, and the value stays.`,
  ];
}

const protocolsOf = (endpoints: PropertyValue): readonly PropertyValue[] =>
  elementsOf(endpoints).map((element) => valueAt(element, ["protocol"]));
