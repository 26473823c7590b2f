import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onEnd } from "./started";

export async function temporaryFolder(purpose: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `datapipes-${purpose}-`));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
