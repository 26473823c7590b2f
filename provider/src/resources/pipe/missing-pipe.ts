import { valueAt, type PropertyMap } from "../../lifecycle/property-value";
import type { ServiceScope } from "../../settings/settings";
import { LIST_READS } from "../../api/http/repetition";
import { pipeFromWire, type Identified } from "../../api/document/wire";
import { isDatapipesError, saysNotFound, type DatapipesErrorCode } from "../../messages/errors";
import { idKey } from "../../values/uuid";
import { scopeOf, type ResourceContext } from "../context";
import { nameOf, observed, type ObservedPipe } from "./observed";
import { LookedUpPipes, mayBeUnlisted } from "./list-lag";
import { listedBeside, namesOf } from "./second-pipe";
import { mayLoad } from "./states";
import { isTransient } from "../outcome";

const { delaysMs: REREAD_DELAYS_MS, laterMs: LATER_DELAYS_MS } = LIST_READS.missing;

/** The pipe as it is now; undefined when it is certainly gone. Parts that the answer leaves out are as they were before. */
export async function readPipe(
  context: ResourceContext,
  id: string,
  properties: ObservedPipe,
  lastRead: PropertyMap | undefined,
): Promise<PropertyMap | undefined> {
  const scope = scopeOf(properties);
  const name = nameOf(id, properties);
  const pipes = await context.client().cachedPipes(scope);
  const listed = pipes.get(idKey(id));
  const lookedUp = LookedUpPipes.of(context.client(), scope);
  lookedUp.add(idKey(id), listed !== undefined);
  if (listed !== undefined) {
    // A read by id reads what others manage.
    if (lastRead !== undefined) warnOfListed(context, id, { properties, listed, pipes });
    return observed(pipeFromWire(listed), lastRead);
  }
  // A read by id of a pipe that no earlier answer had.
  if (lastRead === undefined) return undefined;
  context.log(
    `${name} is not in the list. The provider reads the list again before it treats the pipe as deleted.`,
  );
  const mayBeIncomplete = (): boolean =>
    mayBeUnlisted(context, lastRead) || lookedUp.warnIfMostAreMissing(context, scope);
  for await (const pipe of polls(context, scope, id, REREAD_DELAYS_MS, mayBeIncomplete)) {
    if (pipe === undefined) continue;
    lookedUp.add(idKey(id), true);
    return observed(pipe, lastRead);
  }
  lookedUp.isConfirmed ||= mayBeIncomplete();
  if (!(await hasSettings(context, id, properties))) return undefined;
  context.warn(
    `${name} is not in the list, but the API returns its settings: the list is incomplete. The pipe stays in the stack, unchanged.`,
  );
  return lastRead;
}

interface Listed {
  readonly properties: ObservedPipe;
  readonly listed: Identified;
  readonly pipes: ReadonlyMap<string, Identified>;
}

/** Warns of a managed pipe that has failed, and of a second pipe that loads the same. Neither is a difference. */
function warnOfListed({ warn, warnedStates }: ResourceContext, id: string, read: Listed): void {
  const { properties, listed, pipes } = read;
  const { state } = listed as ObservedPipe;
  const name = nameOf(id, properties);
  if (typeof state === "string" && warnedStates.includes(state))
    warn(
      `${name} has the state ${state}: it may load nothing. Check in the service's console why; the provider cannot start a pipe.`,
    );
  const others = mayLoad(state) ? listedBeside(listed, properties, pipes) : [];
  if (others.length > 0)
    warn(
      `${name} reads the same source into the same table as ${namesOf(others)}: the data is loaded twice. If neither this stack nor another ` +
        `client manages that one, delete it in the service's console.`,
    );
}

/** What each further list has of the pipe; the later ones are read only while the list may be incomplete. */
async function* polls(
  { client, clock }: ResourceContext,
  scope: ServiceScope,
  id: string,
  delays: readonly number[],
  mayBeIncomplete: () => boolean,
): AsyncGenerator<Identified | undefined> {
  for (const [index, delay] of [...delays, ...LATER_DELAYS_MS].entries()) {
    if (index >= delays.length && !mayBeIncomplete()) return;
    await clock.sleep(delay);
    yield client().pollPipe(scope, id);
  }
}

/**
 * Whether a pipe whose deletion is refused is gone: the last two of several lists lack it, and it has no settings; or the service
 * itself is gone. After another refusal than 404, one list with the pipe is enough.
 */
export async function isGone(
  context: ResourceContext,
  id: string,
  properties: ObservedPipe,
  refusal: DatapipesErrorCode,
): Promise<boolean> {
  const scope = scopeOf(properties);
  const delays = [0, ...REREAD_DELAYS_MS];
  let missing = 0;
  try {
    for await (const pipe of polls(context, scope, id, delays, () => mayBeUnlisted(context, properties))) {
      missing = pipe === undefined ? missing + 1 : 0;
      if (missing === 0 && refusal !== "not-found") return false;
    }
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    if (refusal !== "not-found") return false;
    if (!saysNotFound(error)) throw error;
    context.log(
      `service ${scope.serviceId} no longer exists (404), so ${nameOf(id, properties)} no longer exists either.`,
    );
    return true;
  }
  return missing >= 2 && !(await mayHaveSettings(context, id, properties));
}

/** Settings that cannot be read are no proof that the pipe is gone. */
async function mayHaveSettings(
  context: ResourceContext,
  id: string,
  properties: ObservedPipe,
): Promise<boolean> {
  try {
    return await hasSettings(context, id, properties);
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    return true;
  }
}

/** Whether the API returns settings of the pipe, which those of postgres never have. Throws if it cannot say. */
async function hasSettings(
  { client }: ResourceContext,
  id: string,
  properties: ObservedPipe,
): Promise<boolean> {
  if (valueAt(properties.source, ["postgres"]) !== undefined) return false;
  try {
    return (await client().getPipeSettings(scopeOf(properties), id)) !== undefined;
  } catch (error) {
    if (!isDatapipesError(error) || isTransient(error) || error.answer.isPage === true) throw error;
    return false;
  }
}
