import { tier } from "../../testkit/tier";
import { breachesOf } from "./faults/rules";
import { runScenarios } from "./faults/run";
import { casesOf, scenarios, titleOf } from "./faults/scenarios";

/** The faults of each run of the tests. `npm run test:all` has all of them. */
const FEW = ["`reset-after`", "`html` 504, done", "`rate-limit`", "`echo` 400, done"];
const chosen = scenarios.filter(
  ({ name, profile }) => tier === "all" || (FEW.includes(name) && profile === undefined),
);

const AN_HOUR = 3_600_000;
let breaches: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  breaches = new Map((await runScenarios(chosen)).map((row) => [titleOf(row), breachesOf(row)]));
}, AN_HOUR);

test.each(casesOf(chosen).map(titleOf))("keeps all rules: %s", (title) => {
  expect(breaches.get(title)).toEqual([]);
});
