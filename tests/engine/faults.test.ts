import { expectedNext, expectedOf, isUncertain, ROWS } from "./faults/rows";
import { FaultRun } from "./faults/run";

let run: FaultRun;

/** All operations with all faults, before the first test. */
beforeAll(async () => {
  run = await FaultRun.start();
});

test.each(ROWS)("$title: ends as the table of failures says, and the next run succeeds", (row) => {
  const { error = "", ...result } = run.results.get(row.title) ?? {};
  expect(result).toEqual({ during: expectedOf(row), next: expectedNext(row), isPreviewEmpty: true });
  if (error === "") return;
  expect(error).toMatch(row.operation.error);
  expect(error).toMatch(/ (?:returned \d{3}|got no response)\b/);
  expect(error).not.toMatch(/AxiosError|^\s+at /m);
  if (isUncertain(row)) expect(error).toMatch(/may have created it|did not appear in the list/);
});

test("a run that succeeds does not say to run the command again", () => {
  expect(run.outputs.join("\n")).not.toMatch(/\brun (?:the command|it|`pulumi \w+`) again\b/i);
});

test("shows and stores no secret", () => {
  expect(run.leaks).toEqual([]);
});
