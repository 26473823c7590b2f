import type { GivenSettings } from "../config";
import { isList, isMap, type PropertyMap } from "./property-value";

/**
 * What a resource's state holds as its provider: the text that the engine's plugin process evaluates. It stands in the
 * state of every stack, so it must never change.
 */
export const handlerSource = (type: string): string =>
  `exports.handler = () => require("pulumi-datapipes/runtime").handler("${type}");`;

/**
 * The input by which a resource's class tells the plugin process which resource of the program it is: the logical names from
 * the outermost parent on. `check` takes it out, so it is neither compared nor stored.
 */
export const KEY = "__key";

/** The input by which it tells which settings the program gave its `Provider`. `check` takes it out as well. */
export const GIVEN = "__given";

/** The input by which it tells that the program has the resource replaced with others (`replaceWith`). `check` takes it out as well. */
export const FOLLOWS = "__replaceWith";

/** The settings that the program gave, as `check` gets them. */
export function givenIn(inputs: PropertyMap): GivenSettings | undefined {
  const given = inputs[GIVEN];
  if (!isMap(given)) return undefined;
  const { provider, names } = given;
  return typeof provider === "string" && isList(names)
    ? { provider, names: names.filter((name) => typeof name === "string") }
    : undefined;
}
