import { expectRule } from "./expect-rule";
import { FAULTS, OF_EACH_KIND } from "./rows";

expectRule(FAULTS.filter((fault) => !OF_EACH_KIND.includes(fault)));
