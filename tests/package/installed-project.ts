import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { onEnd, temporaryFolder } from "../kit/cleanup";
import { cliFolder, cliSource } from "../kit/cli";
import { newStack, type TestStack } from "../kit/stack";
import { packageManagers, runShell, type PackageManagerName } from "./package-managers";
import { importsOf, programForms, projectOf, type ProgramFormName } from "./program-forms";
import { pack } from "../kit/tarballs";

interface InstalledProject {
  readonly manager: PackageManagerName;
  readonly form: ProgramFormName;
  readonly program: string;
  readonly versions?: Readonly<Record<string, string>>;
}

/** A project of its own with a stack, and with nothing installed but the packed packages and what a program needs. */
export async function installedProject(project: InstalledProject): Promise<TestStack> {
  const { manager, form, program, versions = {} } = project;
  const tarballs = (await pack()).map(({ name, tarball }) => [name, `file:${tarball}`] as const);
  const dependencies = { ...Object.fromEntries(tarballs), ...versions };
  const stack = await newStack({
    files: { ...projectOf(form, importsOf(form) + program, dependencies), ...packageManagers[manager].files },
    path: await languageHostFor(form),
  });
  await runShell(stack, manager, `${manager.replace(/-.*/, "")} install`);
  return stack;
}

/**
 * A folder with a language host that honors the options of the project. The one that is built with Go is older than its
 * CLI, and reads them from its command line, where the CLI does not write them any more.
 */
async function languageHostFor(form: ProgramFormName): Promise<readonly string[]> {
  const { options } = programForms[form];
  if (options === undefined || (await cliSource()) !== "go") return [];
  const name = "pulumi-language-nodejs";
  const folder = await temporaryFolder("language-host");
  const flags = Object.entries(options).map(([flag, value]) => `"-${flag}=${value}"`);
  const text = `#!/bin/sh\nexec "${path.join(await cliFolder(), name)}" ${flags.join(" ")} "$@"\n`;
  await writeFile(path.join(folder, name), text, { mode: 0o755 });
  return [folder];
}

export async function installedSimulator(folder: string) {
  const command = path.join(folder, "node_modules/pulumi-datapipes-simulator/bin/datapipes-simulator.js");
  const child = spawn(process.execPath, [command, "--port", "0", "--state-seconds", "0", "--control"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  onEnd(() => {
    child.kill("SIGTERM");
    return ended;
  });
  const variables: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name = "", value = ""] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    if (name !== "") variables[name] = value;
    if (name === "DATAPIPES_SERVICE_ID") return variables;
  }
  throw new Error("The simulator ended before it said which variables to set.");
}
