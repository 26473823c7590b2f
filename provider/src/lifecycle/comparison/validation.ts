import { MAX_SHOWN, quoted } from "../../messages/quoted";
import { nearestName, unknownName } from "../../messages/unknown-name";
import { canonical } from "./equality";
import type { FieldSchema, FieldSchemas } from "./field-schema";
import type { Field } from "./fields";
import {
  containsUnknown,
  isList,
  isMap,
  pathText,
  UNKNOWN,
  valueAt,
  withValueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "./property-value";

export interface Failure {
  readonly path: PropertyPath;
  readonly reason: string;
}

/** Validates types and names. Unknown values pass, at any depth. */
export const typeFailures = (
  schemas: FieldSchemas,
  inputs: PropertyMap,
  secretNames: ReadonlySet<string> = new Set(),
): readonly Failure[] =>
  mismatchesIn(schemas, inputs).flatMap((mismatch) => {
    const { path } = mismatch;
    const isSecret = path.some((step) => secretNames.has(String(step)));
    if ("unknownNames" in mismatch) return nameFailures(mismatch, isSecret);
    const { reason, shown } = mismatch;
    return [{ path, reason: isSecret || shown === undefined ? reason : `${reason}, got ${shown}` }];
  });

/** A value that its schema refuses, and what a failure shows of it unless it is secret. */
interface RefusedValue extends Failure {
  readonly shown: string | undefined;
}

/** An object with members that its schema does not have. */
interface UnknownNames {
  readonly path: PropertyPath;
  readonly unknownNames: readonly string[];
  readonly knownNames: readonly string[];
}

type Mismatch = RefusedValue | UnknownNames;

/** Where values differ from their schemas. */
export function mismatchesIn(
  schemas: FieldSchemas,
  values: PropertyMap,
  path: PropertyPath = [],
): readonly Mismatch[] {
  const knownNames = Object.keys(schemas);
  const unknownNames = Object.keys(values).filter((name) => !knownNames.includes(name));
  const refused = Object.entries(schemas).flatMap(([name, schema]) =>
    mismatchesOf(schema, values[name], [...path, name]),
  );
  return unknownNames.length === 0 ? refused : [...refused, { path, unknownNames, knownNames }];
}

function mismatchesOf(schema: FieldSchema, value: PropertyValue, path: PropertyPath): readonly Mismatch[] {
  const { isOptional, members, element, rules = [] } = schema;
  if (value === UNKNOWN || (value === undefined && isOptional)) return [];
  if (!hasType(schema, value))
    return [{ path, reason: typeReason(schema, value), shown: shownType(schema, value) }];
  if (members !== undefined && isMap(value)) return mismatchesIn(members, value, path);
  const broken = rules
    .filter((rule) => !rule.holds(value))
    .map((rule) => ({ path, reason: rule.reason, shown: shownScalar(value) }));
  if (element === undefined || !isList(value)) return broken;
  return [...value.flatMap((each, index) => mismatchesOf(element, each, [...path, index])), ...broken];
}

function hasType({ type, options, element }: FieldSchema, value: PropertyValue): boolean {
  if (options !== undefined) return typeof value === "string" && options.includes(value);
  if (element !== undefined) return isList(value);
  if (type === "object" || type === "record") return isMap(value);
  if (type === "integer") return Number.isInteger(value);
  return type === "number" ? Number.isFinite(value) : typeof value === type;
}

function typeReason({ type, options, element }: FieldSchema, value: PropertyValue): string {
  if (options !== undefined)
    return `must be one of ${options.map((option) => JSON.stringify(option)).join(", ")}`;
  const expected = element !== undefined ? "list" : type === "integer" ? "whole number" : type;
  if (value === undefined) return `is required (${expected})`;
  return `must be ${/^[aeiou]/.test(expected) ? "an" : "a"} ${expected}`;
}

/** What a failure shows of a value of another type. A string in place of an object may hold a secret. */
function shownType({ members, element }: FieldSchema, value: PropertyValue): string | undefined {
  if (isList(value)) return "a list";
  if (isMap(value)) return "an object";
  return typeof value === "string" && (members ?? element) !== undefined ? "a string" : shownScalar(value);
}

/** A short text, a number or a boolean as a failure shows it. */
function shownScalar(value: PropertyValue): string | undefined {
  if (value === undefined || isList(value) || isMap(value)) return undefined;
  if (typeof value !== "string") return String(value);
  return value.length > MAX_SHOWN ? undefined : quoted(value);
}

/** Inside a secret a name may be the secret itself, so a failure shows it only if it resembles a known name. */
function nameFailures(
  { path, unknownNames, knownNames }: UnknownNames,
  isSecret: boolean,
): readonly Failure[] {
  const shown = isSecret
    ? unknownNames.filter((name) => nearestName(name, knownNames) !== undefined)
    : unknownNames;
  const failures = shown.map((name) => ({ path: [...path, name], reason: unknownName(name, knownNames) }));
  const hidden = { path, reason: `has an unknown member; expected one of ${knownNames.join(", ")}` };
  return shown.length < unknownNames.length ? [...failures, hidden] : failures;
}

/** The inputs with an unknown value in place of each mistyped one, for the rules, which expect the right types. */
export const withoutMistyped = (inputs: PropertyMap, failures: readonly Failure[]): PropertyMap =>
  failures
    .filter(({ path }) => valueAt(inputs, path) !== undefined)
    .reduce((known, { path }) => withValueAt(known, path, UNKNOWN), inputs);

export const describeFailure = (failure: Failure): string =>
  failure.path.length === 0 ? failure.reason : `${pathText(failure.path)} ${failure.reason}`;

/** One failure for each element of a list that repeats an earlier one, at any depth. */
export const duplicates = (
  fields: readonly Field[],
  inputs: PropertyMap,
  path: PropertyPath = [],
): readonly Failure[] =>
  fields.flatMap((field) => {
    const value = inputs[field.name];
    const here = [...path, field.name];
    const inside = field.members ?? field.elements ?? [];
    if (isMap(value)) return duplicates(inside, value, here);
    if (!isList(value)) return [];
    const ofElement = (element: PropertyValue, index: number): readonly Failure[] =>
      isMap(element) ? duplicates(inside, element, [...here, index]) : [];
    return [...repetitions(field, value, here), ...value.flatMap(ofElement)];
  });

function repetitions(field: Field, list: readonly PropertyValue[], path: PropertyPath): readonly Failure[] {
  const names = field.distinctBy ?? field.identity;
  const first = new Map<string, number>();
  return list.flatMap((element, index) => {
    const parts: readonly PropertyValue[] = isMap(element)
      ? partsOf(field, names, element)
      : [canonical(field, element)];
    // A missing member is a value like any other; an unknown one may turn out different.
    if (parts.every((part) => part === undefined) || parts.some(containsUnknown)) return [];
    const key = JSON.stringify(parts);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return [];
    }
    const shown = parts.filter((part) => part !== undefined).map((part) => JSON.stringify(part));
    const at = [...path, index, ...(names.length === 1 ? names : [])];
    return [{ path: at, reason: `repeats ${shown.join(", ")} of element ${earlier}` }];
  });
}

const partsOf = (field: Field, names: readonly string[], element: PropertyMap): readonly PropertyValue[] =>
  names.map((name) =>
    canonical(
      field.elements?.find((member) => member.name === name),
      element[name],
    ),
  );
