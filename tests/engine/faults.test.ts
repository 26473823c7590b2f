import { verdict } from "../../tools/faults/report";
import { runScenarios } from "../../tools/faults/run";
import { casesOf, scenarios, titleOf } from "../../tools/faults/scenarios";
import { tier } from "../../testkit/tier";

/** The faults of each run of the tests. `npm run faults` runs all of them, too. */
const FEW = ["`reset-after`", "`html` 504, done", "`rate-limit`", "`echo` 400, done"];
const chosen = scenarios.filter(
  ({ name, profile }) => tier === "all" || (FEW.includes(name) && profile === undefined),
);

const AN_HOUR = 3_600_000;
let verdicts: ReadonlyMap<string, string>;

beforeAll(async () => {
  verdicts = new Map((await runScenarios(chosen)).map((row) => [titleOf(row), verdict(row)]));
}, AN_HOUR);

test.each(casesOf(chosen).map(titleOf))("keeps all rules: %s", (title) => {
  expect(verdicts.get(title)).toBe("ok");
});
