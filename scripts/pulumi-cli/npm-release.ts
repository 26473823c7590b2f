import { execFile } from "node:child_process";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { cliName, executableIn } from "./executable";
import { pinnedVersion, type Provision } from "./release";

/** The official release, which Pulumi's npm package `pulumi` downloads when it is called, and keeps in this folder. */
export function npmRelease(env: NodeJS.ProcessEnv): Provision {
  const home = env["PULUMI_HOME"] ?? path.join(homedir(), ".pulumi");
  return {
    source: "npm",
    name: "npm package pulumi",
    binary: executableIn(path.join(home, "versions", pinnedVersion, "bin"), cliName),
    async provide(report) {
      // No dependency: its command would be before the user's own CLI on the PATH of npm's scripts.
      const command = ["--yes", `pulumi@${pinnedVersion}`, "version"];
      report(`npx pulumi@${pinnedVersion} downloads the Pulumi CLI`);
      const shell = process.platform === "win32";
      await promisify(execFile)("npx", command, { env: { ...env, PULUMI_VERSION: undefined }, shell });
    },
  };
}
