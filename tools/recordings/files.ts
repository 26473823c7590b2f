import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const repository = path.resolve(__dirname, "../..");
const RECORDINGS = "docs/recordings";
const GUIDES = "docs/guides";

/** Where a recording is kept. The name of a picture ends with `.svg`. */
export const fileOf = (name: string): string =>
  `${RECORDINGS}/${name.endsWith(".svg") ? name : `${name}.txt`}`;

const MARKED = /(<!-- recording: (\S+) -->\n)[^]*?(<!-- \/recording -->)/g;

/** A page with the recordings between its marks. */
export function filled(page: string, recordings: ReadonlyMap<string, string>): string {
  return page.replace(MARKED, (_, begin: string, name: string, end: string) => {
    const text = recordings.get(name);
    if (text === undefined)
      throw new Error(`no recording is named ${name}; there are ${[...recordings.keys()].sort().join(", ")}`);
    return `${begin}\n\`\`\`text\n${text}\`\`\`\n\n${end}`;
  });
}

export async function keptRecordings(): Promise<Map<string, string>> {
  const names = await readdir(path.join(repository, RECORDINGS)).catch(() => []);
  const files = names.filter((name) => /\.(?:txt|svg)$/.test(name));
  const texts = files.map(
    async (file) => [path.basename(file, ".txt"), await textOf(`${RECORDINGS}/${file}`)] as const,
  );
  return new Map(await Promise.all(texts));
}

/** The guides that are not as they should be, as they should be. */
export async function staleGuides(
  recordings: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(path.join(repository, GUIDES))).filter((name) => name.endsWith(".md"));
  const stale = new Map<string, string>();
  for (const file of names.map((name) => `${GUIDES}/${name}`)) {
    const page = await textOf(file);
    const next = filled(page, recordings);
    if (next !== page) stale.set(file, next);
  }
  return stale;
}

export async function write(file: string, text: string): Promise<void> {
  const target = path.join(repository, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}

const textOf = (file: string): Promise<string> => readFile(path.join(repository, file), "utf8");
