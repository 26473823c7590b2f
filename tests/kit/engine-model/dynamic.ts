import { isDeepStrictEqual } from "node:util";
import { DynamicProvider } from "../../../provider/src/lifecycle/protocol/dynamic";
import { HIDDEN_INPUTS } from "../../../provider/src/lifecycle/state/hidden-inputs";
import { Lifecycle } from "../../../provider/src/lifecycle/program/lifecycle";
import { resourceKey, typeToken } from "../../../provider/src/lifecycle/state/resource-key";
import { requireDefinition } from "../../../provider/src/run/definitions";
import { urnOf } from "../plugin";
import { connect } from "../client";
import { apiOf, runContext, stackWithState } from "../lifecycle";
import { InitFailure, type EngineAdapter, type Properties, type StartPlugin } from "./adapter";

const HANDLER = { __provider: "the text that leads to the plugin" };

type Provider = DynamicProvider;

export const startDynamic: StartPlugin = (simulator, options) => {
  const { client, scope, lines, ...output } = connect(simulator, options);
  const stack = stackWithState(options.exportStack);
  const context = { ...runContext(), ...output, stack, defaults: () => ({ ...scope }) };
  const connection = { ...context, ...apiOf(() => client, options.clock, context.program) };
  const providers: Partial<Record<string, Provider>> = {};
  const provider = (type: string): Provider =>
    (providers[type] ??= providerOf(new Lifecycle(requireDefinition(type)(connection), context)));
  return { adapter: dynamicAdapter(provider), lines };
};

const providerOf = (lifecycle: Lifecycle): Provider =>
  new DynamicProvider(
    () => lifecycle,
    () => undefined,
  );

const withHandler = (properties: unknown): Properties => ({ ...(properties as object), ...HANDLER });

/**
 * The engine's calls as Pulumi's plugin passes them on: without the URN, the old inputs and previews. Instead, the resource classes add
 * the name as a hidden input, and every resource holds `__provider`.
 */
export const dynamicAdapter = (provider: (type: string) => Provider): EngineAdapter => ({
  setsOptions: true,
  urnOf: ({ name, type }) => urnOf(name, typeToken(type)),
  async check({ name, type }, oldInputs = {}, args) {
    const hidden = { [HIDDEN_INPUTS.key]: resourceKey([type], name) };
    const newInputs = withHandler({ ...args, ...hidden });
    const { inputs, failures } = await provider(type).check(oldInputs, newInputs);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return withHandler(inputs);
  },
  async diff({ type, replaceOnChanges = [] }, { id, inputs: before, outputs }, inputs) {
    const result = await provider(type).diff(id, outputs, inputs);
    const { changes, replaces = [], deleteBeforeReplace = false } = result;
    // If the provider's diff leaves it open, the engine compares the inputs, and applies `replaceOnChanges` to what differs.
    const differs = (name: string): boolean => !isDeepStrictEqual(before[name], inputs[name]);
    return {
      changed: changes ?? !isDeepStrictEqual(before, inputs),
      replaces: replaces.length > 0 || (changes === undefined && replaceOnChanges.some(differs)),
      deleteBeforeReplace,
    };
  },
  async create({ type }, inputs, { preview }) {
    if (preview) return { id: "", outputs: inputs };
    const { id, outs } = await withInitFailure(provider(type).create(inputs));
    return { id, outputs: withHandler(outs) };
  },
  async update({ type }, { id, outputs }, inputs, { preview }) {
    if (preview) return inputs;
    const { outs } = await withInitFailure(provider(type).update(id, outputs, inputs));
    return withHandler(outs);
  },
  async read({ type }, { id, outputs }) {
    const { id: present, inputs, props } = await provider(type).read(id, outputs);
    return present === undefined ? undefined : { inputs: withHandler(inputs), outputs: withHandler(props) };
  },
  delete: ({ type }, { id, outputs }) => provider(type).delete(id, outputs),
});

/** A partial failure is an exception with the id and the outputs of the resource. */
async function withInitFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || !("properties" in error)) throw error;
    const { id, properties } = error as unknown as { readonly id: string; readonly properties: Properties };
    if (!("__provider" in properties))
      throw new Error(`The state of ${id} has no __provider, so Pulumi could never delete it.`);
    throw new InitFailure(id, properties, error.message);
  }
}
