import * as pulumi from "@pulumi/pulumi";
import { handlerSource } from "./handler";
import { hiddenInputsOf, isDeclared } from "./resource-key";
import { perProgram } from "../per-program";
import { programError } from "../program-error";

/** The arguments of a resource by their names, as the program gave them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What the classes of this package share: a custom resource whose operations run in the stock plugin process. */
export abstract class DatapipesResource extends pulumi.CustomResource {
  /** @internal */
  protected constructor(
    type: string,
    name: string,
    outputs: readonly string[],
    args: Arguments,
    opts: pulumi.CustomResourceOptions,
  ) {
    refuseImport({ type, name, adopts: outputs.includes("adopt") }, opts);
    const retained = isRetained(args, opts);
    // An output exists on the object only if the engine is told of it, so each is named, with or without a value.
    const named = Object.fromEntries(outputs.map((output) => [output, undefined]));
    super(
      typeToken(type),
      name,
      { ...named, ...args, ...hiddenInputsOf(type, name, opts), __provider: handlerSource(type) },
      retained ? { ...opts, retainOnDelete: true } : opts,
    );
    if (retained) logTransformedPolicy(this, `${type} "${name}"`);
  }
}

/** The id of a resource that is only read: without one, the engine would create a resource. */
export function idToRead(type: string, name: string, id: pulumi.Input<pulumi.ID>): pulumi.Input<pulumi.ID> {
  if (typeof id === "string" ? id !== "" : (id as unknown) != null) return id;
  throw programError(`${type}.get("${name}"): the id is missing. Give the id of what exists.`);
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
export function markSecrets(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((element) => markSecrets(element, names));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.has(name) && member !== undefined ? pulumi.secret(member as unknown) : markSecrets(member, names),
    ]),
  );
}

/** The engine asks a package of the type's name for what it imports, and a dynamic resource has none. */
function refuseImport(
  { type, name, adopts }: { readonly type: string; readonly name: string; readonly adopts: boolean },
  opts: pulumi.CustomResourceOptions,
): void {
  if (opts.import === undefined) return;
  throw programError(
    `${type} "${name}": the resource option \`import\` and \`pulumi import <type>\` cannot work with dynamic resources. ` +
      (adopts
        ? 'Remove the option; to manage what exists, set the argument `adopt: "<id>"` or run `datapipes import`.'
        : "Remove the option: settings are taken over by declaring them."),
  );
}

/**
 * Whether deleting the resource surely means leaving it alone. Then the engine's own option says so, and a preview shows
 * `delete[retain]`. A policy that is an output may turn out to be "delete", so the plugin decides there.
 */
function isRetained({ deletionPolicy }: Arguments, opts: pulumi.CustomResourceOptions): boolean {
  if (!isDeclared(opts) || opts.retainOnDelete !== undefined) return false;
  return (deletionPolicy ?? "retain") === "retain";
}

const linesOfProgram = perProgram(() => ({ said: false }));

/** A transform can still change the policy, when the engine's option has been set. Nothing here learns whether it changed both. */
function logTransformedPolicy(resource: DatapipesResource, what: string): void {
  const { deletionPolicy } = resource as { deletionPolicy?: pulumi.Output<unknown> };
  const lines = linesOfProgram();
  deletionPolicy?.apply((policy) => {
    if (policy !== "delete" || lines.said) return;
    lines.said = true;
    void pulumi.log.info(
      `${what}: a transform or ignoreChanges makes deletionPolicy "delete". Pulumi deletes only where the resource option retainOnDelete ` +
        `is false as well.`,
      resource,
    );
  });
}
