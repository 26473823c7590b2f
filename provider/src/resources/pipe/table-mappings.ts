import type { Change } from "../../lifecycle/comparison/changes";
import { isMap, pick, type PropertyMap } from "../../lifecycle/comparison/property-value";
import { setDiff } from "../../lifecycle/comparison/equality";
import { MAPPING_IDENTITY } from "./source-schema";

export interface MappingSteps {
  /** The identities of the mappings to remove. */
  readonly remove: readonly PropertyMap[];
  /** The mappings to add in the same request. */
  readonly add: readonly PropertyMap[];
  /** The mappings to add in the next request, because this one removes a mapping of the same source table. */
  readonly addLater: readonly PropertyMap[];
}

/** The smallest removals and additions for a change of the list, whatever its order. */
export function mappingSteps(change: Pick<Change, "field" | "before" | "after"> | undefined): MappingSteps {
  if (change === undefined) return { remove: [], add: [], addLater: [] };
  const { add, remove } = setDiff(change.field, change.before, change.after);
  const [added, removed] = [add.filter(isMap), remove.filter(isMap)];
  const removedTables = new Set(removed.map(sourceTableOf));
  const isLater = (mapping: PropertyMap): boolean => removedTables.has(sourceTableOf(mapping));
  return {
    remove: removed.map((mapping) => pick(mapping, MAPPING_IDENTITY)),
    add: added.filter((mapping) => !isLater(mapping)),
    addLater: added.filter(isLater),
  };
}

/** What names the source table of a mapping. */
const TABLE = ["sourceSchemaName", "sourceTable"] as const;

const sourceTableOf = (mapping: PropertyMap): string => JSON.stringify(TABLE.map((name) => mapping[name]));
