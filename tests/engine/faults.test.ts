import { testRules } from "./faults/rules-hold";
import { isOfEachKind, scenarios } from "./faults/scenarios";

testRules(scenarios.filter(isOfEachKind));
