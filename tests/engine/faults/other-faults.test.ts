import { expectRule } from "./expect-rule";
import { FAULTS } from "./rows";

expectRule(FAULTS);
