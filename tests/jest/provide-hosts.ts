import { providePulumi } from "../../scripts/pulumi-cli/provision";
import { cliFailureVariable } from "../kit/cli";
import { keeperVariable } from "../kit/hosts";
import { HostKeeper } from "./hosts/keeper";

/**
 * Provides the Pulumi CLI once, with its progress on the screen, before workers start, and what keeps hosts between
 * its runs. When the CLI cannot be provided, the tests that need it fail with the reason, and all others run. Jest
 * loads this file once for each suite; the hosts end with this process.
 */
export default async function provideHosts(): Promise<void> {
  try {
    await providePulumi();
  } catch (error) {
    process.env[cliFailureVariable] = error instanceof Error ? error.message : String(error);
  }
  process.env[keeperVariable] ??= await new HostKeeper().start();
}
