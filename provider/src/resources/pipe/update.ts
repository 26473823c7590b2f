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
} from "../../core/property-value";
import type { Progress, Update } from "../../core/resource";
import { isDatapipesError } from "../../errors";
import { scopeOf, type Connection } from "../connection";
import { observed } from "./observed";
import { mappingSteps, type MappingSteps } from "./table-mappings";

const TABLE_MAPPINGS = "source.postgres.tableMappings";
const VALIDATE_SAMPLES = ["source", "validateSamples"];

/** Sends what changed, in as few requests as the API allows; undefined when there was nothing to send. */
export async function updatePipe(
  connection: Connection,
  update: Update,
  progress: Progress,
): Promise<PropertyMap | undefined> {
  const { id, news } = update;
  const mappings = update.changes.find((change) => change.path === TABLE_MAPPINGS);
  const steps = mappings && mappingSteps(mappings.field, mappings.before, mappings.after);
  const bodies = [firstBody(update, steps), laterBody(update, steps)].filter((body) => body !== undefined);
  let found: PropertyMap | undefined;
  for (const [index, body] of bodies.entries()) {
    found = observed(await connection.client().updatePipe(scopeOf(news), id, body as WireObject));
    const complete = index === bodies.length - 1;
    // Between the two requests, the mappings that wait are not there: the state must say so.
    progress.reached(id, complete || steps === undefined ? news : withoutWaiting(news, steps), found);
  }
  const carriesSettings = update.changes.some(({ path }) => path.startsWith("settings."));
  return found !== undefined && carriesSettings ? withActualSettings(connection, update, found) : found;
}

/**
 * The pipe with the settings that it really has: some services accept settings and do nothing with them, and only
 * operation 4 tells.
 */
async function withActualSettings(
  { client, inform }: Connection,
  { id, news }: Update,
  found: PropertyMap,
): Promise<PropertyMap> {
  try {
    const settings = await client().getPipeSettings(scopeOf(news), id);
    return settings === undefined ? found : { ...found, settings: withoutNulls(settings) };
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    inform(`warning: pipe ${id}: its settings were sent, but could not be read back. ${error.message}`);
    return found;
  }
}

/** All changed fields, with the removals of table mappings and those additions that can travel with them. */
function firstBody(update: Update, steps: MappingSteps | undefined): PropertyMap | undefined {
  const plain = update.changes.filter((change) => change.path !== TABLE_MAPPINGS);
  const fields = withColumns(update, plain.reduce(carry, {}));
  return accompanied(update, {
    ...fields,
    ...mappingMembers(fields, { tableMappingsToAdd: steps?.add, tableMappingsToRemove: steps?.remove }),
  });
}

const laterBody = (update: Update, steps: MappingSteps | undefined): PropertyMap | undefined =>
  accompanied(update, mappingMembers({}, { tableMappingsToAdd: steps?.addLater }));

const carry = (body: PropertyMap, { field, after }: Change): PropertyMap =>
  withValueAt(body, field.path, after);

function mappingMembers(
  body: PropertyMap,
  lists: Readonly<Record<string, readonly PropertyMap[] | undefined>>,
): PropertyMap {
  return Object.entries(lists).reduce<PropertyMap>(
    (extended, [name, list]) =>
      list === undefined || list.length === 0
        ? extended
        : {
            source: valueAt(withValueAt({ ...body, ...extended }, ["source", "postgres", name], list), [
              "source",
            ]),
          },
    {},
  );
}

/** The API takes field mappings only together with the destination's columns. */
function withColumns({ news, observed: before }: Update, body: PropertyMap): PropertyMap {
  const columns = ["destination", "columns"];
  if (body["fieldMappings"] === undefined || valueAt(body, columns) !== undefined) return body;
  const known = valueAt(news, columns) ?? valueAt(before, columns);
  if (!isList(known)) return body;
  // The server may have more to say of a column than the update operation takes.
  const sent = known.filter(isMap).map((column) => pick(column, ["name", "type"]));
  return withValueAt(body, columns, sent);
}

/** Nothing to send, or the body with what accompanies every update. */
function accompanied({ news }: Update, body: PropertyMap): PropertyMap | undefined {
  if (Object.keys(body).length === 0) return undefined;
  const validate = valueAt(news, VALIDATE_SAMPLES);
  return validate === undefined ? body : withValueAt(body, VALIDATE_SAMPLES, validate);
}

function withoutWaiting(news: PropertyMap, { addLater }: MappingSteps): PropertyMap {
  const path = TABLE_MAPPINGS.split(".");
  const all = valueAt(news, path);
  const present = isList(all) ? all.filter((mapping) => !addLater.includes(mapping as PropertyMap)) : all;
  return withValueAt(news, path, present);
}
