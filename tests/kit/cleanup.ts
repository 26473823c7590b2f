import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

type End = () => unknown;

const ends: End[] = [];

export const onEnd = (end: End): void => {
  ends.push(end);
};

/** Ends all simulators, stacks and servers that tests have started, the latest first. Jest calls it after each test file. */
export async function endStarted(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

export async function temporaryFolder(purpose: string, files: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), `datapipes-${purpose}-`));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}
