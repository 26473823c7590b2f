import { describeFailure } from "../provider/src/core/validation";
import type { PropertyMap, PropertyValue } from "../provider/src/core/property-value";
import { Lifecycle, type ProviderContext } from "../provider/src/core/lifecycle";
import { systemClock } from "../provider/src/api/rate-limiter";
import { pipeDefinition } from "../provider/src/resources/pipe/definition";
import { recordLines } from "./lines";
import { replacedAt } from "./pipes";

export const organizationId = "11111111-1111-4111-8111-111111111111";
export const serviceId = "22222222-2222-4222-8222-222222222222";
export const pipeId = "33333333-3333-4333-8333-333333333333";

/** A pipe's lifecycle without an API, where a use of the client throws, and the lines that the user sees. */
export function offline(more: Partial<ProviderContext> = {}) {
  const { lines, ...output } = recordLines();
  const client = (): never => {
    throw new Error("This test must not reach for the API.");
  };
  const context: ProviderContext = {
    configurationProblems: () => [],
    defaults: () => ({ organizationId, serviceId }),
    ...output,
    ...more,
  };
  const definition = pipeDefinition({ ...output, client, clock: systemClock });
  return { lifecycle: new Lifecycle(definition, context), lines };
}

export function failuresOf(args: PropertyMap): string[] {
  return offline().lifecycle.check(undefined, args).failures.map(describeFailure);
}

/** As `withValue`, for a program that may have unknown values. */
export const edited = (args: PropertyMap, path: string, value: PropertyValue): PropertyMap =>
  replacedAt(args, path.split("."), value) as PropertyMap;
