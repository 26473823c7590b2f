import { createPipe, forgetPipe } from "../recovery/create-pipe";
import { DoubledPipeError } from "../recovery/pipe-creation";
import { SECRET_NAMES } from "../../api/secret-names";
import { isMap, valueAt, type PropertyMap } from "../../core/property-value";
import type { Created, Progress, ResourceDefinition, Update } from "../../core/lifecycle";
import { createBody, scopeOf, type Connection } from "../context";
import { deleteByPolicy } from "../deletion";
import { adoptPipe, isAdoption, previewAdoption } from "./adoption";
import { COMPUTED, observed } from "./observed";
import { isGone, nameOf, presentPipe } from "../recovery/presence";
import { pipeRules } from "./rules";
import { pipeFields, pipeSchema } from "./schema";
import { updatePipe } from "./update";
import { isAwaited, waitForState } from "./wait";

/** The life of a pipe: contract, operations, and how its fields travel. */
export const pipeDefinition = (connection: Connection): ResourceDefinition => ({
  ...pipeOperations(connection),
  checked: warnOfSecondPipe(connection),
});

const pipeOperations = (connection: Connection): ResourceDefinition => ({
  type: "Pipe",
  schema: pipeSchema,
  secretNames: SECRET_NAMES,
  rules: pipeRules,
  computed: COMPUTED,

  observesBeyond: true,

  previewAdoption: (inputs) => previewAdoption(connection, inputs),

  async create(inputs, progress) {
    const created = isAdoption(inputs)
      ? await adoptPipe(connection, inputs, progress)
      : await createOwnPipe(connection, inputs, progress);
    return { ...created, found: await waited(connection, created, inputs, progress) };
  },

  read: (id, properties, before) => presentPipe(connection, id, properties, before),

  async update(update: Update, progress: Progress) {
    const { id, news } = update;
    const answer = await updatePipe(connection, update, progress);
    if (news["waitFor"] === undefined) return answer;
    const found = answer ?? (await latestOf(connection, update));
    return waited(connection, { id, found }, news, progress);
  },

  delete: (id, properties) => deletePipe(connection, id, properties),
});

/** Two pipes of one program for the same table and from a source of the same kind may load the same data. */
function warnOfSecondPipe({ log }: Connection): (key: string, inputs: PropertyMap) => readonly [] {
  const seen = new Map<string, string>();
  return (key, inputs) => {
    const { destination, name, serviceId, source } = inputs;
    const table = valueAt(destination, ["table"]);
    if (typeof table !== "string" || typeof name !== "string" || !isMap(source)) return [];
    const place = JSON.stringify([
      serviceId,
      name,
      valueAt(destination, ["database"]),
      table,
      Object.keys(source),
    ]);
    const other = seen.get(place);
    if (other !== undefined && other !== key)
      log(
        `warning: the program declares pipe ${JSON.stringify(name)} for table ${JSON.stringify(table)} twice. If both read the same data, it is loaded twice.`,
      );
    seen.set(place, key);
    return [];
  };
}

async function createOwnPipe(
  connection: Connection,
  inputs: PropertyMap,
  progress: Progress,
): Promise<Created> {
  const body = createBody(pipeFields, inputs);
  try {
    const pipe = await createPipe(connection.client(), scopeOf(inputs), body);
    return { id: pipe.id, found: observed(pipe) };
  } catch (error) {
    if (error instanceof DoubledPipeError) progress.checkpoint(error.pipe.id, inputs, observed(error.pipe));
    throw error;
  }
}

/** The pipe as it is now. What was observed the last time is enough only where there is nothing to wait for. */
async function latestOf(
  { client }: Connection,
  { id, news, observed: before }: Update,
): Promise<PropertyMap> {
  if (isAwaited(before, news)) return before;
  const pipe = await client().pollPipe(scopeOf(news), id);
  return pipe === undefined ? before : observed(pipe, before);
}

/** The pipe once it has reached what the program waits for. Whatever happens meanwhile, the pipe is known. */
async function waited(
  connection: Connection,
  { id, found }: Created,
  inputs: PropertyMap,
  progress: Progress,
): Promise<PropertyMap> {
  progress.checkpoint(id, inputs, found);
  return waitForState(connection, { id, found, inputs }, (present) => {
    progress.checkpoint(id, inputs, present);
  });
}

async function deletePipe(connection: Connection, id: string, properties: PropertyMap): Promise<void> {
  const scope = scopeOf(properties);
  await deleteByPolicy(connection, {
    what: nameOf(id, properties),
    properties,
    kind: "pipe",
    remains: "goes on running and loading data",
    send: async () => {
      await connection.client().deletePipe(scope, id, properties["name"]);
      await forgetPipe(connection.client(), scope, id);
    },
    isGone: () => isGone(connection, id, properties),
  });
}
