import type { Progress } from "../../core/lifecycle";
import { withoutNulls, type PropertyMap } from "../../core/property-value";
import { isDatapipesError } from "../../errors";
import { scopeOf, type ResourceContext } from "../context";
import { isOutcomeUnknown } from "../recovery/outcome";
import { sendUpdate } from "../recovery/send-update";
import { compare, isUnknown, listNames, withRewritten, type Entry } from "./entries";
import * as plan from "./plan";

/** Sends one patch, saves the state after it and returns the answer. */
type Send = (patch: plan.ServicePatch, before: PropertyMap) => Promise<PropertyMap>;

/** Sends the changes and then, for exclusive settings, removes the unmanaged entries. */
export async function applySettings(
  context: ResourceContext,
  update: plan.SettingsUpdate,
  progress: Progress,
): Promise<PropertyMap> {
  const { news, lastRead } = update;
  const { exclusive = false } = news;
  const patch = plan.patchOf(update);
  if (patch === undefined && !exclusive) return lastRead;
  const send = sender(context, update, progress);
  let current = lastRead;
  if (exclusive && patch !== undefined && plan.needsLists(patch, current))
    current = await updateService(context, news, {});
  // An empty update changes nothing, and its answer shows the unmanaged entries.
  if (patch !== undefined || isUnknown(current)) current = await send(patch ?? {}, current);
  if (exclusive) current = await removeUnmanaged(current, news, send);
  warnOfEntries(context, update, current);
  return current;
}

/** Saves each answer; or what is certain if the outcome of the first request is unknown. */
function sender(context: ResourceContext, update: plan.SettingsUpdate, progress: Progress): Send {
  const { id, olds, news, lastRead, changes } = update;
  let certain = olds && plan.certainOf(olds, changes);
  return async (patch, before) => {
    try {
      const answer = await updateService(context, news, patch);
      const current = withRewritten(answer, { before, patch, declared: news });
      progress.checkpoint(id, news, current);
      return current;
    } catch (error) {
      if (certain !== undefined && isOutcomeUnknown(error)) progress.checkpoint(id, certain, lastRead);
      throw error;
    } finally {
      certain = undefined;
    }
  };
}

/** The known answer may be old: the answer to the removal may show more unmanaged entries, and a second request removes them. */
async function removeUnmanaged(
  current: PropertyMap,
  declared: PropertyMap,
  send: Send,
): Promise<PropertyMap> {
  const removal = plan.removalOfUnmanaged(declared, current);
  if (removal === undefined) return current;
  const answer = await send(removal, current);
  const more = plan.removalOfUnmanaged(declared, answer, removal);
  return more === undefined ? answer : send(more, answer);
}

/** Removes entries, unless the service does not exist. */
export async function removeEntries(
  context: ResourceContext,
  id: string,
  properties: PropertyMap,
  removal: plan.ServicePatch,
): Promise<void> {
  try {
    await updateService(context, properties, removal);
  } catch (error) {
    if (!isDatapipesError(error) || error.code !== "not-found") throw error;
    context.log(`service ${id} no longer exists (404), so its entries no longer exist either.`);
  }
}

/**
 * Sends a patch and returns the answer. A service removes only exact matches: a second request removes what the answer still lists in
 * another spelling.
 */
async function updateService(
  context: ResourceContext,
  properties: PropertyMap,
  patch: plan.ServicePatch,
): Promise<PropertyMap> {
  const answer = await sendPatch(context, properties, patch);
  const removal = plan.repeatedRemoval(patch, answer);
  if (removal === undefined) return answer;
  if (plan.removesExactly(patch, removal)) {
    warnOfRemainder(context, properties, removal);
    return answer;
  }
  const second = await sendPatch(context, properties, removal);
  warnOfRemainder(context, properties, plan.repeatedRemoval(removal, second));
  return second;
}

/** Sends one request. When its outcome is unknown, an empty update shows the service, and the next request has the remainder. */
function sendPatch(
  context: ResourceContext,
  properties: PropertyMap,
  patch: plan.ServicePatch,
): Promise<PropertyMap> {
  const scope = scopeOf(properties);
  const send = async (body: plan.ServicePatch): Promise<PropertyMap> =>
    withoutNulls(await context.client().updateService(scope, body));
  return sendUpdate(context, {
    what: `service ${scope.serviceId}`,
    patch,
    bodyOf: (part) => part,
    send,
    read: () => send({}),
    remainderOf: plan.remainderOf,
  });
}

function warnOfRemainder(
  { warn }: ResourceContext,
  properties: PropertyMap,
  remainder: plan.ServicePatch = {},
): void {
  for (const list of listNames) {
    const entries = plan.removed(remainder, list);
    if (entries.length > 0)
      warn(
        `service ${scopeOf(properties).serviceId}: the request to remove ${shown(entries)} from ${list} succeeded, but the ` +
          `response still lists it. Remove it in the service's console.`,
      );
  }
}

function warnOfEntries(
  { warn }: ResourceContext,
  { id, news }: plan.SettingsUpdate,
  current: PropertyMap,
): void {
  for (const list of listNames) {
    const { unmanaged, missing, ambiguous } = compare(list, news, current);
    if (unmanaged.length > 0 && news.exclusive !== true)
      warn(
        `service ${id}: ${list} also has entries that the program does not declare: ${shown(unmanaged)}. The provider did ` +
          `not change them; declare those that this program should manage.`,
      );
    if (ambiguous.length > 0)
      warn(
        `service ${id}: ${list} does not list ${shown(missing)}, but lists ${shown(ambiguous)}, which may be the same in another ` +
          `spelling. The provider did not change it. Declare the entry in the spelling of the service.`,
      );
  }
}

const shown = (entries: readonly Entry[]): string =>
  entries.map((entry) => JSON.stringify(typeof entry === "string" ? entry : entry.source)).join(", ");
