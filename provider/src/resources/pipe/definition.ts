import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { changesBetween } from "../../lifecycle/changes";
import type { Created, Progress, ResourceDefinition, Update } from "../../lifecycle/lifecycle";
import type { PropertyMap } from "../../lifecycle/property-value";
import { createBody, scopeOf, type ResourceContext } from "../context";
import { deleteByPolicy } from "../deletion";
import { DuplicatePipeError } from "./create-errors";
import { createPipe } from "./create-pipe";
import { isGone, readPipe } from "./missing-pipe";
import { forgetPipe } from "./pipe-list";
import { adoptPipe, isAdoption, previewAdoption } from "./adoption";
import { nameOf, observed, type ObservedPipe } from "./observed";
import { columnWarnings, gapWarnings, pipeRules } from "./rules";
import { pipeFields, pipeOutputs, pipeSchema, type PipeInputs } from "./schema";
import { SecondPipes } from "./second-pipe";
import { updatePipe, updateWarnings } from "./update";
import { isAwaited, waitForState, waitWarnings } from "./wait";

/** Pipes: their fields, and how the API creates, lists, updates and deletes them. */
export function pipeDefinition(context: ResourceContext): ResourceDefinition<typeof pipeSchema> {
  const second = new SecondPipes(context.stored);
  return {
    type: "Pipe",
    noun: "pipe",
    operations: { create: "createPipe", update: "updatePipe" },
    takeOver: 'To manage a pipe that exists, set the argument `adopt: "<id>"` or run `datapipes import`.',
    schema: pipeSchema,
    secretNames: SECRET_NAMES,
    outputs: pipeOutputs,

    nameOf,
    defaultsOf: (logicalName) => ({ name: logicalName }),
    rules: pipeRules,
    warnings: updateWarnings,
    previewWarnings: async (resource, inputs) => [
      ...waitWarnings(inputs),
      ...(resource.creation === undefined ? [] : [...columnWarnings(inputs), ...gapWarnings(inputs)]),
      ...(await second.warnings(resource, inputs)),
    ],
    previewAdoption: (inputs) => previewAdoption(context, inputs),

    async create(inputs, progress) {
      const created = isAdoption(inputs)
        ? await adoptPipe(context, inputs, progress)
        : await createNewPipe(context, inputs, progress, second);
      return { ...created, current: await waitForState(context, created, inputs, progress) };
    },

    async read(id, properties, lastRead) {
      const current = await readPipe(context, id, properties, lastRead);
      if (current === undefined) second.addMissing(id);
      return current;
    },

    update: (update, progress) => updateAndWait(context, update, progress),

    delete: (id, properties, lastRead) => deletePipe(context, id, properties, lastRead),
  };
}

async function deletePipe(
  context: ResourceContext,
  id: string,
  properties: ObservedPipe,
  lastRead: PropertyMap,
): Promise<void> {
  const scope = scopeOf(properties);
  await deleteByPolicy(context, {
    what: nameOf(id, properties),
    properties,
    kind: "pipe",
    retained: "keeps running and loading data",
    send: async () => {
      await context.client().deletePipe(scope, id, properties.name);
      await forgetPipe(context.client(), scope, id);
    },
    isGone: (refusal) => isGone(context, id, { ...lastRead, ...properties }, refusal),
  });
}

async function updateAndWait(
  context: ResourceContext,
  update: Update<PipeInputs>,
  progress: Progress,
): Promise<PropertyMap | undefined> {
  const { id, inputs } = update;
  const answer = await updatePipe(context, update, progress);
  if (inputs.waitFor === undefined || (answer === undefined && changesPolicyAlone(update))) return answer;
  const current = answer ?? (await currentPipe(context, update));
  return waitForState(context, { id, current }, inputs, progress);
}

async function createNewPipe(
  { client, ids }: ResourceContext,
  inputs: PipeInputs,
  progress: Progress,
  second: SecondPipes,
): Promise<Created> {
  const take = (id: string): boolean => ids.file.take(id);
  // The engine may ask for this create before it checks a resource that adopts.
  const isCompared = (id: string): boolean =>
    second.isCompared(id) || ids.isAdoptedByProgram({ type: "Pipe", id });
  const context = { take, replaced: progress.replaced, isCompared };
  try {
    const pipe = await createPipe(client(), scopeOf(inputs), createBody(pipeFields, inputs), context);
    second.addCompared(pipe.id);
    return { id: pipe.id, current: observed(pipe) };
  } catch (error) {
    if (error instanceof DuplicatePipeError) progress.checkpoint(error.pipe.id, inputs, observed(error.pipe));
    throw error;
  }
}

/** Whether a field has changed that the state alone keeps, and not the wait. Without a change the update resumes the wait of a failed run. */
function changesPolicyAlone({ oldInputs, inputs }: Update<PipeInputs>): boolean {
  const changed = changesBetween(providerOnlyFields, oldInputs, inputs).map(({ field }) => field.path[0]);
  return changed.length > 0 && !changed.includes("waitFor");
}

/** The fields that the state alone keeps. */
const providerOnlyFields = pipeFields.filter(({ onChange }) => onChange === "providerOnly");

/** The pipe as it is now; as it was read last if it had an awaited state then. */
async function currentPipe(
  { client }: ResourceContext,
  { id, inputs, lastRead }: Update<PipeInputs>,
): Promise<PropertyMap> {
  if (isAwaited(lastRead, inputs)) return lastRead;
  const pipe = await client().pollPipe(scopeOf(inputs), id);
  return pipe === undefined ? lastRead : observed(pipe, lastRead);
}
