import { cliFailureVariable } from "../kit/cli";
import { nodeSdk, sdkVariable } from "../kit/sdk";
import provideHosts from "./provide-hosts";

/** Provides the CLI with its hosts, and the SDK that is generated from the plugin's schema. */
export default async function provideSdk(): Promise<void> {
  await provideHosts();
  try {
    process.env[sdkVariable] ??= await nodeSdk();
  } catch (error) {
    process.env[cliFailureVariable] ??= error instanceof Error ? error.message : String(error);
  }
}
