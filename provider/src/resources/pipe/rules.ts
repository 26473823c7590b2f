import type { Failure } from "../../core/validation";
import {
  isMap,
  UNKNOWN,
  valueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "../../core/property-value";
import { duplicates } from "../../core/duplicates";
import { elementsOf } from "../../core/set-diff";
import { SOURCE_KINDS } from "./schema";

/** What must hold between the fields of a pipe. What is unknown passes. */
export const pipeRules = (inputs: PropertyMap): readonly Failure[] => [
  ...oneSourceKind(inputs["source"]),
  ...allColumnsMapped(inputs),
  ...duplicates(inputs, ["destination", "columns"], ["name"], "column"),
  ...duplicates(inputs, ["source", "postgres", "tableMappings"], ["targetTable"], "target table"),
  ...duplicates(inputs, ["fieldMappings"], ["sourceField", "destinationField"], "field mapping"),
  ...plainLists(inputs).flatMap((path) => duplicates(inputs, path, [], "entry")),
];

/** The lists of plain texts, in none of which an entry can stand twice. */
function plainLists(inputs: PropertyMap): readonly PropertyPath[] {
  const mappings = ["source", "postgres", "tableMappings"];
  return [
    ["source", "kafka", "reversePrivateEndpointIds"],
    ["destination", "roles"],
    ["destination", "tableDefinition", "sortingKey"],
    ["destination", "tableDefinition", "engine", "columnIds"],
    ...elementsOf(valueAt(inputs, mappings)).flatMap((_, index) => [
      [...mappings, index, "excludedColumns"],
      [...mappings, index, "sortingKeys"],
    ]),
  ];
}

function oneSourceKind(source: PropertyValue): readonly Failure[] {
  if (!isMap(source)) return [];
  // A kind that is not known yet may turn out to be there or not.
  const given = SOURCE_KINDS.filter((kind) => source[kind] !== undefined && source[kind] !== UNKNOWN);
  const mayCome = SOURCE_KINDS.some((kind) => source[kind] === UNKNOWN);
  if (given.length === 1 || (given.length === 0 && mayCome)) return [];
  const kinds = SOURCE_KINDS.join(", ");
  return [
    {
      path: ["source"],
      reason:
        given.length === 0
          ? `must have one of ${kinds}`
          : `must have exactly one of ${kinds}; it has ${given.join(" and ")}`,
    },
  ];
}

function allColumnsMapped(inputs: PropertyMap): readonly Failure[] {
  const columns = elementsOf(valueAt(inputs, ["destination", "columns"]));
  const mappings = elementsOf(inputs["fieldMappings"]);
  const mapped = new Set(mappings.map((mapping) => valueAt(mapping, ["destinationField"])));
  // With a mapping that is not known yet, any column may be mapped.
  if (inputs["fieldMappings"] === UNKNOWN || mapped.has(UNKNOWN)) return [];
  const missing = columns
    .map((column) => valueAt(column, ["name"]))
    .filter((name) => typeof name === "string")
    .filter((name) => !mapped.has(name));
  if (missing.length === 0) return [];
  const names = [...new Set(missing)].map((name) => JSON.stringify(name)).join(", ");
  return [{ path: ["fieldMappings"], reason: `must cover every destination column; missing: ${names}` }];
}
