import type { WireObject } from "../../api/wire";
import type { Change } from "../../core/changes";
import {
  isList,
  isMap,
  pick,
  valueAt,
  withoutNulls,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../core/property-value";
import type { Progress, Update } from "../../core/lifecycle";
import { isDatapipesError } from "../../errors";
import { elementsOf } from "../../core/set-diff";
import { scopeOf, type ResourceContext } from "../context";
import { sendEdit, whenFree } from "../recovery/list-edit";
import { observed } from "./observed";
import { nameOf } from "../recovery/presence";
import { MAPPING_IDENTITY, type PipeInputs } from "./schema";
import { mappingSteps, type MappingSteps } from "./table-mappings";

const TABLE_MAPPINGS = "source.postgres.tableMappings";

/** What one request is to do. */
interface Plan {
  /** The changed fields that name what is to be in the end. */
  readonly fields: PropertyMap;
  readonly add: readonly PropertyMap[];
  readonly remove: readonly PropertyMap[];
}

/** Sends what changed, in as few requests as the API allows; undefined when there was nothing to send. */
export async function updatePipe(
  context: ResourceContext,
  update: Update<PipeInputs>,
  progress: Progress,
): Promise<PropertyMap | undefined> {
  const { id, news } = update;
  const mappings = update.changes.find((change) => change.path === TABLE_MAPPINGS);
  const steps = mappings && mappingSteps(mappings.field, mappings.before, mappings.after);
  const plans = plansOf(update, steps).filter((plan) => bodyOf(update, plan) !== undefined);
  let found: PropertyMap | undefined;
  for (const [index, plan] of plans.entries()) {
    const sent = (): Promise<PropertyMap> => send(context, update, plan);
    found = await (index === 0 ? sent() : whenFree(context, sent));
    const complete = index === plans.length - 1;
    // Between the two requests, the mappings that wait are not there: the state must say so.
    progress.checkpoint(id, complete || steps === undefined ? news : withoutWaiting(news, steps), found);
  }
  const carriesSettings = update.changes.some(({ path }) => path.startsWith("settings."));
  return found !== undefined && carriesSettings ? withActualSettings(context, update, found) : found;
}

/** All changed fields, with the removals of table mappings and those additions that can travel with them; then the others. */
function plansOf(update: Update<PipeInputs>, steps: MappingSteps | undefined): readonly Plan[] {
  const plain = update.changes.filter((change) => change.path !== TABLE_MAPPINGS);
  const fields = withCredentials(update, withColumns(update, plain.reduce(carry, {})));
  const first = { fields, add: steps?.add ?? [], remove: steps?.remove ?? [] };
  return [first, { fields: {}, add: steps?.addLater ?? [], remove: [] }];
}

function send(context: ResourceContext, update: Update<PipeInputs>, plan: Plan): Promise<PropertyMap> {
  const { client } = context;
  const { id, news } = update;
  // What an answer leaves out is as it was, but for what was sent.
  const expected = update.changes.reduce(carry, update.lastRead);
  return sendEdit(context, {
    what: nameOf(id, news),
    plan,
    body: (part) => bodyOf(update, part) as WireObject,
    send: async (body) => observed(await client().updatePipe(scopeOf(news), id, body, news.name), expected),
    look: async () => {
      const pipe = await client().pollPipe(scopeOf(news), id);
      return pipe && observed(pipe, update.lastRead);
    },
    rest: (part, found) => {
      const left = restOf(part, found);
      return bodyOf(update, left) && left;
    },
  });
}

/** What of the table mappings is not there yet, or not gone yet. The fields may be sent twice without harm. */
function restOf({ fields, add, remove }: Plan, found: PropertyMap): Plan {
  const present = new Set(elementsOf(valueAt(found, TABLE_MAPPINGS.split("."))).map(identityOf));
  return {
    fields,
    add: add.filter((mapping) => !present.has(identityOf(mapping))),
    remove: remove.filter((mapping) => present.has(identityOf(mapping))),
  };
}

const identityOf = (mapping: PropertyValue): string =>
  JSON.stringify(MAPPING_IDENTITY.map((name) => valueAt(mapping, [name])));

/**
 * The pipe with the settings that it really has: some services accept settings and do nothing with them, and only
 * `getPipeSettings` tells.
 */
async function withActualSettings(
  { client, warn }: ResourceContext,
  { id, news }: Update<PipeInputs>,
  found: PropertyMap,
): Promise<PropertyMap> {
  try {
    const settings = await client().getPipeSettings(scopeOf(news), id);
    return settings === undefined ? found : { ...found, settings: withoutNulls(settings) };
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    warn(`pipe ${id}: its settings were sent, but could not be read back (${error.reason}).`);
    return found;
  }
}

/** The body of one request; undefined when it would ask for nothing. */
const bodyOf = (update: Update<PipeInputs>, { fields, add, remove }: Plan): PropertyMap | undefined =>
  accompanied(
    update,
    Object.entries({ tableMappingsToAdd: add, tableMappingsToRemove: remove })
      .filter(([, list]) => list.length > 0)
      .reduce((body, [name, list]) => withValueAt(body, ["source", "postgres", name], list), fields),
  );

/** Services test the connection before they take it, and the API never returns what they need for that. */
const CONNECTION_FIELDS = ["host", "port", "database"].map((name) => `source.postgres.${name}`);

function withCredentials({ news, changes }: Update<PipeInputs>, body: PropertyMap): PropertyMap {
  const { credentials } = news.source.postgres ?? {};
  if (credentials === undefined || !changes.some(({ path }) => CONNECTION_FIELDS.includes(path))) return body;
  return withValueAt(body, ["source", "postgres", "credentials"], credentials);
}

const carry = (body: PropertyMap, { field, after }: Change): PropertyMap =>
  withValueAt(body, field.path, after);

/** The API takes field mappings only together with the destination's columns. */
function withColumns({ news, lastRead: before }: Update<PipeInputs>, body: PropertyMap): PropertyMap {
  const columns = ["destination", "columns"];
  if (!("fieldMappings" in body) || valueAt(body, columns) !== undefined) return body;
  const known: PropertyValue = news.destination?.columns ?? valueAt(before, columns);
  if (!isList(known)) return body;
  // The server may have more to say of a column than the update operation takes.
  const sent = known.filter(isMap).map((column) => pick(column, ["name", "type"]));
  return withValueAt(body, columns, sent);
}

/** Nothing to send, or the body with what accompanies every update. */
function accompanied({ news }: Update<PipeInputs>, body: PropertyMap): PropertyMap | undefined {
  if (Object.keys(body).length === 0) return undefined;
  const { validateSamples } = news.source;
  return validateSamples === undefined
    ? body
    : withValueAt(body, ["source", "validateSamples"], validateSamples);
}

function withoutWaiting(news: PipeInputs, { addLater }: MappingSteps): PropertyMap {
  const present = news.source.postgres?.tableMappings?.filter((mapping) => !addLater.includes(mapping));
  return withValueAt(news, TABLE_MAPPINGS.split("."), present);
}
