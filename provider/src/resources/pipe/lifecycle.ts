import { SECRET_NAMES } from "../../api/secret-names";
import type { WireObject } from "../../api/wire";
import type { Change } from "../../core/changes";
import {
  isList,
  isMap,
  omit,
  valueAt,
  withoutNulls,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../core/property-value";
import type { ResourceDefinition, Update, Progress } from "../../core/resource";
import { DatapipesError, isDatapipesError } from "../../errors";
import { scopeOf, type Connection } from "../connection";
import { pipeRules } from "./rules";
import { pipeSchema } from "./schema";
import { mappingSteps, type MappingSteps } from "./table-mappings";

const TABLE_MAPPINGS = "source.postgres.tableMappings";
const VALIDATE_SAMPLES = ["source", "validateSamples"];

/** What a pipe is to the API: everything but what steers the provider and says where the pipe is. */
const NOT_SENT = ["organizationId", "serviceId", "deletionPolicy", "replacementPolicy"];

/** The life of a pipe: contract, operations, and how its fields travel. */
export const pipeDefinition = (connection: Connection): ResourceDefinition => ({
  type: "Pipe",
  schema: pipeSchema,
  secretNames: SECRET_NAMES,
  rules: pipeRules,
  computed: ["state", "createdAt", "updatedAt"],

  async create(inputs) {
    const body = omit(inputs, NOT_SENT) as WireObject;
    const pipe = await connection.client().createPipe(scopeOf(inputs), body);
    return { id: pipe.id, found: observed(pipe) };
  },

  async read(id, properties) {
    const pipe = await connection.client().findPipe(scopeOf(properties), id);
    return pipe === undefined ? undefined : observed(pipe);
  },

  update: (update, progress) => updatePipe(connection, update, progress),
  delete: (id, properties) => deletePipe(connection, id, properties),
});

/** The pipe as it is stored: nulls are absent, and a request-only field that a server echoes is dropped. */
function observed(pipe: WireObject): PropertyMap {
  const known = withoutNulls(pipe) as PropertyMap;
  const source = known["source"];
  if (!isMap(source)) return known;
  return { ...known, source: withoutRequestOnly(source) };
}

const REQUEST_ONLY = ["credentials", "accessKey", "validateSamples"];

const withoutRequestOnly = (value: PropertyValue): PropertyValue => {
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(omit(value, REQUEST_ONLY)).map(([name, member]) => [name, withoutRequestOnly(member)]),
  );
};

async function updatePipe(
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
  return found;
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
  return isList(known) ? withValueAt(body, columns, known) : body;
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

async function deletePipe(connection: Connection, id: string, properties: PropertyMap): Promise<void> {
  const name = JSON.stringify(properties["name"]);
  if (properties["deletionPolicy"] !== "delete") {
    connection.inform(
      `pipe ${name} (${id}) goes on running and loading data: its deletionPolicy is "retain", so nothing was sent to ` +
        `the API. Pulumi no longer manages it.`,
    );
    return;
  }
  const scope = scopeOf(properties);
  const client = connection.client();
  try {
    await client.deletePipe(scope, id);
  } catch (error) {
    if (!isDatapipesError(error) || !REFUSALS.has(error.code)) throw error;
    if (error.code === "not-found" && (await client.findPipe(scope, id)) === undefined) return;
    throw new DatapipesError(
      error.code,
      `${error.message} The API documents no way to delete a pipe, and this service refuses the usual one for pipe ${name}: ` +
        `set deletionPolicy: "retain" and run \`pulumi up\`, then remove the pipe by hand.`,
      error.answer,
    );
  }
}

/** Answers that say that the service will not delete, or does not know how to. */
const REFUSALS: ReadonlySet<string> = new Set(["not-found", "method-not-allowed", "forbidden"]);
