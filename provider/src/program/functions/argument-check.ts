import * as pulumi from "@pulumi/pulumi";
import { UNKNOWN, type PropertyMap } from "../../lifecycle/property-value";
import { Provider } from "../provider";

/** Throws one error with all problems of a call of a data function. Programs in JavaScript have no types. */
export async function checkCall(name: string, args: unknown, opts: unknown): Promise<void> {
  const { requireArguments } = await import("./arguments.js");
  const given = isObject(args) ? Object.entries(args) : [];
  const pending = given.flatMap(([key, value]) => (isPending(value) ? [key] : []));
  const known = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const inputs = { ...known, ...Object.fromEntries(pending.map((key) => [key, UNKNOWN])) } as PropertyMap;
  requireArguments(name, inputs, [
    ...(isObject(args) ? [] : ["its arguments must be an object"]),
    ...pending.map((key) => `${key} is not known yet: use ${name}Output`),
    ...problemsOfOptions(opts),
  ]);
}

function problemsOfOptions(opts: unknown): readonly string[] {
  if (opts === undefined) return [];
  if (!isObject(opts)) return ["its options must be an object"];
  const { provider } = opts;
  return provider === undefined || Provider.isInstance(provider)
    ? []
    : ["its option provider must be a Provider of this package"];
}

const isPending = (value: unknown): boolean => pulumi.Output.isInstance(value) || value instanceof Promise;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isPending(value);
