import fc from "fast-check";
import { holds } from "../parameters";
import { anyServiceSteps } from "./any-service-step";
import { runSteps } from "./steps";
import { ServiceChecker } from "./service-checker";
import { ServiceStack } from "./service-stack";
import { ADAPTER_NAMES, newSessions, type NewSession } from "./session";

const RUNS = { dynamic: 300, native: 50 };

let newSession: NewSession;

beforeAll(async () => {
  newSession = await newSessions();
});
test.each(ADAPTER_NAMES)(
  "after any steps with the %s adapter, the settings and endpoints of the stack and the service agree, without an extra endpoint",
  (adapter) =>
    holds(
      fc.asyncProperty(anyServiceSteps, fc.nat(2), fc.boolean(), (steps, maxRetries, writesNetworks) => {
        const session = newSession({ adapter, maxRetries });
        session.simulator.control.setBehaviour({ profiles: writesNetworks ? ["cidr"] : [] });
        const stack = new ServiceStack(session);
        return runSteps(stack, new ServiceChecker(stack), steps);
      }),
      RUNS[adapter],
    ),
);
