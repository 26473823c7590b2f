import type { Identified } from "../../api/document/wire";
import { sameValue } from "../../lifecycle/equality";
import { inDeclaredShape } from "../../lifecycle/declared-shape";
import { isReadable, leafFields, type Field } from "../../lifecycle/fields";
import {
  isList,
  isMap,
  pick,
  valueAt,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/property-value";
import { elementsOf } from "../../lifecycle/set-diff";
import { MAPPING_IDENTITY } from "../../resources/pipe/source-schema";
import { SENT_FIELDS } from "./oddities";
import type { Part } from "./written";

/** The body of an update, in the names of a program. */
export interface PlannedUpdate {
  readonly part: Part;
  readonly body: PropertyMap;
  readonly paths: readonly string[];
  /** To send if the service refuses the body. */
  readonly otherwise?: PropertyMap;
}

const LEAVES = leafFields(SENT_FIELDS);
const UPDATABLE = LEAVES.filter(({ onChange }) => onChange === "update");

const pathOf = ({ path }: Field): string => path.join(".");

/** Services test the connection when one of these changes. */
const CONNECTION = ["source.postgres.host", "source.postgres.port", "source.postgres.database"];
const CREDENTIALS = ["source", "postgres", "credentials"];
const MAPPINGS = ["source", "postgres", "tableMappings"];
const TABLE = ["destination.columns", "fieldMappings"];

/**
 * One update for each kind of field that the pipe declares, from the schema: numbers grow by one, flags turn, and all else is sent again as
 * it is, because the probe cannot know another value that is right.
 */
export function plannedUpdates(
  inputs: PropertyMap,
  listed: Identified,
  newName: string,
): readonly PlannedUpdate[] {
  const declared = UPDATABLE.filter(({ path }) => valueAt(inputs, path) !== undefined);
  const ofSource = declared.filter(
    (field) => field.path[0] === "source" && ![...CONNECTION, MAPPINGS.join(".")].includes(pathOf(field)),
  );
  const update = (part: Part, fields: readonly Field[], from = inputs): readonly PlannedUpdate[] => {
    const body = fields.reduce<PropertyMap>(
      (map, field) => withValueAt(map, field.path, changed(field, valueAt(from, field.path))),
      {},
    );
    return fields.length === 0 ? [] : [{ part, body, paths: fields.map(pathOf) }];
  };
  const connection = declared.filter((field) => CONNECTION.includes(pathOf(field)));
  return [
    { part: "plain", body: { name: newName }, paths: ["name"] },
    ...update(
      "plain",
      declared.filter((field) => TABLE.includes(pathOf(field))),
    ),
    ...update("settings", ...settingsToChange(inputs, listed)),
    ...ofSource.flatMap((field) => update("source", [field])),
    ...update("connection", connection).map((planned) => ({
      ...planned,
      otherwise: withValueAt(planned.body, CREDENTIALS, valueAt(inputs, CREDENTIALS)),
    })),
    ...mappingUpdates(valueAt(inputs, MAPPINGS)),
  ];
}

/** A connection stays as it is: another port would be that of nothing. */
function changed(field: Field, value: PropertyValue): PropertyValue {
  if (CONNECTION.includes(pathOf(field))) return value;
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : value;
}

/** The settings of the file; else one that the service filled in. Each with the pipe that has its value. */
function settingsToChange(
  inputs: PropertyMap,
  listed: PropertyMap,
): readonly [fields: readonly Field[], from: PropertyMap] {
  if (valueAt(inputs, ["source", "postgres"]) !== undefined) return [[], inputs];
  const settingsIn = (pipe: PropertyMap): readonly Field[] =>
    LEAVES.filter(({ path }) => path[0] === "settings" && valueAt(pipe, path) !== undefined);
  const given = settingsIn(inputs);
  const filledIn = settingsIn(listed).filter(({ type }) => type === "integer");
  return given.length > 0 ? [given, inputs] : [filledIn.slice(0, 1), listed];
}

/** Removes the last mapping and adds it again, if the pipe has a second one in between. */
function mappingUpdates(mappings: PropertyValue): readonly PlannedUpdate[] {
  const last = isList(mappings) && mappings.length > 1 ? mappings.at(-1) : undefined;
  if (!isMap(last)) return [];
  const edit = (name: string, mapping: PropertyMap): PlannedUpdate => ({
    part: "tableMappings",
    body: withValueAt({}, ["source", "postgres", name], [mapping]),
    paths: [MAPPINGS.join(".")],
  });
  return [edit("tableMappingsToRemove", pick(last, MAPPING_IDENTITY)), edit("tableMappingsToAdd", last)];
}

/** The readable fields of some values that a list leaves out, and those that it writes in another way. What it adds to an element is neither. */
export function differences(values: PropertyMap, listed: PropertyMap) {
  const differing = LEAVES.filter((field) => {
    const value = valueAt(values, field.path);
    if (value === undefined || !isReadable(field)) return false;
    const now = valueAt(listed, field.path);
    return !sameValue(field, value, inDeclaredShape(field, value, now));
  });
  const isLeftOut = ({ path }: Field): boolean => {
    const value = valueAt(listed, path);
    return value === undefined || value === null || (isList(value) && value.length === 0);
  };
  return {
    leftOut: differing.filter(isLeftOut).map(pathOf),
    rewritten: differing.filter((field) => !isLeftOut(field)).map(pathOf),
  };
}

/** Fields that an update did not send, and that differ after it. */
export const alsoChanged = (
  before: PropertyMap,
  after: PropertyMap,
  sent: readonly string[],
): readonly string[] =>
  LEAVES.filter((field) => !sent.includes(pathOf(field)))
    .filter(({ path }) => path[0] !== "scaling")
    .filter((field) => !sameValue(field, valueAt(before, field.path), valueAt(after, field.path)))
    .map(pathOf);

/** Whether a name of the destination has a capital letter, which services may change. */
export function hasCapitalNames(inputs: PropertyMap): boolean {
  const names = ["database", "table"].map((name) => valueAt(inputs, ["destination", name]));
  const columns = elementsOf(valueAt(inputs, ["destination", "columns"])).map((column) =>
    valueAt(column, ["name"]),
  );
  return [...names, ...columns].some((name) => typeof name === "string" && /[A-Z]/.test(name));
}
