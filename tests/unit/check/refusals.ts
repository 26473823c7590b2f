import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { checkFailuresOf, withProperty } from "../../kit/lifecycle";

/** One edit of arguments that are right, and all that is said of it. In a failure, `PATH` means the path. */
export type Refused = [path: string, value: PropertyValue, ...failures: string[]];
/** An edit to which nothing is said. */
export type Accepted = [path: string, ...values: PropertyValue[]];

export const UUID = "PATH must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000";
export const ONE_POLICY = 'PATH must be one of "retain", "delete"';
export const meant = (name: string): string => `PATH is not an argument; did you mean "${name}"?`;
export const unknown = (names: string): string => `PATH is not an argument; expected one of ${names}`;

/** A failure without the value that it quotes; `lifecycle/validation.test.ts` tests the quoted values. */
const withoutValue = (failure: string): string =>
  failure.replace(/, got (?:a list|an object|a string|"(?:[^"\\]|\\.)*"|[-+.\w]+)$/, "");

const written = (path: string): string => path.replace(/\.(\d+)/g, "[$1]");

/** Two tables of one resource: edits that are refused with these words, and edits that are accepted. */
export const checks = (
  what: string,
  define: Parameters<typeof checkFailuresOf>[1],
  right: PropertyMap,
  { refused, accepted }: { refused: Refused[]; accepted: Accepted[] },
): void => {
  describe(what, () => {
    test("the unedited arguments are accepted", () => {
      expect(checkFailuresOf(right, define)).toEqual([]);
    });
    test.each(refused)("%s is refused as %j", (path, value, ...failures) => {
      expect(checkFailuresOf(withProperty(right, path, value), define).map(withoutValue)).toEqual(
        failures.map((failure) => failure.replace("PATH", written(path))),
      );
    });
    test.each(accepted)("%s is accepted as %p", (path, ...values) => {
      for (const value of values) {
        const args = withProperty(right, path, value);
        expect(args).not.toEqual(right);
        expect({ value, failures: checkFailuresOf(args, define) }).toEqual({ value, failures: [] });
      }
    });
  });
};
