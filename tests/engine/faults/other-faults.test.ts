import { testRules } from "./rules-hold";
import { isOfEachKind, scenarios } from "./scenarios";

testRules(scenarios.filter((scenario) => !isOfEachKind(scenario)));
