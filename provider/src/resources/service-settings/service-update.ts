import type { WireObject } from "../../api/wire";
import { isMap, withoutNulls, type PropertyMap, type PropertyValue } from "../../core/property-value";
import { scopeOf, type ResourceContext } from "../context";
import { sendEdit } from "../recovery/list-edit";
import { addedTo, asListed, isListName, listNames, removedFrom, without, type ListName } from "./entries";

/** What an update of a service sends. */
export interface ServiceUpdate {
  /** The properties that name the service and declare its entries. */
  readonly declared: PropertyMap;
  readonly body: WireObject;
}

/**
 * Changes a service and returns its answer. The service removes only what it lists in exactly that form: where the answer shows
 * that an entry is still there in another form, it is removed in that form, and what stays after that is told.
 */
export async function updateService(context: ResourceContext, update: ServiceUpdate): Promise<PropertyMap> {
  const first = await sendUpdate(context, update);
  const body = removalOf(stillListed(update.body, first));
  if (body === undefined) return first;
  if (!isSentAlready(body, update.body)) {
    const second = await sendUpdate(context, { ...update, body });
    warnOfRemainder(context, update, removalOf(stillListed(body, second)));
    return second;
  }
  warnOfRemainder(context, update, body);
  return first;
}

/** The body that removes the given entries of each list; undefined where there are none. */
export function removalOf(
  entries: Readonly<Record<ListName, readonly PropertyValue[]>>,
): WireObject | undefined {
  const lists = listNames
    .filter((name) => entries[name].length > 0)
    .map((name) => [name, { remove: entries[name] }] as const);
  return lists.length === 0 ? undefined : (Object.fromEntries(lists) as WireObject);
}

/** Applied to the name of each list. */
export const forEachList = <T>(work: (name: ListName) => T): Readonly<Record<ListName, T>> => ({
  ipAccessList: work("ipAccessList"),
  privateEndpointIds: work("privateEndpointIds"),
});

/** Sends one request. Where it is not known whether it was done, an empty update tells: it changes nothing and shows all. */
function sendUpdate(context: ResourceContext, { declared, body }: ServiceUpdate): Promise<PropertyMap> {
  const scope = scopeOf(declared);
  const send = async (plan: WireObject): Promise<PropertyMap> =>
    withoutNulls(await context.client().updateService(scope, plan));
  return sendEdit(context, {
    what: `service ${scope.serviceId}`,
    plan: body,
    body: (plan) => plan,
    send,
    look: () => send({}),
    rest: restOf,
  });
}

/** The entries that a body removes and that the answer still lists, as it lists them. */
const stillListed = (body: PropertyMap, answer: PropertyMap) =>
  forEachList((name) => {
    const removed = removedFrom(name, body);
    const gone = without(name, removed, answer[name]);
    return asListed(name, { [name]: answer[name] }, without(name, removed, gone));
  });

/** Whether all removals of a body were part of another body, letter by letter. */
function isSentAlready(body: PropertyMap, sent: PropertyMap): boolean {
  return listNames.every((name) => {
    const texts = new Set(removedFrom(name, sent).map((entry) => JSON.stringify(entry)));
    return removedFrom(name, body).every((entry) => texts.has(JSON.stringify(entry)));
  });
}

function warnOfRemainder(
  { log }: ResourceContext,
  { declared }: ServiceUpdate,
  remainder: PropertyMap | undefined,
): void {
  if (remainder === undefined) return;
  for (const name of listNames) {
    const entries = removedFrom(name, remainder);
    if (entries.length === 0) continue;
    log(
      `warning: service ${scopeOf(declared).serviceId}: the request to remove ${shown(entries)} from ${name} succeeded, but the ` +
        `answer still lists it. Remove it in the service's console.`,
    );
  }
}

/** Entries of a list, as a line names them. */
export const shown = (entries: readonly PropertyValue[]): string =>
  entries.map((entry) => JSON.stringify(isMap(entry) ? entry["source"] : entry)).join(", ");

/** What of a body is not true of the service yet. What cannot be seen of it may be sent twice without harm. */
function restOf(body: WireObject, current: PropertyMap): WireObject | undefined {
  const left = Object.entries(body).map(([name, value]): [string, WireObject[string]] => {
    if (isListName(name)) return [name, restOfList(name, body, current)];
    return [name, name === "transparentDataEncryptionKeyId" && current[name] === value ? undefined : value];
  });
  const open = left.filter(([, value]) => value !== undefined);
  return open.length === 0 ? undefined : Object.fromEntries(open);
}

/** An entry that the service may have rewritten is added again: it may as well be one that another client has just added. */
function restOfList(list: ListName, body: WireObject, current: PropertyMap): WireObject | undefined {
  const lists = {
    add: without(list, addedTo(list, body), current[list]),
    remove: stillListed({ [list]: body[list] }, current)[list],
  };
  const left = Object.entries(lists).filter(([, entries]) => entries.length > 0);
  return left.length === 0 ? undefined : (Object.fromEntries(left) as WireObject);
}
