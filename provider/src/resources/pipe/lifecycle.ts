import { SECRET_NAMES } from "../../api/secret-names";
import type { WireObject } from "../../api/wire";
import { omit, type PropertyMap } from "../../core/property-value";
import type { Created, Progress, ResourceDefinition, Update } from "../../core/resource";
import { DatapipesError, isDatapipesError } from "../../errors";
import { scopeOf, type Connection } from "../connection";
import { adoptPipe, isAdoption } from "./adopt";
import { observed } from "./observed";
import { pipeRules } from "./rules";
import { pipeSchema } from "./schema";
import { updatePipe } from "./update";
import { waitForState } from "./wait";

/** What a pipe is to the API: everything but what steers the provider and says where the pipe is. */
const NOT_SENT = ["organizationId", "serviceId", "adopt", "deletionPolicy", "replacementPolicy", "waitFor"];

/** The life of a pipe: contract, operations, and how its fields travel. */
export const pipeDefinition = (connection: Connection): ResourceDefinition => ({
  type: "Pipe",
  schema: pipeSchema,
  secretNames: SECRET_NAMES,
  rules: pipeRules,
  computed: ["state", "createdAt", "updatedAt"],

  announce: (inputs) =>
    isAdoption(inputs)
      ? `pipe ${JSON.stringify(inputs["name"])} is not created: the existing pipe ${inputs.adopt} is taken over (adopt).`
      : undefined,

  async create(inputs, progress) {
    const created = isAdoption(inputs)
      ? await adoptPipe(connection, inputs, progress)
      : await createPipe(connection, inputs);
    return { id: created.id, found: await waited(connection, created, inputs, progress) };
  },

  async read(id, properties) {
    const pipe = await connection.client().findPipe(scopeOf(properties), id);
    return pipe === undefined ? undefined : observed(pipe);
  },

  async update(update: Update, progress: Progress) {
    const { id, news } = update;
    const found = await updatePipe(connection, update, progress);
    if (news["waitFor"] === undefined) return found;
    return waited(connection, { id, found: found ?? update.observed }, news, progress);
  },

  delete: (id, properties) => deletePipe(connection, id, properties),
});

async function createPipe(connection: Connection, inputs: PropertyMap): Promise<Created> {
  const pipe = await connection.client().createPipe(scopeOf(inputs), omit(inputs, NOT_SENT) as WireObject);
  return { id: pipe.id, found: observed(pipe) };
}

/** The pipe once it has reached what the program waits for. Whatever happens meanwhile, the pipe is known. */
async function waited(
  connection: Connection,
  { id, found }: Created,
  inputs: PropertyMap,
  progress: Progress,
): Promise<PropertyMap> {
  progress.reached(id, inputs, found);
  return waitForState(connection, { id, found, inputs }, (present) => {
    progress.reached(id, inputs, present);
  });
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
