import { cliFailureVariable } from "../kit/cli";
import { nodeSdk, sdkVariable } from "../kit/sdk";
import provideCli from "./provide-cli";

/** Provides the CLI, and the SDK that is generated from the plugin's schema, before the first test that needs it. */
export default async function provideSdk(): Promise<void> {
  await provideCli();
  try {
    process.env[sdkVariable] ??= await nodeSdk();
  } catch (error) {
    process.env[cliFailureVariable] ??= error instanceof Error ? error.message : String(error);
  }
}
