import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

export const repository = path.resolve(__dirname, "..");
export const packages = {
  "pulumi-datapipes": "provider",
  "pulumi-datapipes-simulator": "simulator",
} as const;
export type PackageName = keyof typeof packages;
export const names = Object.keys(packages) as PackageName[];

const execute = promisify(execFile);

/** What a command printed; it fails with all of that when the command does. */
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

/** A package as it would be published. */
export interface PackedPackage {
  name: PackageName;
  tarball: string;
  /** The paths inside of it, with what is executable marked. */
  contents: string[];
}

interface NpmPacked {
  name: PackageName;
  filename: string;
  files: { path: string; mode: number }[];
}

/** Packs both packages into a temporary folder, which `remove` removes. */
export async function pack(): Promise<{
  folder: string;
  packed: PackedPackage[];
  remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-packed-"));
  const workspaces = Object.values(packages).flatMap((workspace) => ["--workspace", workspace]);
  const printed = await output(
    "npm",
    ["pack", "--json", "--pack-destination", folder, ...workspaces],
    repository,
  );
  const packed = (JSON.parse(printed) as NpmPacked[]).map(({ name, filename, files }) => ({
    name,
    tarball: path.join(folder, filename),
    contents: files
      .map((file) => `${file.path}${(file.mode & 0o111) === 0 ? "" : " (executable)"}`)
      .sort((a, b) => (a < b ? -1 : 1)),
  }));
  return { folder, packed, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The packages beside them that a program in TypeScript needs: the peer, in the version of this repository, and types. */
const companions = ["@pulumi/pulumi", "@types/node"];

/** An empty project, which `remove` removes. */
export interface Project {
  project: string;
  remove: () => Promise<void>;
}

/** An empty project with nothing but the packed packages, what they declare, and their peer. */
export async function install(): Promise<Project> {
  const { folder, packed, remove } = await pack();
  const tarballs = packed.map(({ tarball }) => tarball);
  return installInto(folder, [...tarballs, ...(await Promise.all(companions.map(inThisVersion)))], remove);
}

/** A project with a packed provider of any version, and with what a program in TypeScript needs beside it. */
export async function installProvider(tarball: string): Promise<Project> {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-installed-"));
  const beside = await Promise.all([...companions, "typescript", "ts-node"].map(inThisVersion));
  return installInto(folder, [tarball, ...beside], () => rm(folder, { recursive: true, force: true }));
}

async function installInto(
  folder: string,
  wanted: readonly string[],
  remove: () => Promise<void>,
): Promise<Project> {
  const quietly = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel", "error"];
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "user", private: true }));
  try {
    await output("npm", ["install", ...quietly, ...wanted], folder);
  } catch (error) {
    await remove();
    throw new Error("The packed packages could not be installed, which needs npm's registry.", {
      cause: error,
    });
  }
  return { project: folder, remove };
}

async function inThisVersion(name: string): Promise<string> {
  const { version } = (await import(path.join(repository, "node_modules", name, "package.json"))) as {
    version: string;
  };
  return `${name}@${version}`;
}
