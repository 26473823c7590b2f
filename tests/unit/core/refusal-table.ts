import { systemClock } from "../../../provider/src/api/rate-limiter";
import { describeFailure } from "../../../provider/src/core/validation";
import type { PropertyMap, PropertyValue } from "../../../provider/src/core/property-value";
import { Lifecycle, type ResourceDefinition } from "../../../provider/src/core/lifecycle";
import type { ResourceContext } from "../../../provider/src/resources/context";
import { edited, organizationId, pipeId, serviceId } from "../../../testkit/offline";
import { preview } from "../../../testkit/preview";
import { withoutValue } from "./without-value";
import { recordLines } from "../../../testkit/lines";

/** One edit of arguments that are right, and all that is said of it. */
export type Case = [path: string, value: PropertyValue, ...failures: string[]];

/** What a preview says of the arguments of a kind of resource, one sentence per failure; the first one without `olds`. */
export function failuresFor(
  define: (context: ResourceContext) => ResourceDefinition,
  args: PropertyMap,
  olds?: PropertyMap,
): readonly string[] {
  const client = (): never => {
    throw new Error("This test must not reach for the API.");
  };
  const output = recordLines();
  const context = {
    ...output,
    configurationProblems: () => [],
    defaults: () => ({ organizationId, serviceId }),
  };
  const lifecycle = new Lifecycle(define({ ...output, client, clock: systemClock }), context);
  return olds === undefined
    ? lifecycle.check(undefined, args).failures.map(describeFailure)
    : preview(lifecycle, { id: pipeId, outputs: olds }, args).failures;
}

/** Two tables of one resource: edits that are refused with these words, and edits that are not. */
export function checks(
  define: (context: ResourceContext) => ResourceDefinition,
  right: PropertyMap,
  { refused, accepted }: { refused: Case[]; accepted: [path: string, value: PropertyValue][] },
): void {
  test("the unedited arguments are accepted", () => {
    expect(failuresFor(define, right)).toEqual([]);
  });
  test.each(refused)("%s is refused as %j", (path, value, ...failures) => {
    expect(failuresFor(define, edited(right, path, value)).map(withoutValue)).toEqual(failures);
  });
  test.each(accepted)("%s is accepted as %j", (path, value) => {
    expect(failuresFor(define, edited(right, path, value))).toEqual([]);
  });
}
