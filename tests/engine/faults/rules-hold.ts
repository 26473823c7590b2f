import { breachesOf } from "./rules";
import { runScenarios } from "./run";
import { casesOf, titleOf, type Scenario } from "./scenarios";

/** Declares a test for each case of the scenarios, which all run before the first of them. */
export function testRules(scenarios: readonly Scenario[]): void {
  let breaches: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    breaches = new Map((await runScenarios(scenarios)).map((row) => [titleOf(row), breachesOf(row)]));
  });

  test.each(casesOf(scenarios).map(titleOf))("keeps all rules: %s", (title) => {
    expect(breaches.get(title)).toEqual([]);
  });
}
