import type { Progress } from "../../lifecycle/lifecycle";
import { withoutNulls, type PropertyMap } from "../../lifecycle/property-value";
import { isDatapipesError, saysNotFound } from "../../messages/errors";
import { scopeOf, type ResourceContext } from "../context";
import { isOutcomeUnknown } from "../outcome";
import { sendUpdate } from "../send-update";
import {
  asFinished,
  asUnfinished,
  compare,
  isUnfinished,
  isUnknown,
  listNames,
  listText,
  withRewritten,
} from "./entries";
import * as plan from "./plan";

/** What is known of the requests of a patch. */
interface Effect {
  /** Whether one of them may have changed the service. */
  mayHaveChanged: boolean;
}

/** Sends one patch, saves the state after it and returns the answer. */
type Send = (patch: plan.ServicePatch, before: PropertyMap) => Promise<PropertyMap>;

/** Sends the changes and then, for exclusive settings, removes the unmanaged entries. */
export async function applySettings(
  context: ResourceContext,
  update: plan.SettingsUpdate,
  progress: Progress,
): Promise<PropertyMap> {
  const { inputs, lastRead } = update;
  const { exclusive = false } = inputs;
  const changes = plan.patchOf(update);
  if (changes === undefined && !exclusive && !isUnfinished(lastRead)) return lastRead;
  const send = sender(context, update, progress);
  const prepared = await prepare(context, update, changes);
  const { patch } = prepared;
  let { current } = prepared;
  // An empty update changes nothing, and its answer shows the unmanaged entries.
  if (patch !== undefined || isUnknown(current)) current = await send(patch ?? {}, current);
  if (exclusive) current = await removeUnmanaged(current, inputs, send);
  warnOfEntries(context, update, current);
  return current;
}

interface Prepared {
  readonly patch: plan.ServicePatch | undefined;
  /** The answer before the patch. */
  readonly current: PropertyMap;
}

/** Reads the lists with an empty update, if they decide what to send. */
async function prepare(
  context: ResourceContext,
  { inputs, lastRead }: plan.SettingsUpdate,
  patch: plan.ServicePatch | undefined,
): Promise<Prepared> {
  const before = asFinished(lastRead);
  if (isUnfinished(lastRead)) {
    const answer = await readUnlessRefused(context, inputs);
    if (answer === undefined) return { patch, current: before };
    const remainder = patch === undefined ? undefined : plan.remainderOf(patch, answer);
    // Compared with the answer before the failed update, the next one shows how the service spells what that has added.
    if (remainder !== undefined) return { patch: remainder, current: isUnknown(before) ? answer : before };
    return {
      patch: undefined,
      current: withRewritten(answer, { before, patch: patch ?? {}, declared: inputs }),
    };
  }
  const isRead = patch !== undefined && inputs.exclusive === true && plan.needsLists(patch, before);
  return { patch, current: isRead ? await updateService(context, inputs, {}) : before };
}

/** Reads the lists; undefined if the service refuses an empty update, of which the API document says nothing. */
async function readUnlessRefused(
  context: ResourceContext,
  properties: PropertyMap,
): Promise<PropertyMap | undefined> {
  try {
    return await updateService(context, properties, {});
  } catch (error) {
    if (isOutcomeUnknown(error)) throw error;
    return undefined;
  }
}

/** Saves each answer; or what the service may have, if the first requests fail and may have changed it. */
function sender(context: ResourceContext, update: plan.SettingsUpdate, progress: Progress): Send {
  const { id, inputs } = update;
  const save = (declared: PropertyMap, observed: PropertyMap): void => {
    progress.checkpoint(id, declared, inputs.exclusive === true ? asUnfinished(observed) : observed);
  };
  let isFirst = true;
  return async (patch, before) => {
    const effect: Effect = { mayHaveChanged: false };
    try {
      const answer = await updateService(context, inputs, patch, effect);
      const current = withRewritten(answer, { before, patch, declared: inputs });
      save(inputs, current);
      return current;
    } catch (error) {
      if (isFirst && effect.mayHaveChanged) {
        const { declared, observed } = plan.recordOf(update);
        save(declared, observed);
      }
      throw error;
    } finally {
      isFirst = false;
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
    if (!isDatapipesError(error) || !saysNotFound(error)) throw error;
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
  effect?: Effect,
): Promise<PropertyMap> {
  const answer = await sendPatch(context, properties, patch, effect);
  const removal = plan.repeatedRemoval(patch, answer);
  if (removal === undefined) return answer;
  if (plan.removesExactly(patch, removal)) {
    warnOfRemainder(context, properties, removal);
    return answer;
  }
  const second = await sendPatch(context, properties, removal, effect);
  warnOfRemainder(context, properties, plan.repeatedRemoval(removal, second));
  return second;
}

/** Sends one request. When its outcome is unknown, an empty update shows the service, and the next request has the remainder. */
function sendPatch(
  context: ResourceContext,
  properties: PropertyMap,
  patch: plan.ServicePatch,
  effect: Effect = { mayHaveChanged: false },
): Promise<PropertyMap> {
  const scope = scopeOf(properties);
  const send = async (body: plan.ServicePatch): Promise<PropertyMap> => {
    let attempts = 0;
    const sent = (): void => void (attempts += 1);
    let isRefused = false;
    try {
      return withoutNulls(await context.client().updateService(scope, body, sent));
    } catch (error) {
      isRefused = attempts < 2 && !isOutcomeUnknown(error);
      throw error;
    } finally {
      effect.mayHaveChanged ||= !isRefused && Object.keys(body).length > 0;
    }
  };
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
        `service ${scopeOf(properties).serviceId}: the request to remove ${listText(entries)} from ${list} succeeded, but the ` +
          `response still lists it. Remove it in the service's console.`,
      );
  }
}

function warnOfEntries(
  { warn }: ResourceContext,
  { id, inputs }: plan.SettingsUpdate,
  current: PropertyMap,
): void {
  for (const list of listNames) {
    const { unmanaged, missing, ambiguous } = compare(list, inputs, current);
    if (unmanaged.length > 0 && inputs.exclusive !== true)
      warn(
        `service ${id}: ${list} also has entries that the program does not declare: ${listText(unmanaged)}. The provider did ` +
          `not change them; declare those that this program should manage.`,
      );
    if (ambiguous.length > 0)
      warn(
        `service ${id}: ${list} does not list ${listText(missing)}, but lists ${listText(ambiguous)}, which may be the same in another ` +
          `spelling. The provider did not change it. Declare the entry in the spelling of the service.`,
      );
  }
}
