import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Change } from "../../provider/src/lifecycle/comparison/changes";
import { isList, isMap, type PropertyValue } from "../../provider/src/lifecycle/comparison/property-value";
import { identityKey, keyOfElement } from "../../provider/src/lifecycle/comparison/equality";
import type { DiffResult } from "../../provider/src/lifecycle/program/definition";

const { Kind } = PropertyDiff;

/** The path of a difference, and its values; undefined where there is none. */
interface Difference {
  readonly path: string;
  readonly before: PropertyValue;
  readonly after: PropertyValue;
}

/**
 * The changes of a diff as the engine shows them: by path, with what each is and whether it replaces. Without those
 * that only the state learns: `replaceOnChanges` would make the engine replace a resource for them.
 */
export function detailedDiff({ changes, replaces }: DiffResult): ReadonlyMap<string, PropertyDiff> {
  const replaced = new Set(replaces);
  return new Map(
    changes
      .filter(({ effect }) => effect !== "none")
      .flatMap((change) =>
        differencesOf(change).map((difference) => {
          const kind = kindOf(difference, replaced.has(change.path));
          return [difference.path, new PropertyDiff().setKind(kind).setInputdiff(true)] as const;
        }),
      ),
  );
}

/** The engine compares lists by position, which shows one removed entry of a set as a change of all that follow. */
function differencesOf(change: Change): readonly Difference[] {
  const { field, path, before, after } = change;
  if (field.unordered !== true || !isList(before) || !isList(after)) return [change];
  const positions = new Map(after.map((element, index) => [identityKey(field, element), index]));
  const found = new Map<number, Difference>();
  for (const [index, element] of before.entries()) {
    const key = identityKey(field, element);
    const position = positions.get(key);
    const counterpart = position === undefined ? undefined : after[position];
    if (keyOfElement(field, element) === keyOfElement(field, counterpart)) positions.delete(key);
    else found.set(index, { path: `${path}[${index}]`, before: element, after: undefined });
  }
  for (const index of positions.values())
    found.set(index, { path: `${path}[${index}]`, before: found.get(index)?.before, after: after[index] });
  return [...found.values()].flatMap(membersOf);
}

/** The members that differ between two versions of one entry. */
function membersOf(difference: Difference): readonly Difference[] {
  const { path, before, after } = difference;
  if (!isMap(before) || !isMap(after)) return [difference];
  return Object.keys({ ...before, ...after })
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ path: `${path}.${name}`, before: before[name], after: after[name] }));
}

function kindOf({ before, after }: Difference, replaces: boolean): PropertyDiff.Kind {
  if (before === undefined) return replaces ? Kind.ADD_REPLACE : Kind.ADD;
  if (after === undefined) return replaces ? Kind.DELETE_REPLACE : Kind.DELETE;
  return replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}
