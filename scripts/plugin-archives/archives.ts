import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { create } from "tar";

const BUILT = path.resolve(__dirname, "../../plugin/dist");

const ARCHIVES = path.resolve(__dirname, "../../plugin/archives");

const LAUNCHER = "pulumi-resource-datapipes";

/** The file that the Pulumi CLI starts, per system: on Windows it looks for `.exe`, then for `.cmd`. */
const LAUNCHERS = { linux: LAUNCHER, darwin: LAUNCHER, windows: `${LAUNCHER}.cmd` } as const;

const ARCHITECTURES = ["amd64", "arm64"] as const;

/** What all archives have beside a launcher. */
const COMMON = ["LICENSE", "THIRD-PARTY-LICENSES", "main.js", "schema.json", "start.js"];

/** The same in each archive, so that the same files make the same archive. */
const TIME = new Date("2000-01-01T00:00:00Z");

/** Writes an archive of the built plugin for each platform, and their checksums; returns the names of the files. */
export async function packPlugin(folder = ARCHIVES): Promise<readonly string[]> {
  const version = await builtVersion();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const sums: string[] = [];
  for (const [system, launcher] of Object.entries(LAUNCHERS)) {
    const bytes = await archiveWith(launcher);
    const sum = createHash("sha256").update(bytes).digest("hex");
    for (const architecture of ARCHITECTURES) {
      const name = `${LAUNCHER}-v${version}-${system}-${architecture}.tar.gz`;
      await writeFile(path.join(folder, name), bytes);
      sums.push(`${sum}  ${name}\n`);
    }
  }
  await writeFile(path.join(folder, "SHA256SUMS"), sums.join(""));
  return [...sums.map((line) => line.trim().replace(/.* /, "")), "SHA256SUMS"];
}

async function archiveWith(launcher: string): Promise<Buffer> {
  const options = { cwd: BUILT, gzip: { level: 9 }, portable: true, noPax: true, mtime: TIME } as const;
  return create(options, [...COMMON, launcher].sort()).concat();
}

async function builtVersion(): Promise<string> {
  const schema = await readFile(path.join(BUILT, "schema.json"), "utf8");
  return (JSON.parse(schema) as { version: string }).version;
}
