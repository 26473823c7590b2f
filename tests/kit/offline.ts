import { describeFailure } from "../../provider/src/lifecycle/validation";
import type { PropertyMap, PropertyValue } from "../../provider/src/lifecycle/property-value";
import { Lifecycle } from "../../provider/src/lifecycle/lifecycle";
import type { LifecycleContext, ResourceDefinition } from "../../provider/src/lifecycle/lifecycle";
import { systemClock } from "../../provider/src/api/http/clock";
import { pipeDefinition } from "../../provider/src/resources/pipe/pipe";
import { PipeLists } from "../../provider/src/resources/pipe/list";
import type { RunContext } from "../../provider/src/resources/context";
import { recordLines } from "./lines";
import { replacedAt } from "./pipes";
import { runContext } from "./run-context";

export const organizationId = "11111111-1111-4111-8111-111111111111";
export const serviceId = "22222222-2222-4222-8222-222222222222";
export const pipeId = "33333333-3333-4333-8333-333333333333";

/** What a definition is given without an API: a use of the client throws, and the lines that the user sees are kept. */
export const withoutApi = () => ({
  ...runContext(),
  ...recordLines(),
  client: noClient,
  clock: systemClock,
  lists: new PipeLists(noClient, systemClock),
});

function noClient(): never {
  throw new Error("This test must not reach for the API.");
}

type Define = (context: RunContext) => ResourceDefinition;

/** The lifecycle of a kind of resource without an API, and the lines that the user sees. */
export function offline(more: Partial<LifecycleContext> = {}, define: Define = pipeDefinition) {
  const { lines, ...given } = withoutApi();
  const context = { ...given, defaults: () => ({ organizationId, serviceId }), ...more };
  return { lifecycle: new Lifecycle(define(given), context), lines };
}

/** The failures of a first preview, one sentence each. */
export function failuresOf(args: PropertyMap, define: Define = pipeDefinition): string[] {
  return offline({}, define).lifecycle.check(undefined, args).failures.map(describeFailure);
}

/** As `withValue`, for a program that may have unknown values. */
export const edited = (args: PropertyMap, path: string, value: PropertyValue): PropertyMap =>
  replacedAt(args, path.split("."), value) as PropertyMap;
