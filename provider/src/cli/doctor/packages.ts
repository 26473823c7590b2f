import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { foldersFrom } from "../folders";

const names = z.record(z.string(), z.unknown()).optional().catch(undefined);

const manifest = z.looseObject({
  version: z.string().optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  engines: z.looseObject({ node: z.string().optional() }).optional().catch(undefined),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});

/** What a `package.json` says. */
export type Manifest = z.infer<typeof manifest>;

export interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
  readonly manifest: Manifest;
}

/** The lock files of package managers, with their commands. npm is the default. */
const MANAGERS = {
  "package-lock.json": { add: "npm install", dedupe: "npm dedupe" },
  "pnpm-lock.yaml": { add: "pnpm add", dedupe: "pnpm dedupe" },
  "yarn.lock": { add: "yarn add", dedupe: "yarn dedupe" },
  "bun.lock": { add: "bun add", dedupe: "bun dedupe" },
  "bun.lockb": { add: "bun add", dedupe: "bun dedupe" },
} as const;

const LOCK_FILES = Object.keys(MANAGERS) as (keyof typeof MANAGERS)[];

/** The commands of the package manager that has installed the project of a folder. */
function managerOf(folder: string): (typeof MANAGERS)[keyof typeof MANAGERS] {
  const files = foldersFrom(folder).flatMap((each) =>
    LOCK_FILES.filter((file) => existsSync(path.join(each, file))),
  );
  return MANAGERS[files[0] ?? "package-lock.json"];
}

/** The command that adds a package to the project of a folder. */
export const addCommand = (specification: string, folder: string): string =>
  `${managerOf(folder).add} ${specification}`;

/** The command that replaces copies of packages by one that fits all that require them. */
export const dedupeCommand = (folder: string): string => managerOf(folder).dedupe;

/** Whether Yarn started this process so that Node resolves packages by Plug'n'Play. */
export const isPlugAndPlay = (): boolean => "pnp" in process.versions;

/** The package that Node finds by this name from a folder. It may lack compiled code. */
export function installedPackage(name: string, from: string): InstalledPackage | undefined {
  if (isPlugAndPlay()) return resolvedPackage(name, from);
  const folder = foldersFrom(from)
    .map((each) => path.join(each, "node_modules", name))
    .find((candidate) => existsSync(path.join(candidate, "package.json")));
  return folder === undefined ? undefined : readPackage(folder);
}

/** The package that Node resolves by this name from a folder, where packages have no folders of their own. */
function resolvedPackage(name: string, from: string): InstalledPackage | undefined {
  try {
    const file = createRequire(path.join(from, "index.js")).resolve(`${name}/package.json`);
    return readPackage(path.dirname(file));
  } catch {
    return undefined;
  }
}

export function readPackage(folder: string): InstalledPackage | undefined {
  try {
    const real = realpathSync(folder);
    const read = manifest.parse(JSON.parse(readFileSync(path.join(real, "package.json"), "utf8")));
    return { folder: real, version: read.version ?? "of unknown version", manifest: read };
  } catch {
    return undefined;
  }
}

/** All copies of a package that the installed packages use, each once. */
export function copiesOf(name: string, from: string): readonly InstalledPackage[] {
  const visited = new Set<string>();
  const copies = new Map<string, InstalledPackage>();
  const pending = directPackages(from);
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === undefined || visited.has(next.folder)) continue;
    visited.add(next.folder);
    const { dependencies, optionalDependencies, peerDependencies } = next.manifest;
    for (const used of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = installedPackage(used, next.folder);
      pending.push(found);
      if (used === name && found !== undefined) copies.set(found.folder, found);
    }
  }
  return [...copies.values()];
}

/** The packages of the nearest `node_modules`, without links to other folders of a workspace. */
function directPackages(from: string): (InstalledPackage | undefined)[] {
  const modules = foldersFrom(from)
    .map((each) => path.join(each, "node_modules"))
    .find((candidate) => existsSync(candidate));
  if (modules === undefined) return [];
  const packages = entriesOf(modules)
    .flatMap((name) =>
      name.startsWith("@") ? entriesOf(path.join(modules, name)).map((each) => `${name}/${each}`) : name,
    )
    .map((name) => readPackage(path.join(modules, name)));
  return packages.filter((each) => each?.folder.includes(`${path.sep}node_modules${path.sep}`));
}

const entriesOf = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => !name.startsWith("."));
