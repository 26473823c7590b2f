import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { onEnd, temporaryFolder } from "./cleanup";

export const repository = path.resolve(__dirname, "../..");
export const packages = {
  "pulumi-datapipes": "provider",
  "pulumi-datapipes-simulator": "simulator",
} as const;
export type PackageName = keyof typeof packages;
export const names = Object.keys(packages) as PackageName[];

const execute = promisify(execFile);

export async function output(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await execute(command, args, { cwd, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${[path.basename(command), ...args].join(" ")} failed:\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}

export type PackedPackage = Awaited<ReturnType<typeof packNow>>[number];

let packed: Promise<readonly PackedPackage[]> | undefined;

/** Both packages in a temporary folder; a run packs them once. */
export function pack(): Promise<readonly PackedPackage[]> {
  onEnd(() => {
    packed = undefined;
  });
  return (packed ??= packNow());
}

async function packNow() {
  const folder = await temporaryFolder("packed");
  const workspaces = Object.values(packages).flatMap((workspace) => ["--workspace", workspace]);
  const command = ["pack", "--json", "--pack-destination", folder, ...workspaces];
  const printed = JSON.parse(await output("npm", command, repository)) as {
    name: PackageName;
    filename: string;
    files: { path: string; mode: number }[];
  }[];
  return printed.map(({ name, filename, files }) => ({
    name,
    tarball: path.join(folder, filename),
    /** The paths inside of it, with what is executable marked. */
    contents: files
      .map((file) => `${file.path}${(file.mode & 0o111) === 0 ? "" : " (executable)"}`)
      .sort((a, b) => (a < b ? -1 : 1)),
  }));
}

/**
 * The folder of an empty project with nothing but these packages, what they declare, and what a program in TypeScript needs: the peer,
 * in the version of this repository, and types.
 */
export async function install(tarballs: readonly string[]): Promise<string> {
  const manifest = JSON.stringify({ name: "user", private: true });
  const folder = await temporaryFolder("installed", { "package.json": manifest });
  const beside = ["@pulumi/pulumi", "@types/node"].map((name) => `${name}@${testedVersion(name)}`);
  const quietly = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel", "error"];
  await output("npm", ["install", ...quietly, ...tarballs, ...beside], folder).catch((error: unknown) => {
    throw new Error("The packed packages could not be installed, which needs npm's registry.", {
      cause: error,
    });
  });
  return folder;
}

/** The version of a package that this repository tests with. `tsx` is no package of it. */
export function testedVersion(name: string): string {
  if (name === "tsx") return "4.23.15";
  const file = path.resolve(__dirname, "../../node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
