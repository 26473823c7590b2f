import path from "node:path";
import { typeToken } from "../../provider/src/lifecycle/state/resource-key";
import type { JsonObject } from "./json";

/** The text that declares one resource of this package; `options` is the text of the third argument. */
export function declaration(type: string, name: string, args: JsonObject, options = "undefined"): string {
  return `new datapipes.${type}(${JSON.stringify(name)}, ${JSON.stringify(args)}, ${options})`;
}

export function outputs(expressions: Record<string, string>): string {
  return Object.entries(expressions)
    .map(([name, expression]) => `exports[${JSON.stringify(name)}] = ${expression};\n`)
    .join("");
}

/** The forms in which programs use the provider: as dynamic resources, or through the native plugin. */
export type Adapter = "dynamic" | "native";

/** The form that the programs of the running tests use: a project of Jest sets it. */
export const adapter: Adapter = (globalThis as { adapter?: Adapter }).adapter ?? "dynamic";

export const isNative = adapter === "native";

export const tokenOf = (type: string, of: Adapter = adapter): string => typeToken(type, of);

/**
 * What the engine prints behind the deletion of a resource with the policy "retain". Only a class of resources can set the
 * option `retainOnDelete`: the native plugin gets the call, and sends nothing.
 */
export const retainMark = isNative ? "" : "\\[retain\\]";

export const examplesFolder = path.resolve(__dirname, "../../examples");
