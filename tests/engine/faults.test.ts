import { expectRule } from "./faults/expect-rule";
import { OF_EACH_KIND } from "./faults/rows";

expectRule(OF_EACH_KIND);
