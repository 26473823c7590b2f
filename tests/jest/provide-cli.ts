import { providePulumi } from "../../scripts/pulumi-cli/provision";
import { cliFailureVariable } from "../kit/cli";

/**
 * Provides the Pulumi CLI once, with its progress on the screen, before workers start. When that fails, the tests that
 * need it fail with the reason, and all others run.
 */
export default async function provideCli(): Promise<void> {
  try {
    await providePulumi();
  } catch (error) {
    process.env[cliFailureVariable] = error instanceof Error ? error.message : String(error);
  }
}
