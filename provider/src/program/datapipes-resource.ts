import * as pulumi from "@pulumi/pulumi";
import { SECRET_NAMES } from "../api/secrets/secret-names";
import { typeToken } from "../lifecycle/state/resource-key";
import { handlerSource } from "./handler";
import { OUTPUTS, TAKE_OVER } from "./outputs";
import { warnOfConfiguration } from "./plain-secret";
import { programError } from "./program-error";
import { hiddenInputsOf, isDeclared } from "./program-resource";
import { skipUnreadStacks } from "./unread-stacks";

type Arguments = Readonly<Record<string, unknown>>;
type ResourceType = "Pipe" | "ReversePrivateEndpoint" | "ServiceSettings";

/** The base class: a dynamic resource, whose operations run in the plugin process of Pulumi. */
export abstract class DatapipesResource extends pulumi.CustomResource {
  /**
   * Programs in JavaScript may leave out what is required; `check` reports it with all else that is wrong.
   * @throws RunError for an import: that needs a plugin of the type's package, which a dynamic resource does not have
   * @internal
   */
  protected constructor(
    type: ResourceType,
    name: string,
    given?: object | null,
    options?: pulumi.CustomResourceOptions | null,
  ) {
    warnOfConfiguration();
    const opts = options ?? {};
    if (opts.import !== undefined)
      throw programError(
        `${type} "${name}": the resource option \`import\` and \`pulumi import <type>\` do not work with dynamic ` +
          `resources. Remove the option. ${TAKE_OVER[type]}`,
      );
    const args: Arguments = { ...given };
    // Pulumi creates an output property, of four promises, only for a name among the inputs, with or without a value.
    const named = Object.fromEntries(OUTPUTS[type].map((output) => [output, undefined]));
    const props = {
      ...named,
      ...(markSecrets(args, SECRET_NAMES) as Arguments),
      ...(type === "Pipe" && isDeclared(opts) && { name: nameOr(name, args["name"]) }),
      ...hiddenInputsOf(type, name, opts),
      __provider: handlerSource(type),
    };
    const readAll = skipUnreadStacks();
    try {
      super(typeToken(type), name, props, isDeclared(opts) ? declaredOptions(type, args, opts) : opts);
    } finally {
      readAll();
    }
  }
}

/** The name of the program, or the logical one: tests with mocks see it, too. */
const nameOr = (logicalName: string, name: unknown): pulumi.Output<unknown> =>
  pulumi.all([name]).apply(([known]: unknown[]) => known ?? logicalName);

/** The options of a resource, with Pulumi's own ones for its deletionPolicy. If that is an output, the plugin decides. */
function declaredOptions(
  type: ResourceType,
  { deletionPolicy }: Arguments,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  const { retainOnDelete, deleteBeforeReplace, aliases = [] } = opts;
  // So that a preview shows `delete[retain]`.
  const retained = (deletionPolicy ?? "retain") === "retain" && retainOnDelete === undefined;
  // `pulumi up --replace` does not ask the provider.
  const deletesFirst = deletionPolicy === "delete" && deleteBeforeReplace === undefined;
  return {
    ...opts,
    ...(retained && { retainOnDelete: true }),
    ...(deletesFirst && { deleteBeforeReplace: true }),
    // A stack whose program used the native plugin has the resource under that type. Without the alias, a second
    // one would be created.
    aliases: [...aliases, { type: typeToken(type, "native") }],
  };
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
