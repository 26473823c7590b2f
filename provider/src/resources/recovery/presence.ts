import { idsOf } from "./create-errors";
import { findPipeAndDoubles } from "./likeness";
import type { Identified, WireObject } from "../../api/wire";
import { isMap, type PropertyMap } from "../../core/property-value";
import { isDatapipesError } from "../../errors";
import { scopeOf, type ResourceContext } from "../context";
import { observed } from "../pipe/observed";

/**
 * How long before each further look at the list, in milliseconds. A list may lag behind what was made or deleted, or come
 * from a copy that lacks something: one look proves nothing, and who believes it makes a second pipe.
 */
const LOOK_AGAIN_MS = [1_000, 2_000, 4_000];

/** The pipe as it is now; undefined when it is gone for certain. What the last answer left out is as it was before. */
export async function presentPipe(
  context: ResourceContext,
  id: string,
  properties: PropertyMap,
  before: PropertyMap | undefined,
): Promise<PropertyMap | undefined> {
  const { pipe, doubles } = await findPipeAndDoubles(
    context.client(),
    scopeOf(properties),
    id,
    properties as WireObject,
  );
  if (pipe !== undefined) {
    if (doubles.length > 0) context.warn(warningOfDoubles(nameOf(id, properties), doubles));
    return observed(pipe, before);
  }
  // Nobody has ever seen it: it is only asked for.
  if (before === undefined) return undefined;
  context.log(`${nameOf(id, properties)} is not in the list: looking again before it counts as gone.`);
  const late = await lookAgain(context, id, properties, (found) => found !== undefined);
  if (late !== undefined) return observed(late, before);
  if (!(await hasSettings(context, id, properties))) return undefined;
  context.warn(
    `${nameOf(id, properties)} is not in the list, but its settings can be read: the list is not complete. The pipe ` +
      `stays in the stack as it was.`,
  );
  return before;
}

/**
 * Whether a pipe of which the API says that it is not there (404) is really gone: after the same looks as a refresh takes, the last
 * two of them without it, and without settings of it; or the service itself is gone. One answer may lack what exists.
 */
export async function isGone(
  context: ResourceContext,
  id: string,
  properties: PropertyMap,
): Promise<boolean> {
  const { client, clock } = context;
  const scope = scopeOf(properties);
  let missing = 0;
  try {
    for (const delay of [0, ...LOOK_AGAIN_MS]) {
      await clock.sleep(delay);
      missing = (await client().pollPipe(scope, id)) === undefined ? missing + 1 : 0;
    }
  } catch (error) {
    if (!isDatapipesError(error) || error.code !== "not-found") throw error;
    context.log(
      `service ${scope.serviceId} is not there any more (404), and ${nameOf(id, properties)} is gone with it.`,
    );
    return true;
  }
  return missing >= 2 && !(await hasSettings(context, id, properties));
}

/** Looks until the pipe is as it is expected, or the time is over. */
async function lookAgain(
  { client, clock }: ResourceContext,
  id: string,
  properties: PropertyMap,
  isExpected: (found: Identified | undefined) => boolean,
): Promise<Identified | undefined> {
  let found: Identified | undefined;
  for (const delay of LOOK_AGAIN_MS) {
    await clock.sleep(delay);
    found = await client().pollPipe(scopeOf(properties), id);
    if (isExpected(found)) break;
  }
  return found;
}

/** A pipe that is gone has no settings. Those of postgres never have any, which says nothing. */
async function hasSettings(
  { client }: ResourceContext,
  id: string,
  properties: PropertyMap,
): Promise<boolean> {
  const { source } = properties;
  if (isMap(source) && source["postgres"] !== undefined) return false;
  try {
    return (await client().getPipeSettings(scopeOf(properties), id)) !== undefined;
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    return false;
  }
}

/** A gateway that sends a request twice tells nobody. */
const warningOfDoubles = (pipe: string, doubles: readonly Identified[]): string =>
  `${pipe} may be in the service twice: ${idsOf(doubles)} has the same name, source and table and was created at about ` +
  `the same time. If both run, the data is loaded twice. Unless this stack declares it too, remove it in the service's console.`;

/** What a person calls a pipe. */
export const nameOf = (id: string, { name }: PropertyMap): string => `pipe ${JSON.stringify(name)} (${id})`;
