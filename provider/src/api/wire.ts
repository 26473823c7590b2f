import { isSameId, isUuid } from "../values/uuid";

/** A JSON object of the API, with the members that this package does not know. */
export interface WireObject {
  readonly [name: string]: WireValue;
}

export type WireValue = string | number | boolean | null | undefined | readonly WireValue[] | WireObject;

export type Identified = WireObject & { readonly id: string };

export class WireList {
  constructor(
    readonly items: readonly Identified[],
    /** Objects without an ID that is a UUID: no stack can have them. */
    readonly leftOut: readonly WireObject[] = [],
    /** If not, an object that it lacks may exist. Some services return null while they cannot read the list. */
    readonly isComplete = leftOut.length === 0,
  ) {}
}

export const isWireObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads the result of an answer, which must belong to this service and, if the path of the request has an ID, to that
 * object. Throws an `Unreadable` if the result is anything else.
 */
export type Schema<T> = (result: unknown, expected: { serviceId: string; id?: string }) => T;

/** What is wrong with an answer, as the end of a sentence about it. */
export class Unreadable extends Error {}

/** A deletion needs no result. */
export const nothing: Schema<undefined> = () => undefined;

const object: Schema<WireObject> = (result) => {
  if (isWireObject(result)) return result;
  throw new Unreadable("the result is not an object");
};

/**
 * An object of the service with an ID. The engine prints IDs, and they become parts of paths, commands and programs.
 */
export const identified: Schema<Identified> = (result, expected) => {
  const found = object(result, expected);
  if (!hasId(found)) throw new Unreadable("the result has no ID that is a UUID");
  requireId(found["serviceId"], expected.serviceId, "the result belongs to another service");
  requireId(found.id, expected.id, "the result has another ID");
  return found;
};

export const service: Schema<WireObject> = (result, expected) => {
  const found = object(result, expected);
  requireId(found["id"], expected.serviceId, "the result belongs to another service");
  return found;
};

/** A pipe with camelCase names of settings. */
export const pipe: Schema<Identified> = (result, expected) =>
  withSettings(identified(result, expected), toCamelCase);

/** The settings of a pipe with camelCase names. */
export const pipeSettings: Schema<WireObject> = (result, expected) =>
  renamed(object(result, expected), toCamelCase);

export const listOf =
  (element: Schema<Identified>): Schema<WireList> =>
  (result, expected) => {
    if (result === null) return new WireList([], [], false);
    if (!Array.isArray(result)) throw new Unreadable("the result is not a list");
    if (!result.every(isWireObject)) throw new Unreadable("the result is not a list of objects");
    const items = result.filter(hasId).map((one) => element(one, expected));
    const leftOut = result.filter((one) => !hasId(one));
    return new WireList(items, leftOut);
  };

/** The body of a create or an update with the API's names of settings, which are in snake_case only here. */
export const pipeBody = (body: WireObject): WireObject => withSettings(body, toSnakeCase);

const hasId = (found: WireObject): found is Identified =>
  typeof found["id"] === "string" && isUuid(found["id"]);

/** A gateway or a cache may mix up answers. An answer may leave out an ID, and a path may have none. */
function requireId(found: unknown, expected: string | undefined, problem: string): void {
  if (found === undefined || found === null || expected === undefined) return;
  if (!isSameId(found, expected)) throw new Unreadable(problem);
}

const withSettings = <T extends WireObject>(pipe: T, rename: (name: string) => string): T =>
  isWireObject(pipe["settings"]) ? { ...pipe, settings: renamed(pipe["settings"], rename) } : pipe;

const renamed = (settings: WireObject, rename: (name: string) => string): WireObject =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [rename(name), value]));

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
