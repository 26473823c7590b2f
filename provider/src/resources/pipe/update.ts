import { isDeepStrictEqual } from "node:util";
import type { WireObject } from "../../api/wire";
import type { Change } from "../../lifecycle/comparison/changes";
import {
  isList,
  isMap,
  pick,
  valueAt,
  withoutNulls,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import type { Created, Progress, Update } from "../../lifecycle/program/lifecycle";
import { isDatapipesError } from "../../messages/errors";
import { scopeOf, type RunContext } from "../context";
import { describePipe, pipeOfAnswer } from "./observed";
import type { PipeInputs } from "./schema";
import { mappingSteps } from "./table-mappings";

const TABLE_MAPPINGS = ["source", "postgres", "tableMappings"] as const;

const isOfTableMappings = ({ path }: Change): boolean => path === TABLE_MAPPINGS.join(".");

/** An update, or the one with which a resource adopts a pipe. */
type PipeUpdate = Pick<Update<PipeInputs>, "id" | "inputs" | "lastRead" | "changes"> &
  Pick<Created, "adopted">;

/** Sends the changes in as few requests as the API allows; undefined when there was nothing to send. */
export async function updatePipe(
  context: RunContext,
  update: PipeUpdate,
  progress: Progress,
): Promise<PropertyMap | undefined> {
  const { id, inputs, changes, adopted } = update;
  const { add, remove, addLater } = mappingSteps(changes.find(isOfTableMappings));
  const bodies = [withMappings(changedFields(update), add, remove), withMappings({}, addLater, [])].filter(
    (body) => Object.keys(body).length > 0,
  );
  let current: PropertyMap | undefined;
  for (const [index, body] of bodies.entries()) {
    current = await sendPatch(context, update, body, index > 0);
    const isLast = index === bodies.length - 1;
    // A failure of the second request must leave its mappings out of the state.
    progress.checkpoint(id, isLast ? inputs : withoutMappings(inputs, addLater), current, adopted);
  }
  const changesSettings = changes.some(({ path }) => path.startsWith("settings."));
  return current !== undefined && changesSettings ? withActualSettings(context, update, current) : current;
}

/**
 * Services test the connection before they take it, and the API never returns the credentials that they need for
 * that.
 */
const CONNECTION_FIELDS = ["host", "port", "database"].map((name) => `source.postgres.${name}`);

/** The changed fields but the table mappings, with the unchanged ones that the API requires beside them. */
function changedFields({ inputs, lastRead, changes }: PipeUpdate): PropertyMap {
  let fields = changes.filter((change) => !isOfTableMappings(change)).reduce(withChange, {});
  const credentials = inputs.source.postgres?.credentials;
  if (credentials !== undefined && changes.some(({ path }) => CONNECTION_FIELDS.includes(path)))
    fields = withValueAt(fields, ["source", "postgres", "credentials"], credentials);
  const columns = ["destination", "columns"];
  // The API takes field mappings only together with the destination's columns.
  if (!("fieldMappings" in fields) || valueAt(fields, columns) !== undefined) return fields;
  const known: PropertyValue = inputs.destination?.columns ?? valueAt(lastRead, columns);
  if (!isList(known)) return fields;
  // An answer may have members of a column that the update operation does not take.
  return withValueAt(
    fields,
    columns,
    known.filter(isMap).map((column) => pick(column, ["name", "type"])),
  );
}

export const withChange = (values: PropertyMap, { field, after }: Change): PropertyMap =>
  withValueAt(values, field.path, after);

const withMappings = (
  fields: PropertyMap,
  add: readonly PropertyMap[],
  remove: readonly PropertyMap[],
): PropertyMap =>
  Object.entries({ tableMappingsToAdd: add, tableMappingsToRemove: remove })
    .filter(([, mappings]) => mappings.length > 0)
    .reduce((map, [name, mappings]) => withValueAt(map, ["source", "postgres", name], mappings), fields);

async function sendPatch(
  { client }: RunContext,
  { id, inputs, changes, lastRead }: PipeUpdate,
  fields: PropertyMap,
  isFollowUp: boolean,
): Promise<PropertyMap> {
  const options = { label: inputs.name, isFollowUp };
  const body = withValueAt(fields, ["source", "validateSamples"], inputs.source.validateSamples);
  // The values of an update are known.
  const answer = await client().updatePipe(scopeOf(inputs), id, body as WireObject, options);
  // Parts that an answer leaves out are as they were before, or as they were sent.
  return pipeOfAnswer(answer, changes.reduce(withChange, lastRead));
}

const withoutMappings = (inputs: PipeInputs, missing: readonly PropertyMap[]): PropertyMap =>
  withValueAt(
    inputs,
    TABLE_MAPPINGS,
    inputs.source.postgres?.tableMappings?.filter(
      (mapping) => !missing.some((one) => isDeepStrictEqual(one, mapping)),
    ),
  );

/** Some services accept settings and do not apply them; only `getPipeSettings` returns those that the pipe has. */
async function withActualSettings(
  { client, warn }: RunContext,
  { id, inputs }: PipeUpdate,
  current: PropertyMap,
): Promise<PropertyMap> {
  try {
    const settings = await client().getPipeSettings(scopeOf(inputs), id);
    return settings === undefined ? current : { ...current, settings: withoutNulls(settings) };
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    warn(
      `${describePipe(id, inputs)}: the provider sent the settings, but could not read them back ` +
        `(${error.reason}). The service may have ignored them.`,
    );
    return current;
  }
}
