import type * as pulumi from "@pulumi/pulumi";
import { describeFailure } from "./validation";
import {
  isList,
  isMap,
  mapElements,
  mapMembers,
  omit,
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "./property-value";
import { SIGNATURE, UNKNOWN_TEXT } from "../engine-marks";
import { printableLines } from "../printable";
import { PartialFailure, ReplacementFailure, type Lifecycle } from "./lifecycle";

/** Constants of the dynamic-provider protocol. No other file knows them. */
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
const PROVIDER_KEY = "__provider";

type Properties = Record<string, unknown>;
type DynamicProvider = pulumi.dynamic.ResourceProvider<Properties, Properties>;

/** Reads a value of the stack's configuration by its full key. */
export type ReadConfiguration = (key: string) => string | undefined;

/** Adapts the lifecycle to the dynamic-provider protocol. */
export function dynamicProvider(
  lifecycle: Lifecycle,
  configure: (read: ReadConfiguration) => void,
): Required<DynamicProvider> {
  const results = resultsOf(lifecycle);
  return {
    // Other calls do not wait for the promise, so the configuration must be complete when this returns.
    configure: (request) => {
      configure((key) => request.config.get(key));
      return Promise.resolve();
    },
    check: checkMethod(lifecycle, results),
    ...readMethods(lifecycle, results),
    ...writeMethods(lifecycle, results),
  };
}

/** Properties and messages as the engine gets them. */
interface Results {
  readonly inputs: (properties: PropertyMap) => Properties;
  readonly outputs: (properties: PropertyMap) => Properties;
  /** A text without secrets and control characters. */
  readonly sanitized: (text: string) => string;
  /** The message of an error; `created` is the type of a resource that was created all the same. */
  readonly messageOf: (error: unknown, created?: string) => string;
}

function resultsOf({ context, definition, fields }: Lifecycle): Results {
  const { secretNames: names } = definition;
  const byName: Secrets = { names };
  const inputNames = new Set(fields.map(({ name }) => name));
  const sanitized = (text: string): string => printableLines(context.redact?.(text) ?? text);
  const { render = plainMessageOf } = context;
  return {
    sanitized,
    messageOf: (error, created) =>
      sanitized(
        error instanceof PartialFailure
          ? render(error.cause, { inStack: created })
          : error instanceof ReplacementFailure
            ? render(error.cause, { isReplacement: true })
            : render(error),
      ),
    // The plugin process adds members to its results, so each is a copy.
    inputs: (properties) => ({ ...toWireMap(properties, () => byName) }),
    outputs: (properties) => {
      // A server may repeat a credential in any output. The program marks secrets in its own inputs.
      const byText: Secrets = { names, isSecret: context.secretTextsOf?.(properties) };
      return { ...toWireMap(properties, (name) => (inputNames.has(name) ? byName : byText)) };
    },
  };
}

const checkMethod =
  (lifecycle: Lifecycle, { inputs, sanitized, messageOf }: Results): Required<DynamicProvider>["check"] =>
  (olds, news) =>
    withoutStackTrace(lifecycle.definition.type, messageOf, async () => {
      const before = PROVIDER_KEY in olds ? fromWire(olds) : undefined;
      const given = fromWire(news);
      const checked = lifecycle.check(before, given);
      const failures = [...checked.failures, ...(await lifecycle.checkAdoption(checked))];
      // A failure may be about a secret in the wrong field.
      if (failures.length > 0) lifecycle.context.trackSecrets?.(given);
      // The engine prints the value of a property that a failure names, secrets included, so the reason names the path.
      const reasons = failures.map((failure) => ({
        property: "",
        reason: sanitized(describeFailure(failure)),
      }));
      return { inputs: inputs(checked.inputs), failures: reasons };
    });

function readMethods(lifecycle: Lifecycle, { inputs, outputs, messageOf }: Results) {
  const { type } = lifecycle.definition;
  return {
    diff: (id: string, olds: Properties, news: Properties) =>
      withoutStackTrace(type, messageOf, () => {
        const result = lifecycle.diff(id, fromWire(olds), fromWire(news));
        if (!result.changed) return { changes: false };
        const { inputsEqual, replaces, deleteBeforeReplace } = result;
        // Without `changes`, the engine compares the inputs, shows what differs, and applies `replaceOnChanges`.
        return { ...(inputsEqual && { changes: true }), replaces: [...replaces], deleteBeforeReplace };
      }),
    read: (id: string, properties: Properties = {}) =>
      withoutStackTrace(type, messageOf, async () => {
        const result = await lifecycle.read(id, fromWire(properties));
        return result === undefined
          ? {}
          : { id, props: outputs(result.outputs), inputs: inputs(result.inputs) };
      }),
  };
}

function writeMethods(lifecycle: Lifecycle, { outputs, messageOf }: Results) {
  const { type } = lifecycle.definition;
  return {
    create: (news: Properties) =>
      keepingPartialState(news, { outputs, messageOf: (error) => messageOf(error, type) }, async () => {
        const created = await lifecycle.create(fromWire(news));
        return { id: created.id, outs: outputs(created.outputs) };
      }),
    update: (id: string, olds: Properties, news: Properties) =>
      keepingPartialState(news, { outputs, messageOf }, async () => ({
        outs: outputs(await lifecycle.update(id, fromWire(olds), fromWire(news))),
      })),
    delete: (id: string, properties: Properties) =>
      withoutStackTrace(type, messageOf, () => lifecycle.delete(id, fromWire(properties))),
  };
}

/** The engine's properties as neutral values, without the protocol's own. */
function fromWire(properties: Properties): PropertyMap {
  const convert = (value: unknown): PropertyValue => {
    if (value === UNKNOWN_TEXT) return UNKNOWN;
    if (Array.isArray(value)) return mapElements(value, convert);
    return isMap(value) ? mapMembers(value, convert) : (value as PropertyValue);
  };
  return omit(convert(properties) as PropertyMap, [PROVIDER_KEY]);
}

/** Which values to mark as secret: members of these names, at any depth, and matching texts. */
interface Secrets {
  readonly names: ReadonlySet<string>;
  readonly isSecret?: ((text: string) => boolean) | undefined;
}

/** Inside a secret, nothing is marked again. */
const NO_SECRETS: Secrets = { names: new Set() };

const toWireMap = (map: PropertyMap, secretsOf: (name: string) => Secrets): Readonly<Properties> =>
  mapMembers(map, (member, name) => {
    const secrets = secretsOf(name);
    return secrets.names.has(name) && member !== undefined && member !== null
      ? asSecret(toWire(member, NO_SECRETS))
      : toWire(member, secrets);
  });

function toWire(value: PropertyValue, secrets: Secrets): unknown {
  if (value === UNKNOWN) return UNKNOWN_TEXT;
  if (typeof value === "string") return secrets.isSecret?.(value) ? asSecret(value) : value;
  if (isList(value)) return mapElements(value, (element) => toWire(element, secrets));
  return isMap(value) ? toWireMap(value, () => secrets) : value;
}

const asSecret = (value: unknown): Properties => ({ [SIGNATURE]: SECRET_SIGNATURE, value });

/** Runs a create or update. The engine stores the outputs of a partial failure. */
async function keepingPartialState<T>(
  inputs: Properties,
  { outputs, messageOf }: Pick<Results, "outputs" | "messageOf">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error);
    if (!(error instanceof PartialFailure))
      throw message === plainMessageOf(error) ? error : new Error(message);
    throw Object.assign(new Error(message), {
      id: error.id,
      reasons: [message],
      properties: { ...outputs(error.properties), [PROVIDER_KEY]: inputs[PROVIDER_KEY] },
    });
  }
}

const plainMessageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The plugin process prints the stack of an error of these methods, and the engine prints the message again. */
async function withoutStackTrace<T>(
  type: string,
  messageOf: (error: unknown) => string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MessageOnlyError(type, messageOf(error));
  }
}

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
