import { writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../../testkit/folder";

export async function folderWith(name: string, text: string): Promise<string> {
  const folder = await temporaryFolder("pipeline");
  await writeFile(path.join(folder, name), text);
  return folder;
}
