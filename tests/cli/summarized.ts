import { spawnSync } from "node:child_process";
import path from "node:path";
import { leaks } from "../kit/canary";
import type { TestStack } from "../kit/stack";

export function summary(json: string, ...args: readonly string[]) {
  const command = [path.resolve("provider/bin/datapipes.js"), "summary", ...args];
  const { status: code, stdout } = spawnSync(process.execPath, command, { input: json, encoding: "utf8" });
  return { code, stdout };
}

/** The summary of a preview, which shows none of the secrets. */
export async function summaryOfPreview(
  stack: TestStack,
  secrets: readonly string[],
  ...flags: readonly string[]
): Promise<string> {
  const { stdout } = await stack.preview({ json: true, expectFailure: "either", flags });
  const { code, stdout: markdown } = summary(stdout);
  expect(code).toBe(0);
  expect(leaks({ markdown }, secrets)).toEqual([]);
  return markdown;
}
