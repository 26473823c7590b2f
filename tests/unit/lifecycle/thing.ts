import { DynamicProvider } from "../../../provider/src/lifecycle/protocol/dynamic";
import * as schemas from "../../../provider/src/lifecycle/comparison/field-schema";
import { HIDDEN_INPUTS } from "../../../provider/src/lifecycle/state/hidden-inputs";
import { Lifecycle } from "../../../provider/src/lifecycle/program/lifecycle";
import type { LifecycleContext, ResourceDefinition } from "../../../provider/src/lifecycle/program/lifecycle";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { resourceKey } from "../../../provider/src/lifecycle/state/resource-key";
import { describeFailure } from "../../../provider/src/lifecycle/comparison/validation";
import { adoptedId, deletionPolicy, replacementPolicy } from "../../../provider/src/resources/schema-types";
import { recordLines, runContext } from "../../kit/lifecycle";

const { atomic, boolean, integer, list, object, optional, record, text } = schemas;
const { immutable, sentAlong, unordered, updatable, writeOnly } = schemas;
const words = optional(text);

/** A resource type with a field of each kind. */
export const thingSchema = {
  serviceId: immutable(words),
  name: updatable(words),
  note: updatable(words),
  key: updatable(words),
  size: updatable(optional(integer)),
  open: updatable(optional(boolean)),
  tags: updatable(unordered(optional(list(object({ name: text, key: words }))))),
  books: updatable(optional(list(object({ title: text, credentials: words })))),
  secretObject: updatable(optional(writeOnly(atomic(object({ credentials: text }))))),
  writeOnlyText: writeOnly(updatable(words)),
  immutableObject: immutable(optional(object({ room: words, floor: optional(integer) }))),
  immutableText: immutable(words),
  immutableSecret: immutable(words),
  validate: sentAlong(optional(boolean)),
  adopt: adoptedId,
  deletionPolicy,
  replacementPolicy,
};

const unexpected = (): never => {
  throw new Error("This operation must not be called.");
};

/** The adapter and the lifecycle of such a resource with the operations of a test; all others fail the test. */
export function thing(more: Partial<ResourceDefinition> = {}, inContext: Partial<LifecycleContext> = {}) {
  const { lines, ...output } = recordLines();
  const definition: ResourceDefinition = {
    type: "Thing",
    noun: "thing",
    takeOver: "Declare it.",
    schema: thingSchema,
    secretNames: new Set(["key", "immutableSecret", "credentials"]),
    rules: () => [],
    outputs: { state: text, observed: record },
    create: unexpected,
    update: unexpected,
    delete: unexpected,
    ...more,
  };
  const context = { ...runContext(), ...output, ...inContext };
  const lifecycle = new Lifecycle(definition, context);
  /** The readers of the configuration that `configure` got. */
  const configured: ((key: string) => string | undefined)[] = [];
  const provider = new DynamicProvider(
    () => lifecycle,
    (read) => configured.push(read),
  );
  return { provider, lifecycle, lines, configured };
}

export const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";
export const ALLOW = { replacementPolicy: "allow" };
export const DELETE = { deletionPolicy: "delete" };
export const RETAIN = { deletionPolicy: "retain" };

/** One run of the engine, and its requests to an API that does all that it is asked. */
export function run(more: Partial<ResourceDefinition> = {}, inContext: Partial<LifecycleContext> = {}) {
  const requests: string[] = [];
  const operations: Partial<ResourceDefinition> = {
    create: (inputs, _progress, { step }) => {
      const { adopt } = inputs;
      const id = step === "adopt" && typeof adopt === "string" ? adopt.toLowerCase() : "new-1";
      requests.push(`${step} ${id}`);
      return Promise.resolve({
        id,
        current: { name: inputs["name"], immutableText: inputs["immutableText"] },
      });
    },
    update: ({ inputs }) => Promise.resolve(inputs),
    delete: (id, properties) => {
      requests.push(`${properties.deletionPolicy === "delete" ? "delete" : "leave"} ${id}`);
      return Promise.resolve();
    },
  };
  return { ...thing({ ...operations, ...more }, inContext), requests };
}

/** The key of the resource with this logical name, which has no parent. */
export const keyOfName = (name: string): string => resourceKey(["Thing"], name);

/** The arguments of the resource with this logical name. */
export const named = (name: string, args: PropertyMap): PropertyMap => ({
  ...args,
  [HIDDEN_INPUTS.key]: keyOfName(name),
});

/** The key in arguments; that of a resource without a name is empty. */
export const keyOf = (newInputs: PropertyMap): string => (newInputs[HIDDEN_INPUTS.key] ?? "") as string;

/** The failures of a check, one sentence each. */
export async function failuresOf(lifecycle: Lifecycle, newInputs: PropertyMap): Promise<string[]> {
  const checked = lifecycle.check(undefined, newInputs);
  return [...checked.failures, ...(await lifecycle.checkAgainstOthers(checked))].map(describeFailure);
}

/** Checks and creates a resource; what the state has of it. */
export const created = ({ lifecycle }: { readonly lifecycle: Lifecycle }, newInputs: PropertyMap) =>
  lifecycle.create(lifecycle.check(undefined, newInputs).inputs, keyOf(newInputs));

/** The same in a run of its own. */
export const deployed = (newInputs: PropertyMap) => created(run(), newInputs);

/** The text in the state by which the engine finds the provider of a dynamic resource. */
export const SOURCE = 'exports.handler = () => require("pulumi-datapipes/runtime").handler("Thing");';

/** A provider whose API answers every create, update and read with this. */
export function answering(answer: PropertyMap | undefined, context: Partial<LifecycleContext> = {}) {
  const read = () => Promise.resolve(answer);
  const create = () => Promise.resolve({ id: "1", current: answer ?? {} });
  return thing({ create, update: read, read }, context).provider;
}

export const away = new Error("The API is away.");

/** Operations that fail once the API has returned these. */
export const failingAfter = (
  answers: readonly PropertyMap[],
  error: Error = away,
): Partial<ResourceDefinition> => ({
  create: (declared, progress) => {
    for (const answer of answers) progress.checkpoint("1", declared, answer);
    return Promise.reject(error);
  },
  update: ({ id, inputs }, progress) => {
    for (const answer of answers) progress.checkpoint(id, inputs, answer);
    return Promise.reject(error);
  },
});
