import { spawn } from "node:child_process";
import path from "node:path";
import { pack, type PackedPackage } from "./packed";
import { packageManagers, type PackageManager, type PackageManagerName } from "./package-managers";
import { importsOf, projectOf, type ProgramFormName } from "./program-forms";
import { newStack, type TestStack } from "./stack";
import { onEnd } from "./started";

/** What a user's project is made of. */
export interface InstalledProject {
  readonly manager: PackageManagerName;
  readonly form: ProgramFormName;
  /** The program without its imports. */
  readonly program: string;
  /** Versions that differ from those of this repository. */
  readonly versions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The packed packages; a run packs them once. */
export function packedOnce(): Promise<readonly PackedPackage[]> {
  packed ??= pack().then((result) => {
    onEnd(async () => {
      packed = undefined;
      await result.remove();
    });
    return result.packed;
  });
  return packed;
}
let packed: Promise<readonly PackedPackage[]> | undefined;

/** A project of its own with a stack, and with nothing installed but the packed packages and what a program needs. */
export async function installedProject(project: InstalledProject): Promise<TestStack> {
  const { manager, form, program, versions = {}, env = {} } = project;
  const tarballs = (await packedOnce()).map(({ name, tarball }) => [name, `file:${tarball}`] as const);
  const { files = {} }: PackageManager = packageManagers[manager];
  const dependencies = { ...Object.fromEntries(tarballs), ...versions };
  const stack = await newStack({
    files: { ...projectOf(form, importsOf(form) + program, dependencies), ...files },
    env,
  });
  await stack.shell(manager, `${manager.replace(/-.*/, "")} install`, { seconds: 600 });
  return stack;
}

/** Starts the simulator of a project, and gives the variables that it says to set. */
export async function installedSimulator(
  folder: string,
  node = process.execPath,
): Promise<Record<string, string>> {
  const command = path.join(folder, "node_modules/pulumi-datapipes-simulator/bin/datapipes-simulator.js");
  const child = spawn(node, [command, "--port", "0", "--state-seconds", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  onEnd(() => {
    child.kill("SIGTERM");
    return ended;
  });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject).once("exit", () => {
      reject(new Error(`The simulator ended, and said: ${said}`));
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (/SERVICE_ID=.*\n/.test(said)) resolve();
    });
  });
  const variables = [...said.matchAll(/^export (\w+)=(.*)$/gm)];
  return Object.fromEntries(variables.map(([, name = "", value = ""]) => [name, value]));
}
