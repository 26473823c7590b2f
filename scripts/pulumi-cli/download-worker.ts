import { createRequire } from "node:module";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import type { SemVer } from "semver";

// A process of its own because the download cannot be cancelled: it starts a shell script of which it has no handle.

async function install(version: string, root: string): Promise<void> {
  // The SDK compares versions with its own copy of semver and accepts no other copy's objects.
  const require = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  const semver = require("semver") as { SemVer: new (text: string) => SemVer };
  await PulumiCommand.install({ version: new semver.SemVer(version), root });
}

const [version = "", root = ""] = process.argv.slice(2);
install(version, root).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
