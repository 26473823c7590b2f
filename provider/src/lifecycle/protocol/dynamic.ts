import type * as pulumi from "@pulumi/pulumi";
import { EngineAdapter } from "./engine-adapter";
import { fromEngine, PROVIDER_KEY, type Properties } from "./engine-values";
import { HIDDEN_INPUTS, readHiddenInputs } from "../state/hidden-inputs";
import type { PropertyMap } from "../comparison/property-value";
import type { Lifecycle } from "../program/lifecycle";
import { WriteFailure } from "../state/write-failure";
import { storedKey } from "../state/private-state";

/** Reads a value of the stack's configuration by its full key. */
export type ReadConfiguration = (key: string) => string | undefined;

/** Adapts the lifecycle of the current run to the dynamic-provider protocol. */
export class DynamicProvider implements Required<pulumi.dynamic.ResourceProvider<Properties, Properties>> {
  constructor(
    private readonly lifecycleInRun: () => Lifecycle,
    private readonly onConfigure: (read: ReadConfiguration) => void,
  ) {}

  /** Other calls do not wait for the promise, so the configuration must be complete when this returns. */
  configure({ config }: pulumi.dynamic.ConfigureRequest): Promise<void> {
    this.onConfigure((key) => config.get(key));
    return Promise.resolve();
  }

  check(oldInputs: Properties, newInputs: Properties) {
    return this.#call(newInputs, async (adapter) => {
      const isInStack = Object.keys(oldInputs).length > 0;
      const before = isInStack ? fromEngine(oldInputs) : undefined;
      const given = fromEngine(newInputs);
      const checked = adapter.lifecycle.check(before, given);
      const reasons = await adapter.failures(given, checked);
      const inputs = adapter.inputs(checked.inputs);
      return {
        inputs: HIDDEN_INPUTS.key in newInputs ? withToken(inputs, checked.token) : inputs,
        failures: reasons.map((reason) => ({ property: "", reason })),
      };
    });
  }

  diff(id: string, state: Properties, newInputs: Properties) {
    return this.#call<pulumi.dynamic.DiffResult>(newInputs, ({ lifecycle }) => {
      const { key, inputs } = readInputs(lifecycle, newInputs);
      const result = lifecycle.diff(id, fromEngine(state), inputs, key);
      // Without the handler in its outputs, as the native plugin leaves them, Pulumi could neither read nor delete
      // the resource.
      if (!result.changed) return { changes: !(PROVIDER_KEY in state) };
      const { inputsEqual, replaces, deleteBeforeReplace } = result;
      // Without `changes`, the engine compares the inputs, shows what differs, and applies `replaceOnChanges`.
      return { ...(inputsEqual && { changes: true }), replaces: [...replaces], deleteBeforeReplace };
    });
  }

  create(newInputs: Properties) {
    return this.#call(newInputs, async (adapter) => {
      const { key, inputs } = readInputs(adapter.lifecycle, newInputs);
      const { id, outputs } = await adapter.lifecycle.create(inputs, key);
      return { id, outs: adapter.outputs(outputs) };
    });
  }

  read(id: string, properties: Properties = {}) {
    return this.#call({}, async (adapter) => {
      const stored = fromEngine(properties);
      const read = await adapter.lifecycle.read(id, stored);
      if (read === undefined) return {};
      const inputs = withToken(adapter.inputs(read.inputs), storedKey(stored));
      return { id, props: adapter.outputs(read.outputs), inputs };
    });
  }

  update(id: string, state: Properties, newInputs: Properties) {
    return this.#call(newInputs, async (adapter) => {
      const { key, inputs } = readInputs(adapter.lifecycle, newInputs);
      const before = fromEngine(state);
      return { outs: adapter.outputs(await adapter.lifecycle.update(id, before, inputs, key), before) };
    });
  }

  delete(id: string, properties: Properties): Promise<void> {
    return this.#call({}, async (adapter) => {
      const state = fromEngine(properties);
      await adapter.delete(id, state, await keyInStack(adapter.lifecycle, id, state));
    });
  }

  /** Runs a call about a resource with these inputs. The engine stores the outputs of a partial failure. */
  async #call<T>(inputs: Properties, work: (adapter: EngineAdapter) => T | Promise<T>): Promise<T> {
    const adapter = new EngineAdapter(this.lifecycleInRun());
    try {
      return await work(adapter);
    } catch (error) {
      const message = await adapter.messageOf(error);
      const failure = Object.assign(new Error(message), { stack: SHOWN_BY_ENGINE });
      if (!(error instanceof WriteFailure) || error.stored === undefined) throw failure;
      const { id, outputs } = error.stored;
      const properties = { ...adapter.outputs(outputs), [PROVIDER_KEY]: inputs[PROVIDER_KEY] };
      throw Object.assign(failure, { id, reasons: [message], properties });
    }
  }
}

/** The inputs that a check has returned, and the key of the resource. */
function readInputs({ context }: Lifecycle, newInputs: Properties) {
  const { key, inputs } = readHiddenInputs(fromEngine(newInputs));
  return { key: key === undefined ? undefined : context.program.keyOf(key), inputs };
}

/** The key that the stack has of a resource, if the program has another resource of its token. */
async function keyInStack({ context, definition }: Lifecycle, id: string, state: PropertyMap) {
  const { program, stack } = context;
  const token = storedKey(state);
  // A new resource may have the name that this one had before an alias.
  if (token === undefined || program.of(program.keyOf(token)) === undefined) return undefined;
  const stored = await stack.withId(definition.type, id);
  return stored.find(({ outputs }) => storedKey(outputs) === token)?.key;
}

const withToken = (inputs: Properties, token: string | undefined): Properties =>
  token === undefined ? inputs : { ...inputs, [HIDDEN_INPUTS.key]: token };

/** In place of the stack, which the plugin process prints: the engine shows the message. */
const SHOWN_BY_ENGINE = "The engine shows this error.";

/** A console method that ignores the errors that the engine shows itself. */
export const withoutRepeatedErrors =
  (print: (...values: unknown[]) => void): ((...values: unknown[]) => void) =>
  (...values) => {
    const [first] = values;
    if (typeof first !== "string" || !first.endsWith(SHOWN_BY_ENGINE)) print(...values);
  };
