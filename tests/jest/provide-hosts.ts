import { keeperVariable } from "../kit/hosts";
import { HostKeeper } from "./hosts/keeper";
import provideCli from "./provide-cli";

/** Provides the CLI, and what keeps hosts between its runs. Jest loads this file once for each suite; the hosts end with this process. */
export default async function provideHosts(): Promise<void> {
  await provideCli();
  process.env[keeperVariable] ??= await new HostKeeper().start();
}
