import * as pulumi from "@pulumi/pulumi";
import { handlerSource } from "./handler";

/** What the classes of this package share: a custom resource whose operations run in the stock plugin process. */
export abstract class DatapipesResource extends pulumi.CustomResource {
  /** @internal */
  protected constructor(
    type: string,
    name: string,
    outputs: readonly string[],
    args: Readonly<Record<string, unknown>>,
    opts: pulumi.CustomResourceOptions,
  ) {
    // An output exists on the object only if the engine is told of it, so each is named, with or without a value.
    const named = Object.fromEntries(outputs.map((output) => [output, undefined]));
    super(typeToken(type), name, { ...named, ...args, __provider: handlerSource(type) }, opts);
  }
}

/** The type token of a resource of this package. */
export const typeToken = (type: string): string => `pulumi-nodejs:dynamic/datapipes:${type}`;

/** Whether a value is a resource of the given type, of whichever copy of this package. */
export const isResourceOfType = (value: unknown, type: string): boolean =>
  pulumi.Resource.isInstance(value) && (value as { __pulumiType?: unknown }).__pulumiType === typeToken(type);

/**
 * Marks members of the given names as secret before they leave the program. Only what is written out as plain objects
 * is looked into: a secret inside an output would make everything around it secret too.
 */
export function protectMembers(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((element) => protectMembers(element, names));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.has(name) && member !== undefined
        ? pulumi.secret(member as unknown)
        : protectMembers(member, names),
    ]),
  );
}
