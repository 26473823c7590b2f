import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Change } from "../../provider/src/lifecycle/comparison/changes";
import type { DiffResult } from "../../provider/src/lifecycle/program/definition";

const { Kind } = PropertyDiff;

/**
 * The changes of a diff as the engine shows them: by path, with what each is and whether it replaces. Without those
 * that only the state learns: `replaceOnChanges` would make the engine replace a resource for them.
 */
export function detailedDiff({ changes, replaces }: DiffResult): ReadonlyMap<string, PropertyDiff> {
  const replaced = new Set(replaces);
  return new Map(
    changes
      .filter(({ effect }) => effect !== "none")
      .map((change) => {
        const kind = kindOf(change, replaced.has(change.path));
        return [change.path, new PropertyDiff().setKind(kind).setInputdiff(true)];
      }),
  );
}

function kindOf({ before, after }: Change, replaces: boolean): PropertyDiff.Kind {
  if (before === undefined) return replaces ? Kind.ADD_REPLACE : Kind.ADD;
  if (after === undefined) return replaces ? Kind.DELETE_REPLACE : Kind.DELETE;
  return replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}
