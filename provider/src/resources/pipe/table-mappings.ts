import type { Change } from "../../lifecycle/changes";
import { isMap, pick, type PropertyMap, type PropertyValue } from "../../lifecycle/property-value";
import { elementsOf, setDiff } from "../../lifecycle/set-diff";
import { MAPPING_IDENTITY } from "./source-schema";

/** How a change of table mappings is sent. */
export interface MappingSteps {
  /** The identities of the mappings to remove. */
  readonly remove: readonly PropertyMap[];
  /** The mappings to add in the same request. */
  readonly add: readonly PropertyMap[];
  /** The mappings to add in the next request, because this one removes a mapping of the same source table. */
  readonly addLater: readonly PropertyMap[];
  /** Whether there are two requests, and the pipe has no mapping between them. */
  readonly removesAll: boolean;
}

/** The smallest removals and additions for a change of the list, whatever its order. */
export function mappingSteps(change: Pick<Change, "field" | "before" | "after"> | undefined): MappingSteps {
  if (change === undefined) return { remove: [], add: [], addLater: [], removesAll: false };
  const { add, remove } = setDiff(change.field, change.before, change.after);
  const [added, removed] = [add.filter(isMap), remove.filter(isMap)];
  const removedTables = new Set(removed.map(sourceTableOf));
  const isLater = (mapping: PropertyMap): boolean => removedTables.has(sourceTableOf(mapping));
  return {
    remove: removed.map((mapping) => pick(mapping, MAPPING_IDENTITY)),
    add: added.filter((mapping) => !isLater(mapping)),
    addLater: added.filter(isLater),
    removesAll:
      added.length > 0 && added.every(isLater) && removed.length === elementsOf(change.before).length,
  };
}

/** What a preview says of a mapping that is removed and then added as declared. */
export function replacementWarning(steps: MappingSteps): string | undefined {
  if (steps.addLater.length === 0) return undefined;
  const advice = steps.removesAll
    ? ". A service that requires a mapping refuses the first: then declare a mapping of another table beside it until this change is made."
    : ".";
  return (
    `the table mapping of ${tablesOf(steps)} is replaced by two requests, because the API does not remove and add a mapping of one table in ` +
    `the same request: the first removes it, the second adds it as declared. Between them ${effectOf(steps)}${advice}`
  );
}

/** What an error says of the first or the second of the two requests. */
export const replacementFailure = (steps: MappingSteps, isSecond: boolean): string =>
  isSecond
    ? `The first of two requests removed the table mapping of ${tablesOf(steps)}, and the second did not add it as declared: ` +
      `${effectOf(steps)} until \`pulumi up\` adds it.`
    : `The first of two requests removes the only table mapping, of ${tablesOf(steps)}, before the second adds it as declared. If the service ` +
      "requires a mapping, declare one of another table beside it until this change is made.";

const tablesOf = ({ addLater }: MappingSteps): string =>
  [...new Set(addLater.map((mapping) => TABLE.map((name) => textOf(mapping[name])).join(".")))].join(", ");

const textOf = (value: PropertyValue): string => (typeof value === "string" ? value : "");

const effectOf = ({ addLater, removesAll }: MappingSteps): string =>
  removesAll
    ? "the pipe has no table mapping"
    : `the pipe does not replicate ${addLater.length === 1 ? "this table" : "these tables"}`;

/** What names the source table of a mapping. */
const TABLE = ["sourceSchemaName", "sourceTable"] as const;

const sourceTableOf = (mapping: PropertyMap): string => JSON.stringify(TABLE.map((name) => mapping[name]));
