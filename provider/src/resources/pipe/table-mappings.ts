import { isDeepStrictEqual } from "node:util";
import { canonical } from "../../core/equality";
import type { Field } from "../../core/field";
import { isList, isMap, pick, type PropertyMap, type PropertyValue } from "../../core/property-value";
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
  const olds = mappingsOf(before);
  const news = mappingsOf(after);
  const same = (a: PropertyMap, b: PropertyMap): boolean =>
    isDeepStrictEqual(canonical(field, [a]), canonical(field, [b]));
  const removed = olds.filter((old) => !news.some((mapping) => same(old, mapping)));
  const added = news.filter((mapping) => !olds.some((old) => same(old, mapping)));
  const leaving = new Set(removed.map(sourceTable));
  return {
    remove: removed.map((mapping) => pick(mapping, MAPPING_IDENTITY)),
    add: added.filter((mapping) => !leaving.has(sourceTable(mapping))),
    addLater: added.filter((mapping) => leaving.has(sourceTable(mapping))),
  };
}

const mappingsOf = (value: PropertyValue): readonly PropertyMap[] =>
  isList(value) ? value.filter(isMap) : [];

const sourceTable = (mapping: PropertyMap): string =>
  JSON.stringify([mapping["sourceSchemaName"], mapping["sourceTable"]]);
