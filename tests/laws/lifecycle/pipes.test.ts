import fc from "fast-check";
import { SOURCE_KINDS } from "../../../provider/src/resources/pipe/schema";
import { holds } from "../parameters";
import { anyProfiles, anySteps } from "./any-pipe-step";
import { runSteps } from "./steps";
import { PipeChecker } from "./pipe-checker";
import { PipeStack } from "./pipe-stack";
import { newSessions, type NewSession } from "./session";

/** 800 for all kinds together. */
const RUNS = 200;

let newSession: NewSession;

beforeAll(async () => {
  newSession = await newSessions();
});
describe("after any steps, the stack and the service agree, without an extra pipe", () => {
  test.each(SOURCE_KINDS)("%s", (kind) =>
    holds(
      fc.asyncProperty(anySteps(kind), fc.nat(2), anyProfiles, (steps, maxRetries, profiles) => {
        const stack = new PipeStack(newSession({ maxRetries }), kind);
        stack.apply({ do: "set profiles", profiles });
        return runSteps(stack, new PipeChecker(stack), steps);
      }),
      RUNS,
    ),
  );
});
