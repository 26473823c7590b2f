import type { PropertyValue } from "../../../provider/src/core/property-value";
import { complete, type SourceKind } from "../../../testkit/pipes";
import { withoutValue } from "../core/without-value";
import { failuresOf, edited } from "../../../testkit/offline";

/** In a failure, `…` means the path. */
export type Case = [path: string, value: PropertyValue, ...failures: string[]];

const spelled = (path: string): string => path.replace(/\.(\d+)/g, "[$1]");

/** Refused: a complete pipe of the kind with one value edited, and all that is said of it. */
export function refuses(kind: SourceKind, cases: Case[]): void {
  test.each(cases)(`a ${kind} pipe is refused whose %s is %j`, (path, value, ...failures) => {
    expect(failuresOf(edited(complete[kind], path, value)).map(withoutValue)).toEqual(
      failures.map((failure) => failure.replace("…", spelled(path))),
    );
  });
}
