import { writeFile } from "node:fs/promises";
import path from "node:path";

/** Puts a Node.js into a folder that says another version of itself. */
export async function addNode(folder: string, version: string): Promise<void> {
  const preload = path.join(folder, "version.cjs");
  const versions = `{ value: { ...process.versions, node: ${JSON.stringify(version)} } }`;
  await writeFile(preload, `Object.defineProperty(process, "versions", ${versions});`);
  const script = `#!/bin/sh\nexec "${process.execPath}" --require "${preload}" "$@"\n`;
  await writeFile(path.join(folder, "node"), script, { mode: 0o755 });
}
