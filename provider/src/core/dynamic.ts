import type * as pulumi from "@pulumi/pulumi";
import { describeFailure, type Failure } from "./validation";
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
import { printableLines } from "../printable";
import { PartialFailure, type Lifecycle } from "./lifecycle";

/** The dynamic-provider protocol's own words. Nothing outside this file knows them. */
const UNKNOWN_SENTINEL = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SECRET_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
const PROVIDER_KEY = "__provider";

type Properties = Record<string, unknown>;
type DynamicProvider = pulumi.dynamic.ResourceProvider<Properties, Properties>;

/** Reads a value of the stack's configuration by its full key. */
export type ReadConfiguration = (key: string) => string | undefined;

/** The neutral lifecycle as the plugin process of the engine calls it. */
export function dynamicProvider(
  lifecycle: Lifecycle,
  configure: (read: ReadConfiguration) => void,
): Required<DynamicProvider> {
  const { type, secretNames } = lifecycle.definition;
  const declared: Marks = { names: secretNames, isSecret: never };
  const fields = new Set(lifecycle.fields.map(({ name }) => name));
  const readable: Readable = (text) => printableLines(lifecycle.context.redact?.(text) ?? text);
  const { render = plainMessageOf } = lifecycle.context;
  const messageOf = (error: unknown, created?: string): string =>
    readable(error instanceof PartialFailure ? render(error.cause, created) : render(error));
  const messageOfCreate: MessageOf = (error) => messageOf(error, type);
  // The plugin process adds to what it is given, so it gets an object of its own.
  const inputs = (properties: PropertyMap): Properties => ({
    ...(toWire(properties, declared) as Properties),
  });
  const outgoing = (properties: PropertyMap): Properties => {
    // A server may repeat a credential under any name. What the program itself declares, it marks itself.
    const isSecret = lifecycle.context.secretTextsOf?.(properties) ?? never;
    const stated: Marks = { names: secretNames, isSecret };
    return {
      ...mapMembers(properties, (value, name) =>
        memberToWire(name, value, fields.has(name) ? declared : stated),
      ),
    };
  };

  return {
    // Calls that arrive meanwhile do not wait for this one, so it must be done when it returns.
    configure: (request) => {
      configure((key) => request.config.get(key));
      return Promise.resolve();
    },
    check: (olds, news) =>
      withoutStackTrace(type, messageOf, async () => {
        const before = PROVIDER_KEY in olds ? fromWire(olds) : undefined;
        const given = fromWire(news);
        const checked = lifecycle.check(before, given);
        const failures = [...checked.failures, ...(await lifecycle.checkAdoption(checked))];
        // What is wrong may be that a secret stands in the wrong place.
        if (failures.length > 0) lifecycle.context.trackSecrets?.(given);
        return {
          inputs: inputs(checked.inputs),
          failures: failures.map((failure) => toCheckFailure(failure, readable)),
        };
      }),
    diff: (id, olds, news) =>
      withoutStackTrace(type, messageOf, () => {
        const { changed, replaces, deleteBeforeReplace } = lifecycle.diff(id, fromWire(olds), fromWire(news));
        // `changes` stays undefined: then the engine computes the nested diff that people read.
        return changed ? { replaces: [...replaces], deleteBeforeReplace } : { changes: false };
      }),
    create: (news) =>
      keepingPartialState(news, { outgoing, messageOf: messageOfCreate }, async () => {
        const { id, outputs } = await lifecycle.create(fromWire(news));
        return { id, outs: outgoing(outputs) };
      }),
    read: (id, properties = {}) =>
      withoutStackTrace(type, messageOf, async () => {
        const result = await lifecycle.read(id, fromWire(properties));
        return result === undefined
          ? {}
          : { id, props: outgoing(result.outputs), inputs: inputs(result.inputs) };
      }),
    update: (id, olds, news) =>
      keepingPartialState(news, { outgoing, messageOf }, async () => ({
        outs: outgoing(await lifecycle.update(id, fromWire(olds), fromWire(news))),
      })),
    delete: (id, properties) =>
      withoutStackTrace(type, messageOf, () => lifecycle.delete(id, fromWire(properties))),
  };
}

/** What the engine sent, in neutral values, without what belongs to the protocol. */
function fromWire(properties: Properties): PropertyMap {
  const convert = (value: unknown): PropertyValue => {
    if (value === UNKNOWN_SENTINEL) return UNKNOWN;
    if (Array.isArray(value)) return mapElements(value, convert);
    return isMap(value) ? mapMembers(value, convert) : (value as PropertyValue);
  };
  return omit(convert(properties) as PropertyMap, [PROVIDER_KEY]);
}

/** What the engine is told to keep secret. */
interface Marks {
  /** Members of these names. */
  readonly names: ReadonlySet<string>;
  /** Texts of which this is true. */
  readonly isSecret: (text: string) => boolean;
}

const never = (): boolean => false;

/** Makes a text one that a person may read: without secrets and control characters. */
type Readable = (text: string) => string;

/** What a person reads of an error. */
type MessageOf = (error: unknown) => string;

/** A secret is marked as a whole, and nothing inside it once more. */
const NO_MARKS: Marks = { names: new Set(), isSecret: never };

/**
 * Neutral values in the protocol's words. Every member that bears a secret name is marked, wherever it stands: what the server
 * echoes at an unexpected place is as secret as what was declared. An undefined anywhere would make the engine's serializer fail.
 */
function toWire(value: PropertyValue, marks: Marks): unknown {
  if (value === UNKNOWN) return UNKNOWN_SENTINEL;
  if (typeof value === "string") return marks.isSecret(value) ? marked(value) : value;
  if (isList(value)) return mapElements(value, (element) => toWire(element, marks));
  return isMap(value) ? mapMembers(value, (member, name) => memberToWire(name, member, marks)) : value;
}

const memberToWire = (name: string, member: PropertyValue, marks: Marks): unknown =>
  marks.names.has(name) && member !== undefined && member !== null
    ? marked(toWire(member, NO_MARKS))
    : toWire(member, marks);

const marked = (value: unknown): Properties => ({ [SECRET_KEY]: SECRET_SIGNATURE, value });

/**
 * The engine prints the whole value of a top-level property that a failure names, secrets included. So the path
 * stands in the reason, and only a nested path, for which there is nothing to print, is named as the property.
 */
const toCheckFailure = (failure: Failure, readable: Readable): pulumi.dynamic.CheckFailure => ({
  property: "",
  reason: readable(describeFailure(failure)),
});

/** Runs a create or update; what exists when it fails is kept, with all that its next operation needs. */
async function keepingPartialState<T>(
  inputs: Properties,
  { outgoing, messageOf }: { outgoing: (properties: PropertyMap) => Properties; messageOf: MessageOf },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error);
    if (!(error instanceof PartialFailure))
      throw message === plainMessageOf(error) ? error : new Error(message);
    const failure = {
      id: error.id,
      message,
      reasons: [message],
      properties: { ...outgoing(error.properties), [PROVIDER_KEY]: inputs[PROVIDER_KEY] },
    };
    throw Object.assign(new Error(message), failure);
  }
}

const plainMessageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The plugin process prints the stack of what these methods throw. People need the message alone, and once. */
async function withoutStackTrace<T>(
  type: string,
  messageOf: MessageOf,
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

/** What the plugin process would print of a {@link MessageOnlyError}. */
const QUIET = "failed; the error of the resource says why.";

/** The console without what the plugin process prints of errors that the engine shows by themselves. */
export const withoutRepeatedErrors =
  (print: (...values: unknown[]) => void): ((...values: unknown[]) => void) =>
  (...values) => {
    const [first] = values;
    if (typeof first !== "string" || !first.endsWith(QUIET)) print(...values);
  };
