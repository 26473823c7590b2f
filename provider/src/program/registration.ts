import type * as pulumi from "@pulumi/pulumi";
import { SECRET_NAMES } from "../api/secrets/secret-names";
import { markSecrets, type Arguments } from "./datapipes-resource";
import { warnOfPlainSecret } from "./plain-secret";
import { OUTPUTS } from "./outputs";

/** The arguments of the base class for a resource of the program: its secrets are marked. */
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
  warnOfPlainSecret();
  // Programs in JavaScript may leave out what is required; `check` reports it with all else that is wrong.
  return [type, name, OUTPUTS[type], markSecrets(given ?? {}, SECRET_NAMES) as Arguments, options ?? {}];
}
