import type * as pulumi from "@pulumi/pulumi";
import { SECRET_NAMES } from "../api/secret-names";
import { markSecrets, type Arguments } from "../core/datapipes-resource";
import { warnOfPlainSecret } from "../plain-secret";
import { claimAdoption, claimService } from "./claim";
import type { Optional } from "./argument-types";
import { OUTPUTS } from "./outputs";

/** The arguments of the base class for a resource of the program: its id is claimed and its secrets are marked. */
export function registration(
  type: keyof typeof OUTPUTS,
  name: string,
  given: Partial<Record<"serviceId" | "adopt", Optional<string>>> | null | undefined,
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
  const [args, opts] = [given ?? {}, options ?? {}];
  const claimant = { type, name, opts };
  const claimed =
    type === "ServiceSettings"
      ? { ...args, serviceId: claimService(claimant, args.serviceId) }
      : { ...args, adopt: claimAdoption(claimant, args.adopt) };
  return [type, name, OUTPUTS[type], markSecrets(claimed, SECRET_NAMES) as Arguments, opts];
}
