import { existsSync } from "node:fs";
import { goBuild } from "./go/cli";
import { environmentFor, requiredDirectories } from "./executable";
import { findInstalled, reasonOf } from "./installed";
import { npmRelease } from "./npm-release";
import { minimumVersion, pinnedVersion, type Provision } from "./release";
import { toStderr, type Report } from "./report";

export interface PulumiCli {
  version: string;
  /** The absolute path of the CLI. */
  binary: string;
  /** The PATH, or where a release comes from. */
  source: "path" | Provision["source"];
  /**
   * `base` with all that running this CLI needs set in it, and nothing else changed.
   * @default base: the environment of the process
   */
  environment(base?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}

export interface ProvideOptions {
  /** The environment that is looked at. @default the process's own */
  env?: NodeJS.ProcessEnv;
  /** Takes the lines for the user. @default stderr */
  report?: Report;
}

/** Finds a Pulumi CLI that runs Node.js programs, or gets one. */
export async function providePulumi(options: ProvideOptions = {}): Promise<PulumiCli> {
  const { env = process.env, report = toStderr } = options;
  const { name, version, binary, source } = await findCli(env, report);
  report(`pulumi ${version} (${name})`);
  const directories = await requiredDirectories(binary, env);
  return {
    version,
    binary,
    source,
    environment: (base = process.env) => environmentFor(directories, base),
  };
}

/** Tries the PATH, then what an earlier run got, then the npm package and a build with Go. */
async function findCli(env: NodeJS.ProcessEnv, report: Report) {
  const tried: string[] = [];
  const installed = await findInstalled(env, (reason) => tried.push(`PATH: ${reason}`));
  if (installed !== undefined) return { ...installed, source: "path" as const, name: "on PATH" };
  const provisions = [npmRelease(env), goBuild(env)];
  const [earlier] = provisions.filter(({ binary }) => existsSync(binary));
  if (earlier !== undefined) return { ...earlier, version: pinnedVersion };
  for (const provision of provisions) {
    try {
      await provision.provide(report);
      return { ...provision, version: pinnedVersion };
    } catch (error) {
      tried.push(`${provision.name}: ${reasonOf(error)}`);
      report(`${provision.name} failed: ${reasonOf(error).split("\n").at(-1) ?? ""}`);
    }
  }
  const lines = tried.map((line) => `  - ${line.replaceAll("\n", "\n      ")}`);
  const advice = `Install the Pulumi CLI, ${minimumVersion} or newer, and try again.`;
  throw new Error(["No Pulumi CLI could be provided. Tried:", ...lines, advice].join("\n"));
}
