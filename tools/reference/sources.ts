import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Described } from "./catalogue";
import { Declarations } from "./declarations";

/** The folder that all paths of this tool start from. */
export const repository = path.resolve(__dirname, "../..");

export const textOf = (file: string): Promise<string> => readFile(path.join(repository, file), "utf8");

/** A text as Prettier formats a file. Jest cannot load Prettier itself. */
export function formatted(file: string, text: string): string {
  const prettier = path.join(repository, "node_modules/prettier/bin/prettier.cjs");
  const args = [prettier, "--stdin-filepath", file];
  return execFileSync(process.execPath, args, { cwd: repository, input: text, encoding: "utf8" });
}

/** The declarations of a resource: its class, and its arguments where they have a file of their own. */
export async function declarationsOf({ folder }: Described): Promise<Declarations> {
  const own = [folder, "source-args", "args"].map((file) => `${folder}/${file}`);
  const names = [...own, "argument-types"].map((file) => `provider/src/resources/${file}.ts`);
  const files = names.map(async (name) => ({ name, text: await textOf(name).catch(() => "") }));
  return new Declarations(await Promise.all(files));
}
