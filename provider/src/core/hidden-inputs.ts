import type { GivenSettings } from "../config";
import { isList, isMap, omit, type PropertyMap, type PropertyValue } from "./property-value";

/**
 * Inputs by which the class of a resource says to the plugin process what the engine does not pass on. `check` takes them out, so they are
 * neither compared nor stored.
 */
export const HIDDEN_INPUTS = {
  /** Which resource of the program it is: the logical names from the outermost parent on. */
  key: "__key",
  /** Which settings the program gave its `Provider`. */
  given: "__given",
  /** The engine replaces the resource whenever it replaces another one (`replaceWith`). */
  replaceWith: "__replaceWith",
} as const;

/** What the hidden inputs of a check say, and the other inputs. */
export interface Unhidden {
  readonly key?: string;
  readonly given?: GivenSettings;
  readonly followsOthers: boolean;
  readonly inputs: PropertyMap;
}

/** Takes the hidden inputs out. */
export function readHiddenInputs(properties: PropertyMap): Unhidden {
  const { key, given, replaceWith } = HIDDEN_INPUTS;
  const settings = givenSettings(properties[given]);
  const resource = properties[key];
  return {
    ...(typeof resource === "string" && { key: resource }),
    ...(settings && { given: settings }),
    followsOthers: properties[replaceWith] === true,
    inputs: omit(properties, Object.values(HIDDEN_INPUTS)),
  };
}

function givenSettings(value: PropertyValue): GivenSettings | undefined {
  const { provider, names } = isMap(value) ? value : {};
  return typeof provider === "string" && isList(names)
    ? { provider, names: names.filter((name) => typeof name === "string") }
    : undefined;
}
