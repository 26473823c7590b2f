import { SECRET_NAMES } from "../../api/secret-names";
import { idKey } from "../../api/wire";
import { changesBetween, changesOf } from "../../core/changes";
import { duplicates } from "../../core/duplicates";
import type { ResourceDefinition } from "../../core/lifecycle";
import { containsUnknown, valueAt, type PropertyMap, type PropertyValue } from "../../core/property-value";
import { elementsOf } from "../../core/set-diff";
import type { Failure } from "../../core/validation";
import { scopeOf, type ResourceContext } from "../context";
import { compare, entriesOf, fields, keyOf, listNames, LISTS, type Entry } from "./entries";
import { removalOfDeclared } from "./plan";
import { IP_ACCESS_IDENTITY, normalizedEntries, serviceSettingsSchema, type SettingsDraft } from "./schema";
import { applySettings, removeEntries } from "./send";

/** The settings of a service. The API can only change them: what it answers is all that can be read. */
export const serviceSettingsDefinition = (
  context: ResourceContext,
): ResourceDefinition<typeof serviceSettingsSchema> => {
  /** The entries that this run declares. */
  const declared = new Set<string>();
  return {
    type: "ServiceSettings",
    sharesId: true,
    schema: serviceSettingsSchema,
    secretNames: SECRET_NAMES,
    computed: Object.values(LISTS),
    derived: unmanagedEntries,
    rules: repetitions,
    warnings: lostEndpoints,

    checked(_key, inputs) {
      for (const note of listNames.flatMap((list) => entriesOf(list, inputs)).map(noteOf(inputs))) {
        declared.add(note);
        // The resource that had the entries before may be that of another provider instance, which has a process of its own.
        context.runFlags?.set(note);
      }
    },

    async create(inputs, progress) {
      const id = scopeOf(inputs).serviceId;
      const changes = changesOf("update", changesBetween(fields, {}, inputs));
      const found = await applySettings(context, { id, news: inputs, lastRead: {}, changes }, progress);
      return { id, current: found };
    },

    // The API has no operation that reads a service: what it answered to the last change is all that is known.
    read(id, _properties, observed) {
      if (observed !== undefined) {
        context.log(
          `service ${id}: the API has no operation that reads the settings of a service, so nothing was compared. The last known ` +
            `settings are kept.`,
        );
      }
      return Promise.resolve(observed ?? {});
    },

    update: (update, progress) => applySettings(context, update, progress),

    async delete(id, properties, observed) {
      if (properties.deletionPolicy !== "delete") {
        context.log(
          `service ${id} stays as it is: the deletionPolicy of its settings is "retain", so nothing was sent to the API.`,
        );
        return;
      }
      const note = noteOf(properties);
      // Another resource of this run may declare an entry for the same service.
      const isKept = (entry: Entry): boolean =>
        declared.has(note(entry)) || context.runFlags?.has(note(entry)) === true;
      const removal = removalOfDeclared(properties, observed, isKept);
      if (removal !== undefined) await removeEntries(context, id, properties, removal);
    },
  };
};

/** A note that an entry is declared for a service, the same for all spellings of both. */
const noteOf =
  ({ organizationId, serviceId }: PropertyMap) =>
  (entry: Entry): string => {
    const scope = [organizationId, serviceId].map((id) => (typeof id === "string" ? idKey(id) : ""));
    return JSON.stringify([...scope, keyOf(entry)]);
  };

const unmanagedEntries = (declared: PropertyMap, observed: PropertyMap): PropertyMap =>
  Object.fromEntries(listNames.map((list) => [LISTS[list], compare(list, declared, observed).unmanaged]));

/** Entries that occur twice, in whichever spelling. */
const repetitions = (inputs: SettingsDraft): readonly Failure[] => [
  ...duplicates({
    path: ["ipAccessList"],
    list: normalizedEntries(inputs.ipAccessList),
    by: IP_ACCESS_IDENTITY,
    noun: "entry",
  }),
  ...duplicates({ path: ["privateEndpointIds"], list: inputs.privateEndpointIds, noun: "entry" }),
  ...duplicates({ path: ["endpoints"], list: inputs.endpoints, by: ["protocol"], noun: "protocol" }),
];

/** Endpoints that are no longer declared, while the list as a whole is still there. */
function lostEndpoints(olds: PropertyMap, { endpoints, serviceId }: SettingsDraft): readonly string[] {
  if (endpoints === undefined || containsUnknown(endpoints)) return [];
  const present = protocolsOf(endpoints);
  const lost = protocolsOf(endpointsOf(olds)).filter((protocol) => !present.includes(protocol));
  if (lost.length === 0) return [];
  const shown = lost.map((protocol) => JSON.stringify(protocol)).join(", ");
  return [
    `ServiceSettings ${typeof serviceId === "string" ? serviceId : ""}: of endpoints, ${shown} was removed from the program, but ` +
      `the API has no way to unset it: nothing is sent for it and it stays as it is.`,
  ];
}

const endpointsOf = ({ endpoints }: PropertyMap): PropertyValue => endpoints;
const protocolsOf = (endpoints: PropertyValue): readonly PropertyValue[] =>
  elementsOf(endpoints).map((element) => valueAt(element, ["protocol"]));
