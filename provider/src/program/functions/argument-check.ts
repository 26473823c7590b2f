import * as pulumi from "@pulumi/pulumi";
import { Provider } from "../provider";
import {
  argumentProblems,
  kindOfJson,
  throwOnProblems,
  type CheckedFunction,
  type ValueKinds,
} from "./query-arguments";

/** Throws one error with all problems of the arguments of a data function. Programs in JavaScript have no types. */
export async function checkArguments(what: CheckedFunction, args: unknown, opts: unknown): Promise<void> {
  const problems = isObject(args)
    ? await argumentProblems(what, args, KINDS)
    : notAnObject("arguments", args);
  throwOnProblems(what, [...problems, ...problemsOfOptions(opts)]);
}

const notAnObject = (what: string, value: unknown): readonly string[] => [
  `its ${what} must be an object, but are ${kindOf(value)}`,
];

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
  if (pulumi.Output.isInstance(value)) return "an Output";
  if (pulumi.Resource.isInstance(value)) return `a resource of type ${typeOf(value)}`;
  return kindOfJson(value);
}

/** The SDK's types lack this property. */
const typeOf = (resource: pulumi.Resource): string =>
  (resource as unknown as { readonly __pulumiType?: string }).__pulumiType ?? "that is not known";

const KINDS: ValueKinds = {
  kindOf,
  isPending: (value) => pulumi.Output.isInstance(value) || value instanceof Promise,
};
