import { readdir } from "node:fs/promises";
import path from "node:path";
import { repository, textOf, type MadeFile } from "../made-files";
import { refilled } from "../reference/markdown";

const RECORDINGS = "docs/recordings";
const GUIDES = "docs/guides";

/** Where a recording is kept. The name of a picture ends with `.svg`. */
export const fileOf = (name: string): string =>
  `${RECORDINGS}/${name.endsWith(".svg") ? name : `${name}.txt`}`;

const MARKED = /(<!-- recording: (\S+) -->)\n[^]*?(<!-- \/recording -->)/g;

export async function keptRecordings(): Promise<Map<string, string>> {
  const names = await readdir(path.join(repository, RECORDINGS)).catch(() => []);
  const files = names.filter((name) => /\.(?:txt|svg)$/.test(name));
  const texts = files.map(
    async (file) => [path.basename(file, ".txt"), await textOf(`${RECORDINGS}/${file}`)] as const,
  );
  return new Map(await Promise.all(texts));
}

/** The guides with the recordings between their marks. */
export async function guidesWith(recordings: ReadonlyMap<string, string>): Promise<readonly MadeFile[]> {
  const blocks = new Map([...recordings].map(([name, text]) => [name, `\`\`\`text\n${text}\`\`\``]));
  const names = (await readdir(path.join(repository, GUIDES))).filter((name) => name.endsWith(".md"));
  const files = names.map((name) => `${GUIDES}/${name}`);
  return Promise.all(
    files.map(async (file) => ({ path: file, text: refilled(await textOf(file), blocks, MARKED) })),
  );
}
