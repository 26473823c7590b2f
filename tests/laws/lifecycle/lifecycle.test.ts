import fc from "fast-check";
import { SOURCE_KINDS } from "../../../provider/src/resources/pipe/schema";
import { holds, runsOf } from "../parameters";
import { anyPipeSteps, anyProfiles } from "./any-pipe-step";
import { anyServiceSteps } from "./any-service-step";
import { PipeChecker } from "./pipe-checker";
import { PipeStack } from "./pipe-stack";
import { ServiceChecker } from "./service-checker";
import { ServiceStack } from "./service-stack";
import { newSessions, type NewSession } from "./session";
import { runSteps } from "./steps";

/** The runs for each of four kinds of pipes, and for services. */
const RUNS = {
  dynamic: {
    pipes: runsOf({ quick: 15, test: 50, all: 200 }),
    services: runsOf({ quick: 20, test: 80, all: 300 }),
  },
  native: {
    pipes: runsOf({ quick: 5, test: 15, all: 40 }),
    services: runsOf({ quick: 10, test: 25, all: 50 }),
  },
};

let newSession: NewSession;

beforeAll(async () => {
  newSession = await newSessions();
});

describe.each(["dynamic", "native"] as const)(
  "after any steps with the %s adapter, the stack and the service agree",
  (adapter) => {
    test.each(SOURCE_KINDS)("on pipes, without an extra pipe: %s", (kind) =>
      holds(
        fc.asyncProperty(anyPipeSteps(kind), fc.nat(2), anyProfiles, (steps, maxRetries, profiles) => {
          const stack = new PipeStack(newSession(adapter, maxRetries), kind);
          stack.apply({ do: "set profiles", profiles });
          return runSteps(stack, new PipeChecker(stack), steps);
        }),
        RUNS[adapter].pipes,
      ),
    );

    test("on settings and endpoints, without an extra endpoint", () =>
      holds(
        fc.asyncProperty(anyServiceSteps, fc.nat(2), fc.boolean(), (steps, maxRetries, writesNetworks) => {
          const stack = new ServiceStack(newSession(adapter, maxRetries));
          stack.control.setBehaviour({ profiles: writesNetworks ? ["cidr"] : [] });
          return runSteps(stack, new ServiceChecker(stack), steps);
        }),
        RUNS[adapter].services,
      ));
  },
);
