import { PROFILES } from "../../simulator/src/index";
import type { RunName } from "../../tools/faults/operations";
import { cells, faultPage, verdict } from "../../tools/faults/report";
import { runScenarios, type Row } from "../../tools/faults/runner";
import { scenarios, type Scenario } from "../../tools/faults/scenarios";

const names = ["`reset-after`", "`html` 504, done", "`rate-limit`", "`echo` 400, done"];

async function rowsOf(chosen: readonly Scenario[], runs: readonly RunName[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of runScenarios(chosen, runs)) rows.push(row);
  return rows;
}

test("the report of `npm run faults` says what happened, what was seen, and that the rules hold", async () => {
  const chosen = scenarios.filter(({ name, profile }) => profile === undefined && names.includes(name));
  expect(chosen).toHaveLength(names.length);
  const rows = await rowsOf(chosen, ["create", "update", "function"]);
  expect(rows.map(verdict)).toEqual(rows.map(() => "ok"));

  const reported = Object.fromEntries(
    rows.map((row) => [`${row.operation.title}: ${row.scenario.name}`, cells(row)]),
  );
  expect(reported).toMatchObject({
    "Create of a pipe: `reset-after`": [
      // How often depends on how soon the server's clock tells whether the pipe is the one of this POST.
      expect.stringMatching(/^ended well: POST once, list (twice|\d+ times); one pipe, id in state$/),
      expect.stringMatching(/ECONNRESET.*looking for it in the list/),
      "nothing sent; one pipe, id in state",
      "ok",
    ],
    "Create of a pipe: `echo` 400, done": [
      "failed: POST once, list twice; one pipe, none in state",
      expect.stringMatching(/^error: .* answered 400: .*a pipe "\S+" has appeared: .*set adopt to its id/),
      "POST once, list once; 2 pipes, id in state; a warning names the other id and adopt",
      "ok",
    ],
    "Create of a reverse private endpoint: `html` 504, done": [
      "failed: POST once; one endpoint, none in state",
      expect.stringMatching(/answered 504.* may exist all the same/),
      "POST once; 2 endpoints, id in state",
      "ok",
    ],
    "Data function `getPipes`: `rate-limit`": [
      "ended well: list twice; one pipe, id in state",
      expect.stringMatching(/status 429; trying again.*1 of 2/),
      "list once; one pipe, id in state",
      "ok",
    ],
  });

  const [row] = rows;
  if (row === undefined) throw new Error("nothing has run");
  const doubled = { ...row, during: { ...row.during, existing: ["a", "b"], failure: "it went wrong" } };
  expect(verdict(doubled)).toMatch(/^broken: .*could have ended well.*name the operation.*two exist/);
  expect(faultPage("# Faults\n\n## What must hold\n", [row, doubled])).toMatch(
    /^# Faults\n\n## What must hold\n\n- An [^]*## Create of a pipe\n\n\| Fault [^]*\| ok [^]*\| broken: /,
  );
});

test("after a lost answer, every operation ends as it must under each profile of the simulator", async () => {
  const lost = scenarios.filter(({ name, profile }) => profile !== undefined && name === "`reset-after`");
  expect(lost.map(({ profile }) => profile)).toEqual(PROFILES);
  const rows = await rowsOf(lost, ["create", "update", "refresh"]);
  expect(rows.map((row) => [row.scenario.profile, row.operation.title, verdict(row)])).toEqual(
    rows.map((row) => [row.scenario.profile, row.operation.title, "ok"]),
  );
  expect(rows).toHaveLength(PROFILES.length * 5);
});
