import * as pulumi from "@pulumi/pulumi";
import { SCOPE_SETTINGS } from "../settings";
import { DatapipesError } from "../errors";
import { Provider } from "../provider";
import type { Query } from "./queries";

/** The arguments of a data function. */
type Arguments = Omit<Query<never, unknown>, "run">;

/** Throws one error with all problems of the arguments of a data function. Programs in JavaScript have no types. */
export async function checkArguments(what: Arguments, args: unknown, opts: unknown): Promise<void> {
  const problems = [...(await problemsOf(what, args)), ...problemsOfOptions(opts)];
  if (problems.length === 0) return;
  const sentences = problems.map((problem) => (problem.endsWith("?") ? problem : `${problem}.`));
  throw new DatapipesError("invalid-argument", `${what.name} failed: ${sentences.join(" ")}`);
}

const notAnObject = (what: string, value: unknown): readonly string[] => [
  `its ${what} must be an object, but are ${kindOf(value)}`,
];

async function problemsOf(what: Arguments, args: unknown): Promise<readonly string[]> {
  if (!isObject(args)) return notAnObject("arguments", args);
  const { name, own = [], requires = [] } = what;
  const known = [...own, ...SCOPE_SETTINGS];
  const unknown = Object.keys(args).filter((key) => !known.includes(key));
  const given = requires.filter((key) => args[key] !== undefined);
  const missing = given.length === 1 || requires.length === 0 ? [] : [requirement(requires)];
  const malformed = known.flatMap((key) => {
    const problem = problemOfText(name, args[key], own.includes(key));
    return problem === undefined ? [] : [`${key} ${problem}`];
  });
  return [...(await unknownNames(unknown, known)), ...missing, ...malformed];
}

async function unknownNames(names: readonly string[], known: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const { unknownName } = await import("../unknown-name.js");
  return names.map((name) => `${name} ${unknownName(name, known)}`);
}

const requirement = ([first = "", ...others]: readonly string[]): string =>
  others.length === 0
    ? `${first} is required`
    : `it requires exactly one of ${[first, ...others].map((name) => `\`${name}\``).join(" and ")}`;

/** The form of organization and service ids is checked with the configuration. */
function problemOfText(functionName: string, value: unknown, mayNotBeEmpty: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return `is not known yet: use ${functionName}Output`;
  if (typeof value !== "string") return `must be a string, but is ${kindOf(value)}`;
  return mayNotBeEmpty && value === "" ? "must not be empty" : undefined;
}

function problemsOfOptions(opts: unknown): readonly string[] {
  if (opts === undefined) return [];
  if (!isObject(opts)) return notAnObject("options", opts);
  const { provider } = opts;
  return provider === undefined || Provider.isInstance(provider)
    ? []
    : [`its option provider must be a Provider of this package, but is ${kindOf(provider)}`];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !pulumi.Output.isInstance(value);

/** The kind of a value, which may be secret. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (pulumi.Output.isInstance(value)) return "an Output";
  if (pulumi.Resource.isInstance(value)) return `a resource of type ${typeOf(value)}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The SDK's types lack this property. */
const typeOf = (resource: pulumi.Resource): string =>
  (resource as unknown as { readonly __pulumiType?: string }).__pulumiType ?? "that is not known";
