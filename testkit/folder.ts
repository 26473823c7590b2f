import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onEnd } from "./started";

/** A new empty folder, which is removed after the test file. */
export async function temporaryFolder(purpose: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `datapipes-${purpose}-`));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
