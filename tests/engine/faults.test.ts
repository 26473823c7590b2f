import { PROFILES } from "../../simulator/src/index";
import { phases } from "../../tools/faults/operation";
import { faultPage, verdict } from "../../tools/faults/page";
import type { Row } from "../../tools/faults/row";
import { runFaults } from "../../tools/faults/runner";
import { faultCases, profiled } from "../../tools/faults/fault-case";
import { happened, next, seen } from "../../tools/faults/words";
import { stopSimulators } from "../support/simulator";
import { disposeStacks } from "../support/stack";

afterEach(async () => {
  await disposeStacks();
  await stopSimulators();
});

const names = ["`reset-after`", "`html` 504, done", "`rate-limit`", "`echo` 400, done"];
const chosenCases = faultCases.filter(({ name }) => names.includes(name));

/** What the table says of a row, by its operation and its fault. */
function cells(rows: readonly Row[], title: string, faultCase: string): readonly string[] {
  const row = rows.find(
    (candidate) => candidate.operation.title === title && candidate.faultCase.name === faultCase,
  );
  return row === undefined ? [] : [happened(row), seen(row), next(row), verdict(row)];
}

test("the table of `npm run faults` says what happened, what was seen, and that the rules hold", async () => {
  expect(chosenCases).toHaveLength(names.length);
  const chosen = phases.filter(({ name }) => name !== "refresh");
  const { rows, complaints } = await runFaults(chosenCases, 0, () => undefined, chosen);
  expect(complaints).toEqual([]);
  expect(rows.map(verdict)).toEqual(rows.map(() => "ok"));

  expect(cells(rows, "Create of a pipe", "`reset-after`")).toEqual([
    // How often depends on how soon the server's clock tells whether the pipe is the one of this POST.
    expect.stringMatching(/^ended well: POST once, list (twice|\d+ times); one pipe, id in state$/),
    expect.stringMatching(/ECONNRESET.*looking for it in the list/),
    "nothing sent; one pipe, id in state",
    "ok",
  ]);
  expect(cells(rows, "Create of a pipe", "`echo` 400, done")).toEqual([
    "failed: POST once, list twice; one pipe, none in state",
    expect.stringMatching(/^error: .* answered 400: .*a pipe "\S+" has appeared: .*set adopt to its id/),
    "POST once, list once; 2 pipes, id in state; a warning names the other id and adopt",
    "ok",
  ]);
  expect(cells(rows, "Create of a reverse private endpoint", "`html` 504, done")).toEqual([
    "failed: POST once; one endpoint, none in state",
    expect.stringMatching(/answered 504.* may exist all the same/),
    "POST once; 2 endpoints, id in state",
    "ok",
  ]);
  expect(cells(rows, "Data function `getPipes`", "`rate-limit`")).toEqual([
    "ended well: list twice; one pipe, id in state",
    expect.stringMatching(/status 429; trying again.*1 of 2/),
    "list once; one pipe, id in state",
    "ok",
  ]);

  const [row] = rows;
  if (row === undefined) throw new Error("nothing has run");
  const doubled = { ...row, during: { ...row.during, existing: ["a", "b"], failure: "it went wrong" } };
  expect(verdict(doubled)).toMatch(/^broken: .*could have ended well.*name the operation.*two exist/);
  expect(faultPage([row, doubled])).toMatch(/## Create of a pipe\n\n\| Fault [^]*\| ok [^]*\| broken: /);
});

test("after a lost answer, every operation ends as it must under each profile of the simulator", async () => {
  const lost = profiled.filter(({ name }) => name === "`reset-after`");
  expect(lost.map(({ profile }) => profile)).toEqual(PROFILES);
  const chosen = phases.filter(({ name }) => name !== "function");
  const { rows, complaints } = await runFaults(lost, 0, () => undefined, chosen);
  expect(complaints).toEqual([]);
  expect(rows.map((row) => [row.faultCase.profile, row.operation.title, verdict(row)])).toEqual(
    rows.map((row) => [row.faultCase.profile, row.operation.title, "ok"]),
  );
  expect(rows).toHaveLength(PROFILES.length * 5);
});
