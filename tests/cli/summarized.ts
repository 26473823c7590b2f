import { leaks } from "../kit/canary";
import type { TestStack } from "../kit/stack";
import { summary } from "../kit/summary";

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
