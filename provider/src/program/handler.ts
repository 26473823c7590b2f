/**
 * The program that the plugin process evaluates. The state of every stack contains this text, so it must never
 * change.
 */
export const handlerSource = (type: string): string =>
  `exports.handler = () => require("pulumi-datapipes/runtime").handler("${type}");`;
