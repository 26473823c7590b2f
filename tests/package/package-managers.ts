import type { Run } from "../kit/cli";
import type { RunOptions, TestStack } from "../kit/stack";

interface PackageManager {
  /** Its package in npm's registry, in the version that tests use. npm itself is that of the machine. */
  readonly package?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export type PackageManagerName = "npm" | "pnpm" | "yarn" | "yarn-pnp" | "yarn-classic" | "bun";

export const packageManagers: Readonly<Record<PackageManagerName, PackageManager>> = {
  npm: {},
  pnpm: {
    package: "pnpm@12.21.0",
    // It ends with 1 while a build script is neither allowed nor denied; `@pulumi/pulumi` brings this one.
    files: { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" },
  },
  yarn: { package: "@yarnpkg/cli-dist@4.18.1", files: { ".yarnrc.yml": "nodeLinker: node-modules\n" } },
  "yarn-pnp": { package: "@yarnpkg/cli-dist@4.18.1" },
  "yarn-classic": { package: "yarn@1.22.22" },
  bun: { package: "bun@1.4.5" },
};

/** A CI system makes Yarn refuse to write its lockfile, and ask the registry about each line of it. */
const environment = { YARN_ENABLE_IMMUTABLE_INSTALLS: "false", YARN_ENABLE_HARDENED_MODE: "false" };

/** Runs a line of shell with a package manager, in the folder of the project of a stack. */
export function runShell(
  stack: TestStack,
  manager: PackageManagerName,
  line: string,
  options: RunOptions = {},
): Promise<Run> {
  const from = packageManagers[manager].package;
  const packages = from === undefined ? [] : [`--package=${from}`];
  const env = { ...options.env, ...environment };
  return stack.command("npm", ["exec", "--yes", ...packages, "--call", line], { ...options, env });
}
