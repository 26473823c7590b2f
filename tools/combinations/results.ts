import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { COMBINATION_NAMES, type CombinationResult } from "./combination";

const FILE = path.resolve(__dirname, "../../docs/versions.json");

/** The latest result of each combination that has one. */
export const readResults = (): readonly CombinationResult[] =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as CombinationResult[]) : [];

export function writeResult(result: CombinationResult): void {
  const results = [...readResults().filter(({ combination }) => combination !== result.combination), result];
  const ordered = COMBINATION_NAMES.flatMap((name) =>
    results.filter(({ combination }) => combination === name),
  );
  writeFileSync(FILE, `${JSON.stringify(ordered, undefined, 2)}\n`);
}
