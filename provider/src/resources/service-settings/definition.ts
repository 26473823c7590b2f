import { SECRET_NAMES } from "../../api/secret-names";
import { idKey } from "../../api/wire";
import { changesBetween, changesOf } from "../../core/changes";
import type { Failure } from "../../core/validation";
import {
  containsUnknown,
  isMap,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../core/property-value";
import { duplicates } from "../../core/duplicates";
import type { ResourceDefinition } from "../../core/lifecycle";
import { elementsOf } from "../../core/set-diff";
import { isDatapipesError } from "../../errors";
import { scopeOf, type ResourceContext } from "../context";
import { asListed, fields, listNames, LISTS, unmanagedEntries, without, type ListName } from "./entries";
import { IP_ACCESS_IDENTITY, normalizedEntries, serviceSettingsSchema } from "./schema";
import { forEachList, removalOf, shown, updateService } from "./service-update";
import { settle } from "./settle";

/** The settings of a service. The API can only change them: what it answers is all that can be read. */
export const serviceSettingsDefinition = (context: ResourceContext): ResourceDefinition => {
  /** What this run declares, by the resources' names. */
  const declarations = new Map<string, PropertyMap>();
  return {
    type: "ServiceSettings",
    sharesId: true,
    schema: serviceSettingsSchema,
    secretNames: SECRET_NAMES,
    computed: Object.values(LISTS),
    derived: unmanagedEntries,
    rules: repetitions,
    warnings: lostEndpoints,

    checked(key, inputs) {
      declarations.set(`${key} ${serviceKey(inputs)}`, inputs);
      // The resource that had the entries before may be that of another provider instance, which has a process of its own.
      for (const note of listNames.flatMap((name) => notesOf(name, inputs))) context.notes?.leave(note);
      return [];
    },

    async create(inputs, progress) {
      const id = scopeOf(inputs).serviceId;
      const changes = changesOf("update", changesBetween(fields, {}, inputs));
      const found = await settle(context, { id, news: inputs, observed: {}, changes }, progress);
      return { id, found: found ?? {} };
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

    update: (update, progress) => settle(context, update, progress),

    async delete(id, properties, observed = {}) {
      if (properties.deletionPolicy === "delete") {
        await removeEntries(context, {
          id,
          properties,
          observed,
          declarations: [...declarations.values()],
        });
        return;
      }
      context.log(
        `service ${id} stays as it is: the deletionPolicy of its settings is "retain", so nothing was sent to the API.`,
      );
    },
  };
};

const serviceKey = ({ organizationId, serviceId }: PropertyMap): string =>
  [organizationId, serviceId].map((id) => (typeof id === "string" ? idKey(id) : "")).join("/");

interface Removal {
  readonly id: string;
  readonly properties: PropertyMap;
  readonly observed: PropertyMap;
  /** What all resources of this run declare. */
  readonly declarations: readonly PropertyMap[];
}

/** Removes the declared entries, but for those that another resource of this run declares for the same service. */
async function removeEntries(
  context: ResourceContext,
  { id, properties, observed, declarations }: Removal,
): Promise<void> {
  const ofService = declarations.filter((one) => serviceKey(one) === serviceKey(properties));
  const body = removalOf(
    forEachList((name) => {
      const kept = ofService.flatMap((one) => elementsOf(one[name]));
      const removed = without(name, properties[name], kept);
      const others = removed.filter((entry) =>
        notesOf(name, { ...properties, [name]: [entry] }).every((note) => context.notes?.has(note) !== true),
      );
      return asListed(name, observed, others);
    }),
  );
  if (body === undefined) return;
  try {
    await updateService(context, { declared: properties, body });
  } catch (error) {
    if (!isDatapipesError(error) || error.code !== "not-found") throw error;
    context.log(`service ${id} is not there any more (404), and its entries are gone with it.`);
  }
}

/** A note for each entry of a list that a resource declares, the same for all spellings of it. */
const notesOf = (name: ListName, properties: PropertyMap): readonly string[] =>
  elementsOf(name === "ipAccessList" ? normalizedEntries(properties[name]) : properties[name])
    .filter((entry) => !containsUnknown(entry))
    .map((entry) => {
      const parts = isMap(entry) ? IP_ACCESS_IDENTITY.map((part) => entry[part] ?? "") : [entry];
      return JSON.stringify([serviceKey(properties), name, ...parts]);
    });

/** Entries that occur twice, in whichever spelling. */
function repetitions(inputs: PropertyMap): readonly Failure[] {
  const normalized: PropertyMap = { ...inputs, ipAccessList: normalizedEntries(inputs["ipAccessList"]) };
  return [
    ...duplicates({
      path: ["ipAccessList"],
      list: normalized["ipAccessList"] as never,
      by: IP_ACCESS_IDENTITY,
      noun: "entry",
    }),
    ...duplicates({
      path: ["privateEndpointIds"],
      list: inputs["privateEndpointIds"] as never,
      noun: "entry",
    }),
    ...duplicates({
      path: ["endpoints"],
      list: inputs["endpoints"] as never,
      by: ["protocol"],
      noun: "protocol",
    }),
  ];
}

/** Endpoints that are no longer declared, while the list as a whole is still there. */
function lostEndpoints(olds: PropertyMap, news: PropertyMap): readonly string[] {
  const { endpoints, serviceId } = news;
  if (endpoints === undefined || containsUnknown(endpoints)) return [];
  const present = protocolsOf(endpoints);
  const lost = protocolsOf(olds["endpoints"]).filter((protocol) => !present.includes(protocol));
  if (lost.length === 0) return [];
  return [
    `warning: ServiceSettings ${typeof serviceId === "string" ? serviceId : ""}: of endpoints, ${shown(lost)} was removed from the ` +
      `program, but the API has no way to unset it: nothing is sent for it and it stays as it is.`,
  ];
}

const protocolsOf = (endpoints: PropertyValue): readonly PropertyValue[] =>
  elementsOf(endpoints).map((element) => valueAt(element, ["protocol"]));
