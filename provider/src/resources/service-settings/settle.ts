import { isUncertain } from "../recovery/uncertain";
import type { WireObject } from "../../api/wire";
import type { Change } from "../../core/changes";
import { omit, type PropertyMap, type PropertyValue } from "../../core/property-value";
import type { Progress } from "../../core/lifecycle";
import { setDiff } from "../../core/set-diff";
import type { ResourceContext } from "../context";
import {
  addsWords,
  asListed,
  compare,
  isListName,
  isUnknown,
  listNames,
  ownMembers,
  removedFrom,
  withRewritten,
  without,
  type ListName,
} from "./entries";
import { forEachList, removalOf, shown, updateService } from "./service-update";

/** A change of the settings of a service. */
export interface Settling {
  readonly id: string;
  /** The properties before, if the settings are in the stack already. */
  readonly olds?: PropertyMap;
  readonly news: PropertyMap;
  readonly observed: PropertyMap;
  readonly changes: readonly Change[];
}

/** Sends one request and notes what is true after it. */
type Send = (body: WireObject, before: PropertyMap) => Promise<PropertyMap>;

/** Sends what changed, and then, where the program wants it, what removes the entries of others. */
export async function settle(
  context: ResourceContext,
  settling: Settling,
  progress: Progress,
): Promise<PropertyMap | undefined> {
  const { id, news, changes } = settling;
  const send = sender(context, settling, progress);
  const exclusive = news["exclusive"] === true;
  const body = bodyOf(changes, settling.observed);
  const asks = Object.keys(body).length > 0;
  let current = settling.observed;
  // Without a list of before, an entry of ours that the service writes with another word would count as somebody else's.
  if (exclusive && asks && isUnknown(current) && addsWords(body))
    current = await updateService(context, { declared: news, body: {} });
  // Without an answer nobody knows which entries there are; a change of nothing brings one.
  if (asks || (exclusive && isUnknown(current))) current = await send(body, current);
  if (exclusive) current = await withoutOthers(current, news, send);
  else if (asks) warnOfUnmanaged(context, id, current, news);
  if (asks || exclusive) warnOfDoubt(context, id, current, news);
  return current;
}

function sender(
  context: ResourceContext,
  { id, olds, news, observed, changes }: Settling,
  progress: Progress,
): Send {
  let certain = olds && settledPart(olds, changes);
  return async (body, before) => {
    try {
      const answer = await updateService(context, { declared: news, body });
      const current = withRewritten(answer, { before, body, declared: news });
      progress.checkpoint(id, news, current);
      return current;
    } catch (error) {
      if (certain !== undefined && isUncertain(error)) progress.checkpoint(id, certain, observed);
      throw error;
    } finally {
      certain = undefined;
    }
  };
}

/**
 * What is still certain after an update whose fate nobody knows. Nothing reads a service, so what was to change is left
 * out, and the next update sends it, also when the program is put back to what it was. Lists are edited, not stated.
 */
const settledPart = (olds: PropertyMap, changes: readonly Change[]): PropertyMap =>
  omit(
    olds,
    changes.map(({ field }) => field.name).filter((name) => !isListName(name)),
  );

/** What the changed fields make of the body. */
const bodyOf = (changes: readonly Change[], observed: PropertyMap): WireObject =>
  changes.reduce<WireObject>((body, change) => ({ ...body, ...membersOf(change, observed) }), {});

function membersOf({ field, before, after }: Change, observed: PropertyMap): WireObject {
  const { name } = field;
  if (isListName(name)) return listMember(name, before, after, observed);
  if (name !== "endpoints") return { [name]: after } as WireObject;
  const { add } = setDiff(field, before, after);
  return add.length === 0 ? {} : ({ endpoints: add } as WireObject);
}

function listMember(
  name: ListName,
  before: PropertyValue,
  after: PropertyValue,
  observed: PropertyMap,
): WireObject {
  const remove = asListed(name, observed, without(name, before, after));
  const lists = Object.entries({ add: without(name, after, before), remove }).filter(
    ([, list]) => list.length > 0,
  );
  return lists.length === 0 ? {} : ({ [name]: Object.fromEntries(lists) } as WireObject);
}

/** Removes the entries of others. What was known of them may be old: the answer to the removal may show more of them, once. */
async function withoutOthers(current: PropertyMap, declared: PropertyMap, send: Send): Promise<PropertyMap> {
  const others = (answer: PropertyMap) =>
    forEachList((name) => compare(name, answer, declared).unmanaged.map(ownMembers));
  const removal = removalOf(others(current));
  if (removal === undefined) return current;
  const present = await send(removal, current);
  const late = others(present);
  const more = removalOf(forEachList((name) => without(name, late[name], removedFrom(name, removal))));
  return more === undefined ? present : send(more, present);
}

function warnOfUnmanaged(
  { log }: ResourceContext,
  id: string,
  current: PropertyMap,
  declared: PropertyMap,
): void {
  for (const name of listNames) {
    const { unmanaged } = compare(name, current, declared);
    if (unmanaged.length === 0) continue;
    log(
      `warning: service ${id}: ${name} also has entries that the program does not declare: ${shown(unmanaged)}. They were left ` +
        `alone; declare those that this program should manage.`,
    );
  }
}

function warnOfDoubt(
  { log }: ResourceContext,
  id: string,
  current: PropertyMap,
  declared: PropertyMap,
): void {
  for (const name of listNames) {
    const { missing, doubtful } = compare(name, current, declared);
    if (doubtful.length === 0) continue;
    log(
      `warning: service ${id}: ${name} does not list ${shown(missing)}, but ${shown(doubtful)}, which may be the same in the ` +
        `service's spelling and was left alone. Declare what the program means as the service lists it.`,
    );
  }
}
