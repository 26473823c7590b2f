import fc from "fast-check";
import { SOURCE_KINDS } from "../../../provider/src/resources/pipe/schema";
import { holds } from "../parameters";
import { anyProfiles, anySteps } from "./any-pipe-step";
import { runSteps } from "./steps";
import { PipeChecker } from "./pipe-checker";
import { PipeStack } from "./pipe-stack";
import { ADAPTER_NAMES, newSessions, type NewSession } from "./session";

/** For each of four kinds. */
const RUNS = { dynamic: 200, native: 40 };

let newSession: NewSession;

beforeAll(async () => {
  newSession = await newSessions();
});
describe.each(ADAPTER_NAMES)(
  "after any steps with the %s adapter, the stack and the service agree, without an extra pipe",
  (adapter) => {
    test.each(SOURCE_KINDS)("%s", (kind) =>
      holds(
        fc.asyncProperty(anySteps(kind), fc.nat(2), anyProfiles, (steps, maxRetries, profiles) => {
          const stack = new PipeStack(newSession({ adapter, maxRetries }), kind);
          stack.apply({ do: "set profiles", profiles });
          return runSteps(stack, new PipeChecker(stack), steps);
        }),
        RUNS[adapter],
      ),
    );
  },
);
