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
    /** Whether the answer was a list: some services return null while they cannot read it. */
    readonly isList = true,
  ) {}

  /** If the list is incomplete, an object that it lacks may exist. */
  get isComplete(): boolean {
    return this.isList && this.leftOut.length === 0;
  }
}

export const isWireObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an answer must belong to: a service and, if the path of the request has an ID, that object. */
export interface Expected {
  readonly serviceId: string;
  readonly id?: string | undefined;
}

/** Reads the result of an answer. Throws an `Unreadable` if the result is anything else. */
export type Schema<T> = (result: unknown, expected: Expected) => T;

/** What is wrong with an answer, as the end of a sentence about it. */
export class Unreadable extends Error {}

/** A deletion needs no result. */
export const nothing: Schema<undefined> = () => undefined;

export const object: Schema<WireObject> = (result) => {
  if (result === undefined) throw new Unreadable("the response has no result");
  if (isWireObject(result)) return result;
  throw new Unreadable("the result is not an object");
};

/**
 * An object of the service with an ID. The engine prints IDs, and they become parts of paths, commands and programs.
 */
export const identified: Schema<Identified> = (result, { serviceId, id }) => {
  const found = object(result, { serviceId });
  const foundId = found["id"];
  if (typeof foundId !== "string" || !isUuid(foundId))
    throw new Unreadable("the result has no ID that is a UUID");
  // A gateway or a cache may mix up answers.
  if (!isSameOrAbsent(found["serviceId"], serviceId))
    throw new Unreadable("the result belongs to another service");
  if (!isSameOrAbsent(foundId, id)) throw new Unreadable("the result has another ID");
  return { ...found, id: foundId };
};

export const service: Schema<WireObject> = (result, { serviceId }) => {
  const found = object(result, { serviceId });
  if (isSameOrAbsent(found["id"], serviceId)) return found;
  throw new Unreadable("the result belongs to another service");
};

/** A pipe with camelCase names of settings. */
export const pipe: Schema<Identified> = (result, expected) => {
  const found = identified(result, expected);
  return isWireObject(found["settings"])
    ? { ...found, settings: renamed(found["settings"], toCamelCase) }
    : found;
};

/** The settings of a pipe with camelCase names. */
export const pipeSettings: Schema<WireObject> = (result, expected) =>
  renamed(object(result, expected), toCamelCase);

export const listOf =
  (element: Schema<Identified>): Schema<WireList> =>
  (result, expected) => {
    if (result === undefined) throw new Unreadable("the response has no result");
    if (result === null) return new WireList([], [], false);
    if (!Array.isArray(result)) throw new Unreadable("the result is not a list");
    if (!result.every(isWireObject)) throw new Unreadable("the result is not a list of objects");
    const items = result.filter(hasId).map((one) => element(one, expected));
    const leftOut = result.filter((one) => !hasId(one));
    return new WireList(items, leftOut);
  };

/** The body of a create or an update with the API's names of settings, which are in snake_case only here. */
export const pipeBody = (body: WireObject): WireObject =>
  isWireObject(body["settings"]) ? { ...body, settings: renamed(body["settings"], toSnakeCase) } : body;

export const unchangedBody = (body: WireObject): WireObject => body;

const hasId = ({ id }: WireObject): boolean => typeof id === "string" && isUuid(id);

/** Whether a value is this ID, in any spelling, or either is absent. */
const isSameOrAbsent = (value: unknown, id: string | undefined): boolean =>
  value === undefined || value === null || id === undefined || isSameId(value, id);

const renamed = (settings: WireObject, rename: (name: string) => string): WireObject =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [rename(name), value]));

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
