import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { LANE_NAMES, type LaneResult } from "./lane";

const FILE = path.resolve(__dirname, "../../docs/lanes.json");

/** The latest result of each lane that has one. */
export const readResults = (): readonly LaneResult[] =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as LaneResult[]) : [];

/** Replaces the result of a lane. */
export function writeResult(result: LaneResult): void {
  const results = [...readResults().filter(({ lane }) => lane !== result.lane), result];
  const ordered = LANE_NAMES.flatMap((name) => results.filter(({ lane }) => lane === name));
  writeFileSync(FILE, `${JSON.stringify(ordered, undefined, 2)}\n`);
}
