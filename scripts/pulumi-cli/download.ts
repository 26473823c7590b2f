import { createRequire } from "node:module";
import path from "node:path";
import type { SemVer } from "semver";
import { runChild } from "./child";
import { onPath } from "./executable";
import type { BuildContext } from "./go";
import { withProgress } from "./progress";

const ADDRESS = "https://get.pulumi.com";

/** A closed network often swallows packets instead of refusing them. */
const ANSWER_SECONDS = 10;

/** Downloads the official CLI into a folder below `staging`, and returns that folder. */
export async function downloadCli(staging: string, context: BuildContext): Promise<string> {
  const root = path.join(staging, "root");
  await withProgress(context.report, `downloading pulumi ${context.version}`, async () => {
    await requireAnswer(context);
    const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
    // The SDK compares versions with its own copy of semver and accepts no other copy's objects.
    const requireOfSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
    const semver = requireOfSdk("semver") as { SemVer: new (text: string) => SemVer };
    await PulumiCommand.install({ version: new semver.SemVer(context.version), root });
  });
  return path.join(root, "bin");
}

/** Asks with the program that the installer downloads with, and so with the same proxy. */
async function requireAnswer({ env, signal }: BuildContext): Promise<void> {
  const [curl] = await onPath("curl", env);
  if (curl === undefined) throw new Error("no curl on PATH");
  const args = ["--silent", "--show-error", "--head", "--max-time", String(ANSWER_SECONDS), ADDRESS];
  await runChild(curl, args, { env, signal });
}
