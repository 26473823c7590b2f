import fc from "fast-check";
import { holds } from "../parameters";
import { anyServiceSteps } from "./any-service-step";
import { ServiceChecker } from "./service-checker";
import { ServiceStack } from "./service-stack";
import { newSessions } from "./session";
import { runSteps } from "./steps";

test.each([
  ["dynamic", 20],
  ["native", 10],
] as const)(
  "after any steps with the %s adapter, settings and endpoints agree with the service",
  async (adapter, runs) => {
    const newSession = await newSessions();
    await holds(
      fc.asyncProperty(anyServiceSteps, fc.nat(2), fc.boolean(), (steps, maxRetries, writesNetworks) => {
        const session = newSession(adapter, maxRetries);
        session.simulator.control.setBehaviour({ profiles: writesNetworks ? ["cidr"] : [] });
        const stack = new ServiceStack(session);
        return runSteps(stack, new ServiceChecker(stack), steps);
      }),
      runs,
    );
  },
);
