import { expectRule } from "./faults/expect-rule";
import { FAULTS } from "./faults/rows";

/** `npm test` has a failure of each kind. */
const OF_EACH_KIND = ["rate-limit", "reset-after", "html 504, done", "bad-json, done", "echo 400"];

expectRule(FAULTS.filter(({ name }) => OF_EACH_KIND.includes(name)));
