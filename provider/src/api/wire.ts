/** An object as the API sends and takes it. Members that this package does not know are carried along. */
export interface WireObject {
  readonly [name: string]: WireValue;
}

/** Any JSON value. */
export type WireValue = string | number | boolean | null | undefined | readonly WireValue[] | WireObject;

/** Something that exists under an id. */
export type Identified = WireObject & { readonly id: string };

/** An id as one compares it: a UUID may be written in capitals or not. */
export const idKey = (id: string): string => id.toLowerCase();

/** Whether a value is a JSON object. */
export const isWireObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toCamelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const renamed = (object: WireObject, rename: (name: string) => string): WireObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));

/** Pipe settings as the API spells them: the one place where its names are not in camelCase. */
export const settingsToWire = (settings: WireObject): WireObject => renamed(settings, toSnakeCase);

/** Pipe settings as the rest of this package spells them. */
export const settingsFromWire = (settings: WireObject): WireObject => renamed(settings, toCamelCase);

/** A create or update body with the settings in the API's spelling. */
export const pipeToWire = (body: WireObject): WireObject =>
  isWireObject(body["settings"]) ? { ...body, settings: settingsToWire(body["settings"]) } : body;

/** A pipe of an answer with its settings in camelCase. */
export const pipeFromWire = <P extends WireObject>(pipe: P): P =>
  isWireObject(pipe["settings"]) ? { ...pipe, settings: settingsFromWire(pipe["settings"]) } : pipe;
