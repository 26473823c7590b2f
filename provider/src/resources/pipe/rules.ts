import type { Failure } from "../../core/check";
import {
  isList,
  isMap,
  UNKNOWN,
  valueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "../../core/property-value";
import { SOURCE_KINDS } from "./schema";

/** What must hold between the fields of a pipe. What is unknown passes. */
export const pipeRules = (inputs: PropertyMap): readonly Failure[] => [
  ...oneSourceKind(inputs["source"]),
  ...allColumnsMapped(inputs),
  ...repeated(inputs, ["destination", "columns"], ["name"], "column"),
  ...repeated(inputs, ["source", "postgres", "tableMappings"], ["targetTable"], "target table"),
  ...repeated(inputs, ["fieldMappings"], ["sourceField", "destinationField"], "field mapping"),
  ...plainLists(inputs).flatMap((path) => repeated(inputs, path, [], "entry")),
];

/** The lists of plain texts, in none of which an entry can stand twice. */
function plainLists(inputs: PropertyMap): readonly PropertyPath[] {
  const mappings = ["source", "postgres", "tableMappings"];
  return [
    ["source", "kafka", "reversePrivateEndpointIds"],
    ["destination", "roles"],
    ["destination", "tableDefinition", "sortingKey"],
    ["destination", "tableDefinition", "engine", "columnIds"],
    ...elementsAt(inputs, mappings).flatMap((_, index) => [
      [...mappings, index, "excludedColumns"],
      [...mappings, index, "sortingKeys"],
    ]),
  ];
}

function oneSourceKind(source: PropertyValue): readonly Failure[] {
  if (!isMap(source)) return [];
  const given = SOURCE_KINDS.filter((kind) => source[kind] !== undefined);
  if (given.length === 1) return [];
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
  const columns = elementsAt(inputs, ["destination", "columns"]);
  const mappings = elementsAt(inputs, ["fieldMappings"]);
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

/** Elements of a list that agree in the named members (or as a whole) with an element before them. */
function repeated(
  inputs: PropertyMap,
  path: PropertyPath,
  members: readonly string[],
  noun: string,
): readonly Failure[] {
  const first = new Map<string, number>();
  return elementsAt(inputs, path).flatMap((element, index) => {
    const parts = members.length === 0 ? [element] : members.map((name) => valueAt(element, [name]));
    if (!parts.every((part) => typeof part === "string")) return [];
    const key = JSON.stringify(parts);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return [];
    }
    const place: PropertyPath = [...path, index, ...(members.length === 1 ? members : [])];
    return [
      { path: place, reason: `repeats the ${noun} ${parts.map(quoted).join(", ")} of element ${earlier}` },
    ];
  });
}

const quoted = (part: PropertyValue): string => JSON.stringify(part);

function elementsAt(inputs: PropertyMap, path: PropertyPath): readonly PropertyValue[] {
  const value = valueAt(inputs, path);
  return isList(value) ? value : [];
}
