import { cells } from "../../tools/faults/report";
import { runScenarios } from "../../tools/faults/run";
import { casesOf, scenarios, titleOf } from "../../tools/faults/scenarios";
import { tier } from "../../testkit/tier";

/** The faults of each run of the tests. `npm run faults` runs all of them, too. */
const FEW = ["`reset-after`", "`html` 504, done", "`rate-limit`", "`echo` 400, done"];
const chosen = scenarios.filter(
  ({ name, profile }) => tier === "all" || (FEW.includes(name) && profile === undefined),
);

const AN_HOUR = 3_600_000;
let reports: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  reports = new Map((await runScenarios(chosen)).map((row) => [titleOf(row), cells(row)]));
}, AN_HOUR);

test.each(casesOf(chosen).map(titleOf))("keeps all rules: %s", (title) => {
  expect(reports.get(title)?.at(-1)).toBe("ok");
});

const reported: Record<string, unknown[]> = {
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
    expect.stringMatching(/status 429; retrying/),
    "list once; one pipe, id in state",
    "ok",
  ],
};

test.each(Object.entries(reported))("reports what happened and what the user saw: %s", (title, expected) => {
  expect(reports.get(title)).toEqual(expected);
});
