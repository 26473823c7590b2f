import { systemClock } from "../../../provider/src/api/rate-limiter";
import { Lifecycle, type ResourceDefinition } from "../../../provider/src/core/lifecycle";
import type { PropertyMap, PropertyValue } from "../../../provider/src/core/property-value";
import { describeFailure } from "../../../provider/src/core/validation";
import type { ResourceContext } from "../../../provider/src/resources/context";
import { recordLines } from "../../../testkit/lines";
import { edited, organizationId, pipeId, serviceId } from "../../../testkit/offline";
import { preview } from "../../../testkit/preview";

/** One edit of arguments that are right, and all that is said of it. In a failure, `…` means the path. */
export type Refused = [path: string, value: PropertyValue, ...failures: string[]];
/** An edit to which nothing is said. */
export type Accepted = [path: string, ...values: PropertyValue[]];

export const UUID = "… must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000";
export const ONE_POLICY = '… must be one of "retain", "delete"';
export const meant = (name: string): string => `… is not an argument; did you mean "${name}"?`;
export const unknown = (names: string): string => `… is not an argument; expected one of ${names}`;

type Define = (context: ResourceContext) => ResourceDefinition;

/** What a preview says of the arguments of a kind of resource, one sentence per failure; the first one without `olds`. */
export function failuresFor(define: Define, args: PropertyMap, olds?: PropertyMap): readonly string[] {
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

/** A failure without the value that it quotes; `core/validation.test.ts` tests the quoted values. */
const withoutValue = (failure: string): string =>
  failure.replace(/, got (?:a list|an object|a string|"(?:[^"\\]|\\.)*"|[-+.\w]+)$/, "");

const spelled = (path: string): string => path.replace(/\.(\d+)/g, "[$1]");

/** Two tables of one resource: edits that are refused with these words, and edits that are accepted. */
export function checks(
  define: Define,
  right: PropertyMap,
  { refused, accepted }: { refused: Refused[]; accepted: Accepted[] },
): void {
  test("the unedited arguments are accepted", () => {
    expect(failuresFor(define, right)).toEqual([]);
  });
  test.each(refused)("%s is refused as %j", (path, value, ...failures) => {
    expect(failuresFor(define, edited(right, path, value)).map(withoutValue)).toEqual(
      failures.map((failure) => failure.replace("…", spelled(path))),
    );
  });
  test.each(accepted)("%s is accepted as %p", (path, ...values) => {
    for (const value of values) {
      const args = edited(right, path, value);
      expect(args).not.toEqual(right);
      expect([value, failuresFor(define, args)]).toEqual([value, []]);
    }
  });
}
