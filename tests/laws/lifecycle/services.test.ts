import fc from "fast-check";
import { holds } from "../parameters";
import { anyServiceSteps } from "./any-service-step";
import { runSteps } from "./steps";
import { ServiceChecker } from "./service-checker";
import { ServiceStack } from "./service-stack";
import { newSessions, type NewSession } from "./session";

const RUNS = 300;

let newSession: NewSession;

beforeAll(async () => {
  newSession = await newSessions();
});
test("after any steps, the settings and endpoints of the stack and the service agree, without an extra endpoint", () =>
  holds(
    fc.asyncProperty(anyServiceSteps, fc.nat(2), fc.boolean(), (steps, maxRetries, writesNetworks) => {
      const session = newSession({ maxRetries });
      session.simulator.control.setBehaviour({ profiles: writesNetworks ? ["cidr"] : [] });
      const stack = new ServiceStack(session);
      return runSteps(stack, new ServiceChecker(stack), steps);
    }),
    RUNS,
  ));
