import { isDeepStrictEqual } from "node:util";
import type { WireObject } from "../../api/wire";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import type { CheckedResource, Progress, ResourceDefinition } from "../../lifecycle/program/definition";
import type { Declaration } from "../../lifecycle/program/program";
import { containsUnknown, valueAt, withoutNulls } from "../../lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../lifecycle/comparison/property-value";
import { nameBeside, nameInKey } from "../../lifecycle/state/resource-key";
import { elementsOf } from "../../lifecycle/comparison/equality";
import type { Failure } from "../../lifecycle/comparison/validation";
import { isDatapipesError, saysNotFound } from "../../messages/errors";
import { isSameId } from "../../values/uuid";
import { scopeOf, type RunContext } from "../context";
import { retainedText } from "../deletion";
import * as patch from "./patch";
import { serviceSettingsOutputs, serviceSettingsSchema, type SettingsDraft } from "./schema";

const TYPE = "ServiceSettings";

/** The settings of a service. The API can only change them: its answers are all that the provider can read. */
export const serviceSettingsDefinition = (
  context: RunContext,
): ResourceDefinition<typeof serviceSettingsSchema> => ({
  type: TYPE,
  noun: "resource",
  takeOver:
    "Declare the settings without an import: ServiceSettings manages an existing service, and changes only what " +
    "the program declares, unless exclusive is true.",
  deletesPart: true,
  schema: serviceSettingsSchema,
  secretNames: SECRET_NAMES,
  outputs: serviceSettingsOutputs,
  derived: unmanagedEntries,
  rules: () => [],
  checkAgainstOthers: (resource) =>
    Promise.resolve({
      failures: severalFor(context, resource),
      warnings: undeclaredEndpoints(resource),
    }),
  // The last run may have failed before it removed what the service lists.
  needsUpdate: (lastRead, inputs) => !patch.isEmpty(patch.removalOfUnmanaged(inputs, lastRead)),
  async create(inputs, progress) {
    const id = scopeOf(inputs).serviceId;
    const update = { id, oldInputs: {}, inputs, lastRead: {} };
    return { id, current: await updateSettings(context, update, progress) };
  },
  update: (update, progress) => updateSettings(context, update, progress),
  async delete(id, properties, lastRead, key) {
    if (properties.deletionPolicy !== "delete") {
      context.log(retainedText(`${TYPE} ${id} stays as it is`));
      return;
    }
    // Another provider instance has its own process: the state has what its resources declare.
    const kept = declaredFor(context, id)[0] ?? (await context.stack.otherHolder(TYPE, id, key));
    const encrypted = patch.encryptedIn(kept?.inputs ?? {}).filter((list) => properties[list] !== undefined);
    if (encrypted.length > 0) context.warn(`service ${id}: ${leftText(encrypted)}`);
    await removeEntries(context, properties, patch.entriesBeside(kept?.inputs ?? {}, properties), lastRead);
  },
});

const leftText = (lists: readonly string[]): string =>
  `the provider removed no entries of ${lists.join(" and ")}, because another ServiceSettings declares the list as a ` +
  "secret. Remove in the service's console what it does not declare.";

/** What the program declares for a service. */
const declaredFor = ({ program }: RunContext, serviceId: string): readonly Declaration[] =>
  program
    .all(TYPE)
    .filter(({ status, inputs }) => status !== "refused" && isSameId(inputs["serviceId"], serviceId));

/** A service can have no other settings. */
function severalFor(
  context: RunContext,
  { key, inputs }: CheckedResource<SettingsDraft>,
): readonly Failure[] {
  const { serviceId } = inputs;
  if (typeof serviceId !== "string") return [];
  const other = declaredFor(context, serviceId).find((one) => one.key !== key);
  if (other === undefined) return [];
  const both = `${TYPE} ${nameInKey(key)} and ${nameBeside(other.key, key)} are both for service ${serviceId}.`;
  const advice = "A program can have one ServiceSettings for each service: merge the two into one.";
  return [{ path: [], reason: `${both} ${advice}` }];
}

/** Sends the changes, and then removes what the answer lists beside the entries of exclusive settings. */
async function updateSettings(
  { client, warn }: RunContext,
  update: patch.SettingsUpdate,
  progress: Progress,
): Promise<PropertyMap> {
  const { id, inputs } = update;
  const send = async (body: WireObject): Promise<PropertyMap> => {
    const answer = withoutNulls(await client().updateService(scopeOf(inputs), body));
    progress.checkpoint(id, inputs, answer);
    return answer;
  };
  const first = patch.firstPatch(update);
  let current = first === undefined ? update.lastRead : await send(first);
  const removal = patch.removalOfUnmanaged(inputs, current);
  if (!patch.isEmpty(removal) && !isDeepStrictEqual(removal, first)) current = await send(removal);
  const warning = warningOf(inputs, current);
  if (warning !== undefined) warn(`service ${id} ${warning}`);
  return current;
}

/** What an answer shows against the program, as the predicate of a sentence about the service. */
function warningOf(inputs: PropertyMap, current: PropertyMap): string | undefined {
  const unmanaged = patch.textOf(patch.entriesBeside(inputs, current));
  const missing = patch.textOf(patch.missingIn(current, inputs));
  if (missing !== "") {
    const advice =
      "The provider removed none of these: if one is the same entry in another format, declare it as the " +
      "service lists it.";
    const others = unmanaged === "" ? "" : ` It lists ${unmanaged} instead. ${advice}`;
    return `does not list what the program declares: ${missing}.${others}`;
  }
  if (unmanaged === "") return undefined;
  if (inputs["exclusive"] === true) return stillListed(unmanaged);
  return (
    `also has entries that the program does not declare: ${unmanaged}. The provider did not change them; to ` +
    "manage an entry, declare it."
  );
}

const stillListed = (entries: string): string =>
  `still lists entries after the request to remove them: ${entries}. Remove them in the service's console.`;

/** Removes entries, unless the service does not exist. */
async function removeEntries(
  { client, log, warn }: RunContext,
  properties: PropertyMap,
  entries: patch.Entries,
  lastRead: PropertyMap,
): Promise<void> {
  const { serviceId } = scopeOf(properties);
  const missing = patch.textOf(patch.missingIn(lastRead, properties));
  if (missing !== "") warn(`service ${serviceId} does not list ${missing}: the provider cannot remove it.`);
  const removal = patch.removalOf(entries, lastRead);
  if (patch.isEmpty(removal)) return;
  try {
    const answer = await client().updateService(scopeOf(properties), removal);
    const left = patch.textOf(patch.listedOf(entries, answer));
    if (left !== "") warn(`service ${serviceId} ${stillListed(left)}`);
  } catch (error) {
    if (!isDatapipesError(error) || !saysNotFound(error)) throw error;
    log(`service ${serviceId} no longer exists (404), so there are no entries to remove.`);
  }
}

function unmanagedEntries(declared: PropertyMap, current: PropertyMap): PropertyMap {
  const { ipAccessList, privateEndpointIds } = patch.entriesBeside(declared, current);
  return { unmanagedIpAccessList: ipAccessList, unmanagedPrivateEndpointIds: privateEndpointIds };
}

/** A warning of endpoints that the program no longer declares, while it still declares the list. */
function undeclaredEndpoints({
  inputs: { serviceId, endpoints },
  oldInputs = {},
}: CheckedResource<SettingsDraft>): readonly string[] {
  if (endpoints === undefined || containsUnknown(endpoints)) return [];
  const gone = protocolsOf(oldInputs["endpoints"]).filter((one) => !protocolsOf(endpoints).includes(one));
  if (gone.length === 0) return [];
  return [
    `ServiceSettings ${String(serviceId)}: the program no longer declares ` +
      `${gone.map((one) => JSON.stringify(one)).join(", ")} in endpoints. ` +
      "The service keeps the current values, because the API cannot unset a field.",
  ];
}

const protocolsOf = (endpoints: PropertyValue): readonly PropertyValue[] =>
  elementsOf(endpoints).map((element) => valueAt(element, ["protocol"]));
