import { z } from "zod";
import { quoted } from "../setting-defects";
import { nearestName, unknownName } from "../unknown-name";
import {
  formatPath,
  isList,
  isMap,
  mapMembers,
  UNKNOWN,
  valueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "./property-value";

/** One reason why the arguments of a resource cannot be accepted. */
export interface Failure {
  readonly path: PropertyPath;
  readonly reason: string;
}

type Issue = z.core.$ZodIssue;

/** All that is wrong with the types and names of the arguments. What is not known yet passes, at any depth. */
export function typeFailures(
  schema: z.ZodObject,
  inputs: PropertyMap,
  secretNames: ReadonlySet<string> = new Set(),
): readonly Failure[] {
  // To compile the schema costs more than a run of the engine gains by it.
  const result = schema.safeParse(inputs, { jitless: true });
  if (result.success) return [];
  return result.error.issues
    .filter((issue) => valueAt(inputs, pathOf(issue)) !== UNKNOWN)
    .flatMap((issue) => {
      const path = pathOf(issue);
      const isSecret = path.some((step) => secretNames.has(String(step)));
      if (issue.code === "unrecognized_keys") {
        const known = namesAt(schema, path);
        return isSecret ? unknownInSecret(known, issue.keys, path) : unknownNames(known, issue.keys, path);
      }
      const value = valueAt(inputs, path);
      const given = isSecret ? undefined : givenIn(issue, value);
      const reason = reasonOf(issue, value, schemaAt(schema, path));
      return [{ path, reason: `${reason}${given === undefined ? "" : `, got ${given}`}` }];
    });
}

/** The inputs in which what is of a wrong type counts as unknown, for the rules that expect the right ones. */
export const withoutMistyped = (inputs: PropertyMap, failures: readonly Failure[]): PropertyMap =>
  failures.reduce((known, { path }) => withUnknownAt(known, path) as PropertyMap, inputs);

function withUnknownAt(value: PropertyValue, [step, ...rest]: PropertyPath): PropertyValue {
  if (step === undefined) return value === undefined ? undefined : UNKNOWN;
  if (isList(value))
    return value.map((element, index) => (index === step ? withUnknownAt(element, rest) : element));
  return isMap(value)
    ? mapMembers(value, (member, name) => (name === step ? withUnknownAt(member, rest) : member))
    : value;
}

/** The longest text that a failure repeats, in characters. */
const MAX_SHOWN = 60;

/** What was given, where that is short. A text in place of an object may hold what belongs into a secret member of it. */
function givenIn(issue: Issue, value: PropertyValue): string | undefined {
  if (value === undefined || value === UNKNOWN) return undefined;
  const { code } = issue;
  if (isList(value) || isMap(value)) {
    if (code === "too_small") return undefined;
    return isList(value) ? "a list" : "an object";
  }
  if (typeof value !== "string") return String(value);
  if (code === "too_big") return String(value.length);
  if (code === "invalid_type" && ["object", "array"].includes(issue.expected)) return "a string";
  return value.length > MAX_SHOWN ? undefined : quoted(value);
}

/** A symbol, which a path can have too, is no name in JSON. */
const pathOf = (issue: Issue): PropertyPath => issue.path as PropertyPath;

function reasonOf(issue: Issue, value: PropertyValue, schema: z.ZodType): string {
  if (issue.code === "invalid_type") {
    const isWhole = schema instanceof z.ZodNumber && schema.format !== null;
    const expected = isWhole ? "whole number" : issue.expected === "array" ? "list" : issue.expected;
    return value === undefined ? `is required (${expected})` : `must be ${article(expected)} ${expected}`;
  }
  // The schemas set no bounds of their own: these are the ends of what a number can hold exactly.
  if ((issue as { readonly origin?: string }).origin === "int")
    return "must be a whole number of at most 15 digits";
  if (issue.code === "invalid_value") {
    return `must be one of ${issue.values.map((option) => JSON.stringify(option)).join(", ")}`;
  }
  return issue.message;
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? "an" : "a");

const unknownNames = (
  known: readonly string[],
  names: readonly string[],
  path: PropertyPath,
): readonly Failure[] => names.map((name) => ({ path: [...path, name], reason: unknownName(name, known) }));

/** Inside a secret a name may be the secret itself, written on the wrong side of the colon: it is shown only where it resembles a known one. */
function unknownInSecret(
  known: readonly string[],
  names: readonly string[],
  path: PropertyPath,
): readonly Failure[] {
  const misspelt = names.filter((name) => nearestName(name, known) !== undefined);
  const others =
    misspelt.length < names.length
      ? [{ path, reason: `has a member that is not known here; known: ${known.join(", ")}` }]
      : [];
  return [...unknownNames(known, misspelt, path), ...others];
}

/** The names that the schema knows at the path of an object. */
const namesAt = (schema: z.ZodType, path: PropertyPath): readonly string[] =>
  Object.keys((schemaAt(schema, path) as z.ZodObject).shape);

/** The schema at the path of an issue, which only objects, lists and optionals lead to. */
function schemaAt(schema: z.ZodType, path: PropertyPath): z.ZodType {
  if (schema instanceof z.ZodOptional) return schemaAt(schema.unwrap() as z.ZodType, path);
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  if (schema instanceof z.ZodArray) return schemaAt(schema.element as z.ZodType, rest);
  return schemaAt((schema as z.ZodObject).shape[step] as z.ZodType, rest);
}

/** One failure as one sentence that begins with the property's path. */
export const describeFailure = (failure: Failure): string =>
  failure.path.length === 0 ? failure.reason : `${formatPath(failure.path)} ${failure.reason}`;
