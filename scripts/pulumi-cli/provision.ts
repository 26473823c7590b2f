import { cacheFolderOf } from "./cache";
import { interruptible } from "./interrupt";
import { toStderr, type Report } from "./progress";
import { pinnedVersion } from "./release";
import { environmentFor, requiredDirectories } from "./search-path";
import { findCli, type PulumiSource } from "./sources";

export interface PulumiCli {
  version: string;
  /** The absolute path of the CLI. */
  binary: string;
  source: PulumiSource;
  /** The folders to put before PATH, where this CLI and its plugins are. */
  directories: string[];
  /**
   * `base` with all that running this CLI needs set in it, and nothing else changed.
   * @default base: the environment of the process
   */
  environment(base?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}

export interface ProvideOptions {
  /** Says nothing on stderr. @default false */
  quiet?: boolean;
  /** The environment that is looked at: PATH and the variables above. @default the process's own */
  env?: NodeJS.ProcessEnv;
  /** Takes the lines for the user. @default stderr */
  report?: Report;
}

/** Finds a Pulumi CLI that runs Node.js programs, or provisions one into the user's cache. */
export async function providePulumi(options: ProvideOptions = {}): Promise<PulumiCli> {
  const env = options.env ?? process.env;
  const report = options.quiet === true ? () => undefined : (options.report ?? toStderr);
  const { how, ...found } = await interruptible((signal) =>
    findCli({
      version: pinnedVersion,
      folder: cacheFolderOf(env),
      tried: new Set(),
      env,
      signal,
      report,
    }),
  );
  report(`pulumi ${found.version} (${how})`);
  const directories = await requiredDirectories(found.binary, env);
  return {
    ...found,
    directories,
    environment: (base = process.env) => environmentFor(directories, base),
  };
}
