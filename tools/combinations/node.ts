import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { output } from "../../testkit/packed";
import { onEnd } from "../../testkit/started";

/** The packages that the package `node` of npm's registry installs with a script: each holds one binary. */
const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "linux",
  darwin: "darwin",
  win32: "win",
};

/** Installs the newest Node of a major version from npm's registry, and gives the folder of its binary. */
export async function installedNode(major: string): Promise<string> {
  const system = SYSTEMS[process.platform];
  if (system === undefined) throw new Error(`npm's registry has no Node for ${process.platform}.`);
  const name = `node-${system}-${process.arch}`;
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-node-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "combination", private: true }));
  await output(
    "npm",
    ["install", "--no-audit", "--no-fund", "--loglevel", "error", `${name}@${major}`],
    folder,
  );
  return path.join(folder, "node_modules", name, "bin");
}
