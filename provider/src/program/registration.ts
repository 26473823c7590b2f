import * as pulumi from "@pulumi/pulumi";
import { SECRET_NAMES } from "../api/secrets/secret-names";
import { markSecrets, type Arguments } from "./datapipes-resource";
import { warnOfConfiguration } from "./plain-secret";
import { OUTPUTS, TAKE_OVER } from "./outputs";
import { isDeclared } from "./program-resource";
import { programError } from "./program-error";

/**
 * The arguments of the base class for a resource of the program: its secrets are marked.
 * @throws RunError for an import: that needs a plugin of the type's package, which a dynamic resource does not have
 */
export function registration(
  type: keyof typeof OUTPUTS,
  name: string,
  given: object | null | undefined,
  options: pulumi.CustomResourceOptions | null | undefined,
): [
  type: string,
  name: string,
  outputs: readonly string[],
  args: Arguments,
  opts: pulumi.CustomResourceOptions,
] {
  warnOfConfiguration();
  if (options?.import !== undefined)
    throw programError(
      `${type} "${name}": the resource option \`import\` and \`pulumi import <type>\` do not work with dynamic resources. Remove the option. ` +
        TAKE_OVER[type],
    );
  const args: Arguments = { ...given };
  const named =
    type === "Pipe" && isDeclared(options ?? {}) ? { ...args, name: nameOr(name, args["name"]) } : args;
  // Programs in JavaScript may leave out what is required; `check` reports it with all else that is wrong.
  return [type, name, OUTPUTS[type], markSecrets(named, SECRET_NAMES) as Arguments, options ?? {}];
}

/** The name of the program, or the logical one: tests with mocks see it, too. */
const nameOr = (logicalName: string, name: unknown): unknown =>
  name === undefined || typeof name === "string"
    ? (name ?? logicalName)
    : pulumi.output(name).apply((known: unknown) => known ?? logicalName);
