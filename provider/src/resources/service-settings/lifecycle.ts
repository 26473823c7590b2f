import { isUncertain } from "../../api/uncertain";
import { SECRET_NAMES } from "../../api/secret-names";
import type { WireObject } from "../../api/wire";
import type { Change } from "../../core/changes";
import { changesBetween, changesOf } from "../../core/changes";
import { fieldsOf, type Field } from "../../core/field";
import {
  isMap,
  omit,
  pick,
  valueAt,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../../core/property-value";
import { repeatedElements } from "../../core/repetition";
import type { Progress, ResourceDefinition } from "../../core/resource";
import { elementsOf, setDiff } from "../../core/set-diff";
import { isDatapipesError } from "../../errors";
import { scopeOf, type Connection } from "../connection";
import { sendEdit } from "../list-edit";
import { IP_ACCESS_IDENTITY, serviceSettingsSchema } from "./schema";

/** The two lists of which only the declared entries are ours, and the outputs that name the others. */
const LISTS = {
  ipAccessList: "unmanagedIpAccessList",
  privateEndpointIds: "unmanagedPrivateEndpointIds",
} as const;

type ListName = keyof typeof LISTS;

const listNames = Object.keys(LISTS) as ListName[];
const fields = fieldsOf(serviceSettingsSchema, SECRET_NAMES);

/** The life of a service's settings. The API can only change them: what it answers is all that can be read. */
export const serviceSettingsDefinition = (connection: Connection): ResourceDefinition => ({
  type: "ServiceSettings",
  schema: serviceSettingsSchema,
  secretNames: SECRET_NAMES,
  sharesId: true,
  computed: Object.values(LISTS),
  derived: (declared, found) => unmanaged(found, declared),

  rules: (inputs) => [
    ...repeatedElements(inputs, ["ipAccessList"], IP_ACCESS_IDENTITY, "entry"),
    ...repeatedElements(inputs, ["privateEndpointIds"], [], "entry"),
    ...repeatedElements(inputs, ["endpoints"], ["protocol"], "protocol"),
  ],

  async create(inputs, progress) {
    const id = scopeOf(inputs).serviceId;
    const changes = changesOf("update", changesBetween(fields, {}, inputs));
    const found = await settle(connection, { id, news: inputs, observed: {}, changes }, progress);
    return { id, found: found ?? {} };
  },

  // No operation reads a service: what it answered to the last change is all that anybody knows.
  read: (_id, _properties, observed = {}) => Promise.resolve(observed),

  update: (update, progress) => settle(connection, update, progress),

  async delete(id, properties) {
    if (properties["deletionPolicy"] !== "delete") {
      connection.inform(
        `service ${id} stays as it is: the deletionPolicy of its settings is "retain", so nothing was sent to the API.`,
      );
      return;
    }
    const body = Object.fromEntries(
      listNames.flatMap((name) => {
        const remove = elementsOf(properties[name]);
        return remove.length === 0 ? [] : [[name, { remove }]];
      }),
    );
    if (Object.keys(body).length === 0) return;
    try {
      await updateService(connection, properties, body as WireObject);
    } catch (error) {
      if (!isDatapipesError(error) || error.code !== "not-found") throw error;
      connection.inform(`service ${id} is not there any more (404), and its entries are gone with it.`);
    }
  },
});

/**
 * What is still certain after an update whose fate nobody knows. Nothing reads a service, so what was to change is left
 * out, and the next update sends it, also when the program is put back to what it was. Lists are edited, not stated.
 */
const settledPart = (olds: PropertyMap, changes: readonly Change[]): PropertyMap =>
  omit(
    olds,
    changes.map(({ field }) => field.name).filter((name) => !isListName(name)),
  );

interface Settling {
  readonly id: string;
  /** The properties before, if the settings are in the stack already. */
  readonly olds?: PropertyMap;
  readonly news: PropertyMap;
  readonly observed: PropertyMap;
  readonly changes: readonly Change[];
}

/** Sends what changed, and then, where the program wants it, what removes the entries of others. */
async function settle(
  connection: Connection,
  { id, olds, news, observed, changes }: Settling,
  progress: Progress,
): Promise<PropertyMap | undefined> {
  const { inform } = connection;
  let certain = olds && settledPart(olds, changes);
  const send = async (body: WireObject): Promise<PropertyMap> => {
    try {
      const answer = await updateService(connection, news, body);
      progress.reached(id, news, answer);
      return answer;
    } catch (error) {
      if (certain !== undefined && isUncertain(error)) progress.reached(id, certain, observed);
      throw error;
    } finally {
      certain = undefined;
    }
  };
  for (const change of changes) warnOfLostEndpoints(inform, id, change);
  const body = changes.reduce<WireObject>((sofar, change) => ({ ...sofar, ...bodyOf(change, observed) }), {});
  const asks = Object.keys(body).length > 0;
  const exclusive = news["exclusive"] === true;
  // Without an answer nobody knows which entries there are; a change of nothing brings one.
  const learns = exclusive && Object.keys(observed).length === 0;
  const found = asks || learns ? await send(body) : observed;
  if (exclusive) return withoutStrangers(found, news, send);
  if (asks) warnOfStrangers(inform, id, unmanaged(found, news));
  return found;
}

/** Sends one request. Where it is not known whether it was done, an empty update tells: it changes nothing and shows all. */
function updateService(
  connection: Connection,
  properties: PropertyMap,
  plan: WireObject,
): Promise<PropertyMap> {
  const scope = scopeOf(properties);
  const send = async (body: WireObject): Promise<PropertyMap> =>
    withoutNulls(await connection.client().updateService(scope, body)) as PropertyMap;
  return sendEdit(connection, {
    what: `service ${scope.serviceId}`,
    plan,
    body: (body) => body,
    send,
    look: () => send({}),
    rest: restOf,
  });
}

/** What of a body is not true of the service yet. What cannot be seen of it may be sent twice without harm. */
function restOf(body: WireObject, found: PropertyMap): WireObject | undefined {
  const left = Object.entries(body).map(([name, value]): [string, WireObject[string]] => {
    if (isListName(name)) return [name, restOfList(fieldOf(name), value as PropertyMap, found[name])];
    return [name, name === "transparentDataEncryptionKeyId" && found[name] === value ? undefined : value];
  });
  const open = left.filter(([, value]) => value !== undefined);
  return open.length === 0 ? undefined : Object.fromEntries(open);
}

function restOfList(
  field: Field,
  { add, remove }: PropertyMap,
  found: PropertyValue,
): WireObject | undefined {
  const gone = setDiff(field, found, remove).add;
  const lists = {
    add: setDiff(field, found, add).add,
    remove: elementsOf(remove).filter((entry) => !gone.includes(entry)),
  };
  const left = Object.entries(lists).filter(([, list]) => list.length > 0);
  return left.length === 0 ? undefined : (Object.fromEntries(left) as WireObject);
}

/** Removes the entries of others. What was known of them may be old: the answer to the removal may show more of them, once. */
async function withoutStrangers(
  found: PropertyMap,
  declared: PropertyMap,
  send: (body: WireObject) => Promise<PropertyMap>,
): Promise<PropertyMap> {
  const removal = removalOf(unmanaged(found, declared));
  if (removal === undefined) return found;
  const present = await send(removal);
  const more = removalOf(unmanaged(present, declared));
  return more === undefined ? present : send(more);
}

/** What one changed field adds to the body. */
function bodyOf({ field, before, after }: Change, observed: PropertyMap): WireObject {
  const { add, remove } = setDiff(field, before, after);
  if (isListName(field.name)) {
    const spelled = remove.map((entry) => asListed(field, observed[field.name], entry));
    const lists = Object.entries({ add, remove: spelled }).filter(([, list]) => list.length > 0);
    return { [field.name]: Object.fromEntries(lists) } as WireObject;
  }
  if (field.name === "endpoints") return add.length === 0 ? {} : ({ endpoints: add } as WireObject);
  return { [field.name]: after } as WireObject;
}

/** An entry as the service lists it: it may spell it in another way, and removes only what it finds. */
function asListed(field: Field, listed: PropertyValue, entry: PropertyValue): PropertyValue {
  const match = elementsOf(listed).find((candidate) => setDiff(field, [candidate], [entry]).add.length === 0);
  return match === undefined ? entry : ownMembers(match);
}

/** An entry without what the server adds to it. */
const ownMembers = (entry: PropertyValue): PropertyValue =>
  isMap(entry) ? pick(entry, IP_ACCESS_IDENTITY) : entry;

/** An endpoint that is no longer declared, while others are: the list as a whole is still there. */
function warnOfLostEndpoints(inform: (line: string) => void, id: string, change: Change): void {
  if (change.field.name !== "endpoints") return;
  const protocols = (list: PropertyValue) =>
    elementsOf(list).map((element) => valueAt(element, ["protocol"]));
  const present = protocols(change.after);
  const lost = protocols(change.before).filter((protocol) => !present.includes(protocol));
  if (lost.length === 0) return;
  inform(
    `warning: ServiceSettings ${id}: of endpoints, ${lost.map((protocol) => JSON.stringify(protocol)).join(", ")} was removed ` +
      `from the program, but the API has no way to unset it: nothing was sent for it and it stays as it is.`,
  );
}

const isListName = (name: string): name is ListName => name in LISTS;

/** The entries of the two lists that the program does not declare, by the names of the outputs. */
function unmanaged(found: PropertyMap, declared: PropertyMap): PropertyMap {
  const entries = listNames.map(
    (name) => [LISTS[name], strangersOf(name, found[name], declared[name])] as const,
  );
  return Object.fromEntries(entries);
}

const strangersOf = (
  name: ListName,
  found: PropertyValue,
  declared: PropertyValue,
): readonly PropertyValue[] => setDiff(fieldOf(name), declared, found).add;

function removalOf(strangers: PropertyMap): WireObject | undefined {
  const lists = listNames.flatMap((name) => {
    const remove = elementsOf(strangers[LISTS[name]]);
    return remove.length === 0 ? [] : [[name, { remove }] as const];
  });
  return lists.length === 0 ? undefined : (Object.fromEntries(lists) as WireObject);
}

function warnOfStrangers(inform: (line: string) => void, id: string, strangers: PropertyMap): void {
  for (const name of listNames) {
    const entries = elementsOf(strangers[LISTS[name]]);
    if (entries.length === 0) continue;
    const shown = entries.map((entry) => JSON.stringify(isMap(entry) ? entry["source"] : entry)).join(", ");
    inform(
      `warning: service ${id}: ${name} also has entries that the program does not declare: ${shown}. They were left alone; ` +
        `declare them, or set exclusive: true to have them removed.`,
    );
  }
}

function fieldOf(name: ListName): Field {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new TypeError(`the schema has no field ${name}`);
  return field;
}
