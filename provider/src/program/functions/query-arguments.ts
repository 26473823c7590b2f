import { ConfigurationError, DatapipesError } from "../../messages/errors";
import { SCOPE_SETTINGS } from "../../settings/settings";
import { isUuid } from "../../values/uuid";
import type { Query } from "./query";
import type { ServiceArgs } from "./args";

/** What the check of arguments has to know of a data function. */
export type CheckedFunction = Omit<Query<never, unknown>, "run">;

/** How an adapter calls values that are not texts. */
export interface ValueKinds {
  /** The kind of a value, which may be secret: "a number". */
  readonly kindOf: (value: unknown) => string;
  /** Whether the value is not known yet. */
  readonly isPending?: (value: unknown) => boolean;
}

/** The kind of a JSON value, or undefined. */
export function kindOfJson(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** What is wrong with the arguments of a data function: sentences without their ends. */
export async function argumentProblems(
  { name, own = [], requires = [] }: CheckedFunction,
  args: Readonly<Record<string, unknown>>,
  kinds: ValueKinds = { kindOf: kindOfJson },
): Promise<readonly string[]> {
  const known = [...own, ...SCOPE_SETTINGS];
  const unknown = Object.keys(args).filter((key) => !known.includes(key));
  const given = requires.filter((key) => args[key] !== undefined);
  const missing = given.length === 1 || requires.length === 0 ? [] : [requirement(requires)];
  const malformed = known.flatMap((key) => {
    const problem = problemOfText(name, args[key], own.includes(key), kinds);
    return problem === undefined ? [] : [`${key} ${problem}`];
  });
  return [...(await unknownNames(unknown, known)), ...missing, ...malformed];
}

export function throwOnProblems({ name }: CheckedFunction, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const sentences = problems.map((problem) => (problem.endsWith("?") ? problem : `${problem}.`));
  throw new DatapipesError("invalid-argument", `${name} failed: ${sentences.join(" ")}`);
}

/** Throws one error if ids of the arguments have another form than the API's. */
export function requireScopeIds(args: ServiceArgs): void {
  const malformed = SCOPE_SETTINGS.flatMap((name) => {
    const id = args[name];
    return id === undefined || isUuid(id) ? [] : [`${name} is ${JSON.stringify(id)}, expected a UUID.`];
  });
  if (malformed.length > 0) throw new ConfigurationError(malformed);
}

async function unknownNames(names: readonly string[], known: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const { unknownName } = await import("../../messages/unknown-name.js");
  return names.map((name) => `${name} ${unknownName(name, known)}`);
}

const requirement = ([first = "", ...others]: readonly string[]): string =>
  others.length === 0
    ? `${first} is required`
    : `it requires exactly one of ${[first, ...others].map((name) => `\`${name}\``).join(" and ")}`;

/** The form of organization and service ids is checked with the configuration. */
function problemOfText(
  functionName: string,
  value: unknown,
  mayNotBeEmpty: boolean,
  { kindOf, isPending }: ValueKinds,
): string | undefined {
  if (value === undefined) return undefined;
  if (isPending?.(value) === true) return `is not known yet: use ${functionName}Output`;
  if (typeof value !== "string") return `must be a string, but is ${kindOf(value)}`;
  return mayNotBeEmpty && value === "" ? "must not be empty" : undefined;
}
