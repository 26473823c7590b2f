import { keeperVariable } from "../../testkit/hosts/attached";
import { HostKeeper } from "../../testkit/hosts/keeper";

/** Keeps hosts for all tests of the run. Jest loads this file once for each suite. */
export async function keepHosts(): Promise<void> {
  if (process.env[keeperVariable] !== undefined) return;
  const keeper = new HostKeeper();
  process.env[keeperVariable] = await keeper.start();
  process.once("exit", () => {
    keeper.stop();
  });
}
