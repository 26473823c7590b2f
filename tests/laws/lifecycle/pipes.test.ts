import fc from "fast-check";
import { SOURCE_KINDS } from "../../../provider/src/resources/pipe/source-schema";
import { holds } from "../parameters";
import { anyPipeSteps, anyProfiles } from "./any-pipe-step";
import { PipeChecker } from "./pipe-checker";
import { PipeStack } from "./pipe-stack";
import { newSessions } from "./session";
import { runSteps } from "./steps";

/** For each of four kinds. */
const RUNS = { dynamic: 8, native: 3 };

describe.each(["dynamic", "native"] as const)("after any steps with the %s adapter", (adapter) => {
  test.each(SOURCE_KINDS)(
    "the stack of %s pipes and the service agree, without an extra pipe",
    async (kind) => {
      const newSession = await newSessions();
      await holds(
        fc.asyncProperty(anyPipeSteps(kind), fc.nat(2), anyProfiles, (steps, maxRetries, profiles) => {
          const stack = new PipeStack(newSession(adapter, maxRetries), kind);
          stack.apply({ do: "set profiles", profiles });
          return runSteps(stack, new PipeChecker(stack), steps);
        }),
        RUNS[adapter],
      );
    },
  );
});
