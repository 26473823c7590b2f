import { describeFailure } from "../provider/src/core/validation";
import type { PropertyMap, PropertyValue } from "../provider/src/core/property-value";
import { Lifecycle, type ProviderContext } from "../provider/src/core/lifecycle";
import { systemClock } from "../provider/src/api/rate-limiter";
import { pipeDefinition } from "../provider/src/resources/pipe/definition";
import { recordLines } from "./lines";

export const organizationId = "11111111-1111-4111-8111-111111111111";
export const serviceId = "22222222-2222-4222-8222-222222222222";
export const pipeId = "33333333-3333-4333-8333-333333333333";

/** A pipe's lifecycle without an API: a use of the client throws. */
export interface Offline {
  lifecycle: Lifecycle;
  /** The lines that the user sees. */
  lines: string[];
}

export function offline(more: Partial<ProviderContext> = {}): Offline {
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

/** The failures of a first preview, one sentence each. */
export function failuresOf(args: PropertyMap): string[] {
  return offline().lifecycle.check(undefined, args).failures.map(describeFailure);
}

/** A copy with the value at a dotted path replaced, or taken away by `undefined`; elements are counted from 0. */
export function edited(args: PropertyMap, path: string, value: PropertyValue): PropertyMap {
  const [name = "", ...rest] = path.split(".");
  return editedAt(args, [name, ...rest], value) as PropertyMap;
}

function editedAt(
  at: PropertyValue,
  [name, ...rest]: readonly string[],
  value: PropertyValue,
): PropertyValue {
  if (name === undefined) return value;
  if (Array.isArray(at)) {
    const index = Number(name);
    const elements = at as readonly PropertyValue[];
    return [
      ...elements.slice(0, index),
      editedAt(elements[index], rest, value),
      ...elements.slice(index + 1),
    ];
  }
  const members = typeof at === "object" && at !== null ? (at as PropertyMap) : {};
  const next = editedAt(members[name], rest, value);
  const others = Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
  return next === undefined ? others : { ...members, [name]: next };
}
