import { providePulumi } from "../../tools/pulumi-cli/provision";
import { cliFailureVariable } from "../../testkit/cli";
import { keepHosts } from "./keep-hosts";

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
    if (globals["tier"] !== "all") await keepHosts();
  } catch (error) {
    process.env[cliFailureVariable] = error instanceof Error ? error.message : String(error);
  }
}
