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
