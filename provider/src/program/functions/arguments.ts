import { z } from "zod";
import type { PropertyMap } from "../../lifecycle/property-value";
import { describeFailure, typeFailures } from "../../lifecycle/validation";
import { DatapipesError } from "../../messages/errors";
import { scopeId, text, uuid } from "../../resources/schema-types";

const service = { organizationId: scopeId(), serviceId: scopeId() };

/** The arguments of each data function. */
export const ARGUMENTS: Readonly<Record<string, z.ZodObject>> = {
  getBackups: z.strictObject(service),
  getPipes: z.strictObject(service),
  getPipe: z.strictObject({
    id: uuid().optional(),
    name: text().min(1, "must not be empty").optional(),
    ...service,
  }),
  getPipeSettings: z.strictObject({ pipeId: uuid(), ...service }),
};

/** Throws one error with all problems of the arguments of a data function. */
export function requireArguments(name: string, given: object): void {
  const args = { ...given } as PropertyMap;
  const schema = ARGUMENTS[name];
  const mistyped = schema === undefined ? [] : typeFailures(schema, args).map(describeFailure);
  const problems = [...mistyped, ...choiceProblems(name, args)];
  if (problems.length === 0) return;
  const sentences = problems.map((problem) => (problem.endsWith("?") ? problem : `${problem}.`));
  throw new DatapipesError("invalid-argument", `${name} failed: ${sentences.join(" ")}`);
}

const choiceProblems = (name: string, { id, name: ofPipe }: PropertyMap): readonly string[] =>
  name === "getPipe" && (id === undefined) === (ofPipe === undefined)
    ? ["it requires exactly one of `id` and `name`"]
    : [];
