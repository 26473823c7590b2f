import { isDeepStrictEqual } from "node:util";
import { render } from "../../provider/src/next-steps";
import { dynamicProvider } from "../../provider/src/core/dynamic";
import { HIDDEN_INPUTS } from "../../provider/src/core/hidden-inputs";
import { Lifecycle } from "../../provider/src/core/lifecycle";
import { DEFINITIONS, type ResourceType } from "../../provider/src/resources/definitions";
import { connect } from "../connected";
import {
  InitFailure,
  type Adapter,
  type Diff,
  type Identity,
  type StartPlugin,
  type Stored,
} from "./adapter";
import type { Properties } from "./wire";

const HANDLER = { __provider: "the text that leads to the plugin" };

type Provider = ReturnType<typeof dynamicProvider>;

/** Starts the plugin process of the dynamic form: Pulumi's own plugin, which calls methods. */
export const startDynamic: StartPlugin = (simulator, options) => {
  const { client, scope, lines, ...output } = connect(simulator, options);
  const context = { ...output, configurationProblems: () => [], defaults: () => ({ ...scope }), render };
  const connection = { ...output, client: () => client, clock: options.clock };
  const newProvider = (type: ResourceType): Provider =>
    dynamicProvider(new Lifecycle(DEFINITIONS[type](connection), context), () => undefined);
  const providers = new Map<ResourceType, Provider>();
  const provider = (type: ResourceType): Provider => {
    const present = providers.get(type) ?? newProvider(type);
    providers.set(type, present);
    return present;
  };
  return { adapter: new DynamicAdapter(provider), lines };
};

/**
 * The engine's calls as Pulumi's plugin passes them on: without the URN, the old inputs and previews. Instead, the resource classes add
 * the name as a hidden input, and every resource holds `__provider`.
 */
class DynamicAdapter implements Adapter {
  readonly setsOptions = true;

  constructor(private readonly provider: (type: ResourceType) => Provider) {}

  async check(resource: Identity, olds: Properties = {}, args: Properties): Promise<Properties> {
    const { name, type, replaceOnChanges } = resource;
    const hidden = { [HIDDEN_INPUTS.key]: name, [HIDDEN_INPUTS.replaceOnChanges]: replaceOnChanges };
    const news = { ...args, ...hidden, ...HANDLER };
    const { inputs, failures = [] } = await this.provider(type).check(olds, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return { ...(inputs as object), ...HANDLER };
  }

  async diff(
    { type, replaceOnChanges = [] }: Identity,
    { id, inputs: before, outputs }: Stored,
    inputs: Properties,
  ): Promise<Diff> {
    const {
      changes,
      replaces = [],
      deleteBeforeReplace = false,
    } = await this.provider(type).diff(id, outputs, inputs);
    // If the provider's diff leaves it open, the engine compares the inputs, and applies `replaceOnChanges` to what differs.
    const differs = (name: string): boolean => !isDeepStrictEqual(before[name], inputs[name]);
    return {
      changed: changes ?? !isDeepStrictEqual(before, inputs),
      replaces: replaces.length > 0 || (changes === undefined && replaceOnChanges.some(differs)),
      deleteBeforeReplace,
    };
  }

  async create({ type }: Identity, inputs: Properties, { preview }: { readonly preview: boolean }) {
    if (preview) return { id: "", outputs: inputs };
    const { id, outs } = await withInitFailure(this.provider(type).create(inputs));
    return { id, outputs: { ...(outs as object), ...HANDLER } };
  }

  async update(
    { type }: Identity,
    { id, outputs }: Stored,
    inputs: Properties,
    { preview }: { readonly preview: boolean },
  ): Promise<Properties> {
    if (preview) return inputs;
    const { outs } = await withInitFailure(this.provider(type).update(id, outputs, inputs));
    return { ...(outs as object), ...HANDLER };
  }

  async read({ type }: Identity, { id, outputs }: Stored): Promise<Omit<Stored, "id"> | undefined> {
    const { id: present, inputs, props } = await this.provider(type).read(id, outputs);
    if (present === undefined) return undefined;
    return {
      inputs: { ...(inputs as object), ...HANDLER },
      outputs: { ...(props as object), ...HANDLER },
    };
  }

  async delete({ type }: Identity, { id, outputs }: Stored): Promise<void> {
    await this.provider(type).delete(id, outputs);
  }
}

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
