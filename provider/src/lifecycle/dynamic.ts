import type * as pulumi from "@pulumi/pulumi";
import { aboutUrn } from "../messages/advised-urn";
import { dynamicUrn } from "../pulumi/resource-urn";
import { adapterOf, type Adapter } from "./engine-results";
import { fromEngine, PROVIDER_KEY, type Properties } from "./engine-values";
import { HIDDEN_INPUTS, readHiddenInputs } from "./hidden-inputs";
import { PartialFailure, type Lifecycle } from "./lifecycle";
import { storedKey } from "./private-state";
import type { PropertyMap } from "./property-value";

type DynamicProvider = pulumi.dynamic.ResourceProvider<Properties, Properties>;

/** Reads a value of the stack's configuration by its full key. */
export type ReadConfiguration = (key: string) => string | undefined;

/** Adapts the lifecycle of the current run to the dynamic-provider protocol. */
export function dynamicProvider(
  lifecycleInRun: () => Lifecycle,
  configure: (read: ReadConfiguration) => void,
): Required<DynamicProvider> {
  const adapterInRun = (): Adapter => adapterOf(lifecycleInRun());
  return {
    // Other calls do not wait for the promise, so the configuration must be complete when this returns.
    configure: (request) => {
      configure((key) => request.config.get(key));
      return Promise.resolve();
    },
    check: checkMethod(adapterInRun),
    ...readMethods(adapterInRun),
    ...writeMethods(adapterInRun),
  };
}

const checkMethod =
  (adapterInRun: () => Adapter): Required<DynamicProvider>["check"] =>
  (oldInputs, newInputs) =>
    withoutStackTrace(adapterInRun(), calledIn(newInputs), async (adapter) => {
      const { lifecycle, results } = adapter;
      const isInStack = Object.keys(oldInputs).length > 0;
      const before = isInStack ? fromEngine(oldInputs) : undefined;
      const { key, inputs: given } = resourceOf(newInputs);
      const checked = lifecycle.check(before, fromEngine(newInputs));
      const reasons = await results.failures(given, checked);
      return {
        inputs: withKey(key, results.inputs(checked.inputs)),
        failures: reasons.map((reason) => ({ property: "", reason })),
      };
    });

function readMethods(adapterInRun: () => Adapter) {
  return {
    diff: (id: string, state: Properties, newInputs: Properties) =>
      withoutStackTrace(adapterInRun(), calledIn(newInputs), ({ lifecycle }) => {
        const { key, inputs } = resourceOf(newInputs);
        const result = lifecycle.diff(id, fromEngine(state), inputs, key);
        // Without the handler in its outputs, as the native plugin leaves them, Pulumi could neither read nor delete
        // the resource.
        if (!result.changed) return { changes: !(PROVIDER_KEY in state) };
        const { inputsEqual, replaces, deleteBeforeReplace } = result;
        // Without `changes`, the engine compares the inputs, shows what differs, and applies `replaceOnChanges`.
        return { ...(inputsEqual && { changes: true }), replaces: [...replaces], deleteBeforeReplace };
      }),
    read: (id: string, properties: Properties = {}) =>
      withoutStackTrace(adapterInRun(), {}, async ({ lifecycle, results }) => {
        const stored = fromEngine(properties);
        const read = await lifecycle.read(id, stored);
        if (read === undefined) return {};
        const inputs = withKey(storedKey(stored), results.inputs(read.inputs));
        return { id, props: results.outputs(read.outputs), inputs };
      }),
  };
}

function writeMethods(adapterInRun: () => Adapter) {
  return {
    create: (newInputs: Properties) =>
      keepingPartialState(
        adapterInRun(),
        { inputs: newInputs, isNew: true },
        async ({ lifecycle, results }) => {
          const { key, inputs } = resourceOf(newInputs);
          const created = await lifecycle.create(inputs, key);
          return { id: created.id, outs: results.outputs(created.outputs) };
        },
      ),
    update: (id: string, state: Properties, newInputs: Properties) =>
      keepingPartialState(adapterInRun(), { inputs: newInputs }, async ({ lifecycle, results }) => {
        const { key, inputs } = resourceOf(newInputs);
        return { outs: results.outputs(await lifecycle.update(id, fromEngine(state), inputs, key)) };
      }),
    delete: (id: string, properties: Properties) =>
      withoutStackTrace(adapterInRun(), { state: properties }, ({ lifecycle }) =>
        lifecycle.delete(id, fromEngine(properties)),
      ),
  };
}

/** The key and the other inputs in checked ones. */
function resourceOf(checked: Properties): { readonly key: string | undefined; readonly inputs: PropertyMap } {
  const { key, inputs } = readHiddenInputs(fromEngine(checked));
  return { key, inputs };
}

const withKey = (key: string | undefined, inputs: Properties): Properties =>
  key === undefined ? inputs : { ...inputs, [HIDDEN_INPUTS.key]: key };

/**
 * What a call says of its resource, as the engine sends it. Only a check says the stack, and a deletion has the state
 * alone.
 */
interface CalledResource {
  readonly key?: unknown;
  readonly stack?: unknown;
  readonly state?: Properties;
}

const calledIn = ({
  [HIDDEN_INPUTS.key]: key,
  [HIDDEN_INPUTS.stack]: stack,
}: Properties): CalledResource => ({
  key,
  stack,
});

/** Runs a call about a resource: its messages have the URN, if it is known. */
const aboutResource = <T>(
  { lifecycle }: Adapter,
  { state, key = storedKey((state ?? {}) as PropertyMap), stack }: CalledResource,
  work: () => Promise<T>,
): Promise<T> => aboutUrn(dynamicUrn(key, stack ?? lifecycle.context.stack.name), work);

/** Runs a create or update. The engine stores the outputs of a partial failure. */
const keepingPartialState = <T>(
  adapter: Adapter,
  { inputs, isNew = false }: { readonly inputs: Properties; readonly isNew?: boolean },
  work: (adapter: Adapter) => Promise<T>,
): Promise<T> =>
  aboutResource(adapter, calledIn(inputs), async () => {
    try {
      return await work(adapter);
    } catch (error) {
      const { results } = adapter;
      const message = results.messageOf(error, isNew);
      if (!(error instanceof PartialFailure)) throw new Error(message);
      throw Object.assign(new Error(message), {
        id: error.id,
        reasons: [message],
        properties: { ...results.outputs(error.properties), [PROVIDER_KEY]: inputs[PROVIDER_KEY] },
      });
    }
  });

/** The plugin process prints the stack of an error of these methods, and the engine prints the message again. */
const withoutStackTrace = <T>(
  adapter: Adapter,
  resource: CalledResource,
  work: (adapter: Adapter) => T | Promise<T>,
): Promise<T> =>
  aboutResource(adapter, resource, async () => {
    try {
      return await work(adapter);
    } catch (error) {
      throw new MessageOnlyError(adapter.lifecycle.definition.type, adapter.results.messageOf(error));
    }
  });

class MessageOnlyError extends Error {
  constructor(
    private readonly type: string,
    message: string,
  ) {
    super(message);
    this.stack = QUIET;
  }

  override toString(): string {
    return this.type;
  }
}

/** Replaces the stack of a {@link MessageOnlyError}. */
const QUIET = "failed; the error of the resource says why.";

/** A console method that ignores the errors that the engine shows itself. */
export const withoutRepeatedErrors =
  (print: (...values: unknown[]) => void): ((...values: unknown[]) => void) =>
  (...values) => {
    const [first] = values;
    if (typeof first !== "string" || !first.endsWith(QUIET)) print(...values);
  };
