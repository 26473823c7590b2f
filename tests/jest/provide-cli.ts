import { providePulumi } from "../../tools/pulumi-cli/provision";
import { cliFailureVariable } from "../../testkit/cli";
import { keeperVariable } from "../../testkit/hosts/attached";
import { HostKeeper } from "../../testkit/hosts/keeper";

/**
 * Provides the Pulumi CLI once, with its progress on the screen, before workers start. When that fails, the tests that
 * need it fail with the reason, and all others run.
 */
export default async function provideCli(
  _: unknown,
  { globals }: { readonly globals: Readonly<Record<string, unknown>> },
): Promise<void> {
  try {
    await providePulumi();
    // Jest loads this file once for each suite. The hosts end with this process.
    if (globals["tier"] !== "all") process.env[keeperVariable] ??= await new HostKeeper().start();
  } catch (error) {
    process.env[cliFailureVariable] = error instanceof Error ? error.message : String(error);
  }
}
