import { remembered } from "../../values/remembered";

/** A JSON object of the API, with the members that this package does not know. */
export interface WireObject {
  readonly [name: string]: WireValue;
}

export type WireValue = string | number | boolean | null | undefined | readonly WireValue[] | WireObject;

export type Identified = WireObject & { readonly id: string };

export const isWireObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toCamelCase = remembered((name) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
);

const renamed = (object: WireObject, rename: (name: string) => string): WireObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));

/** Pipe settings with the API's names, which are in snake_case only here. */
export const settingsToWire = (settings: WireObject): WireObject => renamed(settings, toSnakeCase);

/** Pipe settings with camelCase names. */
export const settingsFromWire = (settings: WireObject): WireObject => renamed(settings, toCamelCase);

/** A create or update body with the API's names of settings. */
export const pipeToWire = (body: WireObject): WireObject =>
  isWireObject(body["settings"]) ? { ...body, settings: settingsToWire(body["settings"]) } : body;

/** A pipe of an answer with camelCase names of settings. */
export const pipeFromWire = <P extends WireObject>(pipe: P): P =>
  isWireObject(pipe["settings"]) ? { ...pipe, settings: settingsFromWire(pipe["settings"]) } : pipe;
