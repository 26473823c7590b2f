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
import type { Progress, Update } from "../../lifecycle/program/lifecycle";
import { isDatapipesError } from "../../messages/errors";
import { scopeOf, type RunContext } from "../context";
import { describePipe, pipeOfAnswer } from "./observed";
import type { PipeInputs } from "./schema";
import { mappingSteps } from "./table-mappings";

const TABLE_MAPPINGS = ["source", "postgres", "tableMappings"] as const;

const isOfTableMappings = ({ path }: Change): boolean => path === TABLE_MAPPINGS.join(".");

interface Patch {
  /** The changed fields with their new values, without the table mappings. */
  readonly fields: PropertyMap;
  readonly add: readonly PropertyMap[];
  readonly remove: readonly PropertyMap[];
}

/** Sends the changes in as few requests as the API allows; undefined when there was nothing to send. */
export async function updatePipe(
  context: RunContext,
  update: Update<PipeInputs>,
  progress: Progress,
): Promise<PropertyMap | undefined> {
  const { id, inputs, changes } = update;
  const { add, remove, addLater } = mappingSteps(changes.find(isOfTableMappings));
  const patches: readonly Patch[] = [
    { fields: changedFields(update), add, remove },
    { fields: {}, add: addLater, remove: [] },
  ].filter((patch) => bodyOf(update, patch) !== undefined);
  let current: PropertyMap | undefined;
  for (const [index, patch] of patches.entries()) {
    current = await sendPatch(context, update, patch, index > 0);
    const isLast = index === patches.length - 1;
    // A failure of the second request must leave its mappings out of the state.
    progress.checkpoint(id, isLast ? inputs : withoutMappings(inputs, addLater), current);
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
function changedFields({ inputs, lastRead, changes }: Update<PipeInputs>): PropertyMap {
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

const withChange = (values: PropertyMap, { field, after }: Change): PropertyMap =>
  withValueAt(values, field.path, after);

/** The body of one request; undefined when there is nothing to send. */
function bodyOf({ inputs }: Update<PipeInputs>, { fields, add, remove }: Patch): WireObject | undefined {
  const body = Object.entries({ tableMappingsToAdd: add, tableMappingsToRemove: remove })
    .filter(([, mappings]) => mappings.length > 0)
    .reduce((map, [name, mappings]) => withValueAt(map, ["source", "postgres", name], mappings), fields);
  if (Object.keys(body).length === 0) return undefined;
  // The values of an update are known.
  return withValueAt(body, ["source", "validateSamples"], inputs.source.validateSamples) as WireObject;
}

async function sendPatch(
  { client }: RunContext,
  update: Update<PipeInputs>,
  patch: Patch,
  isFollowUp: boolean,
): Promise<PropertyMap> {
  const { id, inputs, changes, lastRead } = update;
  const options = { label: inputs.name, isFollowUp };
  const answer = await client().updatePipe(scopeOf(inputs), id, bodyOf(update, patch) ?? {}, options);
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
  { id, inputs }: Update<PipeInputs>,
  current: PropertyMap,
): Promise<PropertyMap> {
  try {
    const settings = await client().getPipeSettings(scopeOf(inputs), id);
    return settings === undefined ? current : { ...current, settings: withoutNulls(settings) };
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    warn(
      `${describePipe(id, inputs)}: the provider sent the settings, but could not read them back (${error.reason}). The service may have ignored them.`,
    );
    return current;
  }
}
