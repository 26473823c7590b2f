import type { Field } from "../../core/fields";
import { isMap, pick, type PropertyMap, type PropertyValue } from "../../core/property-value";
import { setDiff } from "../../core/set-diff";
import { MAPPING_IDENTITY } from "./schema";

/** What is sent to bring the table mappings of a pipe to what is declared. */
export interface MappingSteps {
  /** Identities of the mappings that go. */
  readonly remove: readonly PropertyMap[];
  /** Mappings that can come in the same request. */
  readonly add: readonly PropertyMap[];
  /** Mappings that must wait for the next request, because a mapping of the same source table goes in this one. */
  readonly addLater: readonly PropertyMap[];
}

/** The smallest removals and additions between two lists of mappings, whatever their order. */
export function mappingSteps(field: Field, before: PropertyValue, after: PropertyValue): MappingSteps {
  const { add, remove } = setDiff(field, before, after);
  const [added, removed] = [add.filter(isMap), remove.filter(isMap)];
  const leaving = new Set(removed.map(sourceTableOf));
  return {
    remove: removed.map((mapping) => pick(mapping, MAPPING_IDENTITY)),
    add: added.filter((mapping) => !leaving.has(sourceTableOf(mapping))),
    addLater: added.filter((mapping) => leaving.has(sourceTableOf(mapping))),
  };
}

const sourceTableOf = ({ sourceSchemaName, sourceTable }: PropertyMap): string =>
  JSON.stringify([sourceSchemaName, sourceTable]);
