import fc from "fast-check";
import { stopSimulators } from "../../support/simulator";
import { holds } from "../parameters";
import { anyServiceSteps } from "./any-service-step";
import { live } from "./life";
import { ServiceJudge } from "./service-judge";
import { ServiceStack } from "./service-stack";
import { newSessions, type Session } from "./session";

const RUNS = 500;

let newSession: () => Session;

beforeAll(async () => {
  newSession = await newSessions();
});
afterAll(stopSimulators);

test("whatever happens to settings and endpoints, the stack and the service come to agree, with no endpoint too many", () =>
  holds(
    fc.asyncProperty(anyServiceSteps, (steps) => {
      const stack = new ServiceStack(newSession());
      return live(stack, new ServiceJudge(stack), steps);
    }),
    RUNS,
  ));
