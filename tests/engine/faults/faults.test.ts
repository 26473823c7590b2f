import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { tier } from "../../../testkit/tier";
import { cells, faultPage, verdict } from "./report";
import { runScenarios, type Row } from "./run";
import { casesOf, scenarios, titleOf, type Scenario } from "./scenarios";

/** Set by `npm run faults`: a part of the names of the faults or profiles that run, and whether the rows replace the page's. */
const { FAULTS_ONLY: only, FAULTS_WRITE: write } = process.env;

/** Stacks that run at the same time, because most of their time is waiting, and the scenarios of the smallest. */
const [MOST_STACKS, FEWEST_SCENARIOS] = [4, 10];
const AN_HOUR = 3_600_000;

/** Those of every run. */
const ALWAYS = ["`reset-after`", "`html` 504, done", "`rate-limit`", "`echo` 400, done"];

function isChosen({ name, profile }: Scenario): boolean {
  if (only !== undefined) return [name, profile].some((text) => text?.includes(only));
  return tier === "all" || (ALWAYS.includes(name) && profile === undefined);
}

const chosen = scenarios.filter(isChosen);
const rows = new Map<string, Row>();

const rowOf = (title: string): Row => {
  const row = rows.get(title);
  if (row === undefined) throw new Error(`nothing has run for ${title}`);
  return row;
};

beforeAll(async () => {
  const stacks = Math.min(MOST_STACKS, Math.ceil(chosen.length / FEWEST_SCENARIOS));
  const runPart = async (part: number): Promise<void> => {
    for await (const row of runScenarios(chosen.filter((_, index) => index % stacks === part))) {
      rows.set(titleOf(row), row);
      if (only !== undefined) process.stdout.write(`${[titleOf(row), ...cells(row)].join(" | ")}\n`);
    }
  };
  await Promise.all(Array.from({ length: stacks }, (_, part) => runPart(part)));
}, AN_HOUR);

test.each(casesOf(chosen).map(titleOf))("keeps all rules: %s", (title) => {
  expect(verdict(rowOf(title))).toBe("ok");
});

if (write !== undefined)
  test("writes docs/faults.md", async () => {
    const page = path.resolve(__dirname, "../../../docs/faults.md");
    await writeFile(page, faultPage(await readFile(page, "utf8"), [...rows.values()]));
  });

const reported = {
  "Create of a pipe | `reset-after`": [
    // How often depends on how soon the server's clock shows whether the pipe is the one of this POST.
    expect.stringMatching(/^ended well: POST once, list (twice|\d+ times); one pipe, id in state$/),
    expect.stringMatching(/ECONNRESET.*looking for the pipe in the list/),
    "nothing sent; one pipe, id in state",
    "ok",
  ],
  "Create of a pipe | `echo` 400, done": [
    "failed: POST once, list twice; one pipe, none in state",
    expect.stringMatching(/^error: .* returned 400: .*a pipe "\S+" has appeared: .*set adopt to its id/),
    "POST once, list once; 2 pipes, id in state; a warning names the other id and adopt",
    "ok",
  ],
  "Create of a reverse private endpoint | `html` 504, done": [
    "failed: POST once; one endpoint, none in state",
    expect.stringMatching(/returned 504.* may have created/),
    "POST once; 2 endpoints, id in state",
    "ok",
  ],
  "Data function `getPipes` | `rate-limit`": [
    "ended well: list twice; one pipe, id in state",
    expect.stringMatching(/status 429; retrying.*1 of 2/),
    "list once; one pipe, id in state",
    "ok",
  ],
};

if (only === undefined) {
  test.each(Object.entries(reported))(
    "reports what happened and what the user saw: %s",
    (title, expected) => {
      expect(cells(rowOf(title))).toEqual(expected);
    },
  );
}
