import { copyFile } from "node:fs/promises";
import path from "node:path";
import { dynamicPluginName } from "./executable";
import { compile, goModule, type BuildContext, type Part } from "./go";
import { sdkDirectory } from "./search-path";

export const moduleOfCli = goModule("cli");

/** The quick one first: what stops a build is then seen early. */
const PARTS: readonly Part[] = [
  {
    module: goModule("language-host"),
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  },
  { module: moduleOfCli, package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
];

/** Builds a CLI with Go in a folder below `staging`, and returns that folder. */
export async function buildCli(staging: string, context: BuildContext): Promise<string> {
  const bin = path.join(staging, "bin");
  await compile("the Pulumi CLI", PARTS, bin, context);
  // The SDK's script would be found on PATH too, but at each run the CLI warns of a plugin that does not lie beside it.
  for (const name of [dynamicPluginName, `${dynamicPluginName}.cmd`]) {
    await copyFile(path.join(sdkDirectory(), name), path.join(bin, name));
  }
  return bin;
}
