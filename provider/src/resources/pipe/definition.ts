import { createPipe, forgetPipe } from "../recovery/create-pipe";
import { DoubledPipeError } from "../recovery/create-errors";
import { SECRET_NAMES } from "../../api/secret-names";
import { known, UNKNOWN, type PropertyMap } from "../../core/property-value";
import type { Created, Declared, Progress, ResourceDefinition, Update } from "../../core/lifecycle";
import { createBody, scopeOf, type ResourceContext } from "../context";
import { deleteByPolicy } from "../deletion";
import { adoptPipe, isAdoption, previewAdoption } from "./adoption";
import { COMPUTED, observed } from "./observed";
import { isGone, nameOf, presentPipe } from "../recovery/presence";
import { pipeRules } from "./rules";
import { pipeFields, pipeSchema, type PipeDraft, type PipeInputs } from "./schema";
import { updatePipe } from "./update";
import { isAwaited, waitForState } from "./wait";

/** Pipes: their fields, and how the API creates, lists, updates and deletes them. */
export const pipeDefinition = (context: ResourceContext): ResourceDefinition<typeof pipeSchema> => ({
  type: "Pipe",
  schema: pipeSchema,
  secretNames: SECRET_NAMES,
  computed: COMPUTED,
  hasReadOperation: true,

  defaultsOf: (logicalName) => ({ name: logicalName }),
  rules: pipeRules,
  checked: warnOfSecondPipe(context),
  previewAdoption: (inputs) => previewAdoption(context, inputs),

  async create(inputs, progress) {
    const created = isAdoption(inputs)
      ? await adoptPipe(context, inputs, progress)
      : await createOwnPipe(context, inputs, progress);
    return { ...created, current: await waited(context, created, inputs, progress) };
  },

  read: (id, properties, before) => presentPipe(context, id, properties, before),

  async update(update, progress) {
    const { id, news } = update;
    const answer = await updatePipe(context, update, progress);
    if (news.waitFor === undefined) return answer;
    const found = answer ?? (await latestOf(context, update));
    return waited(context, { id, current: found }, news, progress);
  },

  delete: (id, properties) => deletePipe(context, id, properties),
});

/** Two pipes of one program for the same table and from a source of the same kind may load the same data. */
function warnOfSecondPipe({ warn }: ResourceContext): (key: string, inputs: PipeDraft) => void {
  const seen = new Map<string, string>();
  return (key, { destination, name, serviceId, source }) => {
    const { table, database } = known(destination) ?? {};
    if (typeof table !== "string" || typeof name !== "string" || source === undefined || source === UNKNOWN)
      return;
    const place = JSON.stringify([serviceId, name, database, table, Object.keys(source)]);
    const other = seen.get(place);
    if (other !== undefined && other !== key)
      warn(
        `the program declares pipe ${JSON.stringify(name)} for table ${JSON.stringify(table)} twice. If both read the same data, it is loaded twice.`,
      );
    seen.set(place, key);
  };
}

async function createOwnPipe(
  context: ResourceContext,
  inputs: PipeInputs,
  progress: Progress,
): Promise<Created> {
  const body = createBody(pipeFields, inputs);
  try {
    const pipe = await createPipe(context.client(), scopeOf(inputs), body);
    return { id: pipe.id, current: observed(pipe) };
  } catch (error) {
    if (error instanceof DoubledPipeError) progress.checkpoint(error.pipe.id, inputs, observed(error.pipe));
    throw error;
  }
}

/** The pipe as it is now. What was observed the last time is enough only where there is nothing to wait for. */
async function latestOf(
  { client }: ResourceContext,
  { id, news, lastRead: before }: Update<PipeInputs>,
): Promise<PropertyMap> {
  if (isAwaited(before, news)) return before;
  const pipe = await client().pollPipe(scopeOf(news), id);
  return pipe === undefined ? before : observed(pipe, before);
}

/** The pipe once it has reached what the program waits for. Whatever happens meanwhile, the pipe is known. */
async function waited(
  context: ResourceContext,
  { id, current: found }: Created,
  inputs: PipeInputs,
  progress: Progress,
): Promise<PropertyMap> {
  progress.checkpoint(id, inputs, found);
  return waitForState(context, { id, current: found, inputs }, (present) => {
    progress.checkpoint(id, inputs, present);
  });
}

async function deletePipe(context: ResourceContext, id: string, properties: Declared): Promise<void> {
  const scope = scopeOf(properties);
  const { name } = properties;
  await deleteByPolicy(context, {
    what: nameOf(id, properties),
    properties,
    kind: "pipe",
    remains: "keeps running and loading data",
    send: async () => {
      await context.client().deletePipe(scope, id, name);
      await forgetPipe(context.client(), scope, id);
    },
    isGone: () => isGone(context, id, properties),
  });
}
