import * as pulumi from "@pulumi/pulumi";
import { handlerSource } from "./handler";
import { hiddenInputsOf, isDeclared } from "./program-resource";
import { programError } from "./program-error";
import { typeToken } from "../lifecycle/state/type-tokens";
import { skipUnreadStacks } from "./unread-stacks";

export type Arguments = Readonly<Record<string, unknown>>;

/** The base class: a dynamic resource, whose operations run in the plugin process of Pulumi. */
export abstract class DatapipesResource extends pulumi.CustomResource {
  /** @internal */
  protected constructor(
    type: string,
    name: string,
    outputs: readonly string[],
    args: Arguments,
    opts: pulumi.CustomResourceOptions,
  ) {
    const retained = isRetained(args, opts);
    // `pulumi up --replace` does not ask the provider.
    const deletesFirst =
      args["deletionPolicy"] === "delete" && isDeclared(opts) && opts.deleteBeforeReplace === undefined;
    // Pulumi creates an output property, of four promises, only for a name among the inputs, with or without a value.
    const named = Object.fromEntries(outputs.map((output) => [output, undefined]));
    const props = {
      ...named,
      ...args,
      ...hiddenInputsOf(type, name, opts),
      __provider: handlerSource(type),
    };
    const options = {
      ...opts,
      ...(retained && { retainOnDelete: true }),
      ...(deletesFirst && { deleteBeforeReplace: true }),
      // A stack whose program used the native plugin has the resource under that type. Without the alias, a second
      // one would be created.
      ...(isDeclared(opts) && { aliases: [...(opts.aliases ?? []), { type: typeToken(type, "native") }] }),
    };
    const readAll = skipUnreadStacks();
    try {
      super(typeToken(type), name, props, options);
    } finally {
      readAll();
    }
  }
}

/** Requires an id for `get`: without one, the engine would create a resource. */
export function idToRead(type: string, name: string, id: pulumi.Input<pulumi.ID>): pulumi.Input<pulumi.ID> {
  if (typeof id === "string" ? id !== "" : (id as unknown) != null) return id;
  throw programError(`${type}.get("${name}"): the ID is missing. Pass the ID of an existing resource.`);
}

/** Whether a value is a resource of this type, from any copy of this package. */
export const isResourceOfType = (value: unknown, type: string): boolean =>
  pulumi.Resource.isInstance(value) && (value as { __pulumiType?: unknown }).__pulumiType === typeToken(type);

/**
 * Marks members of these names as secret, in plain objects only: a secret inside an output makes the whole output
 * secret.
 */
export function markSecrets(value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.has(name) && member !== undefined ? pulumi.secret(member as unknown) : markSecrets(member, names),
    ]),
  );
}

/**
 * Whether to set Pulumi's option `retainOnDelete`, so that a preview shows `delete[retain]`. A policy that is an
 * output may resolve to "delete", so the plugin decides then.
 */
function isRetained({ deletionPolicy }: Arguments, opts: pulumi.CustomResourceOptions): boolean {
  if (!isDeclared(opts) || opts.retainOnDelete !== undefined) return false;
  return (deletionPolicy ?? "retain") === "retain";
}
