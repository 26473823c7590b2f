import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { cliName, dynamicPluginName, executableIn, sdkDirectory } from "../executable";
import type { Provision } from "../release";
import { build, buildFolder, goModule, type Program } from "./build";

/** The CLI last: its presence says that all is there. */
const PROGRAMS: readonly Program[] = [
  {
    name: "pulumi-language-nodejs",
    module: goModule("language-host"),
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  },
  { name: cliName, module: goModule("cli"), package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
];

/** A CLI that is built with Go. */
export function goBuild(env: NodeJS.ProcessEnv): Provision {
  const bin = path.join(buildFolder(env), "bin");
  return {
    source: "go",
    name: "Go build",
    binary: executableIn(bin, cliName),
    async provide(report) {
      await mkdir(bin, { recursive: true });
      // The SDK's script would be found on PATH too, but at each run the CLI warns of a plugin that does not lie beside it.
      for (const name of [dynamicPluginName, `${dynamicPluginName}.cmd`])
        await copyFile(path.join(sdkDirectory(), name), path.join(bin, name));
      await build("the Pulumi CLI", PROGRAMS, bin, { env, report });
    },
  };
}
