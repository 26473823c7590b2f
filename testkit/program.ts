import type { JsonObject } from "./pipes";

/** The text that declares one resource of this package; `options` is the text of the third argument. */
export function declaration(type: string, name: string, args: JsonObject, options = "undefined"): string {
  return `new datapipes.${type}(${JSON.stringify(name)}, ${JSON.stringify(args)}, ${options})`;
}

export function outputs(expressions: Record<string, string>): string {
  return Object.entries(expressions)
    .map(([name, expression]) => `exports[${JSON.stringify(name)}] = ${expression};\n`)
    .join("");
}
