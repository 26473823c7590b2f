/**
 * What a resource's state holds as its provider: the text that the engine's plugin process evaluates. It stands in the
 * state of every stack, so it must never change.
 */
export const handlerSource = (type: string): string =>
  `exports.handler = () => require("pulumi-datapipes/runtime").handler("${type}");`;
