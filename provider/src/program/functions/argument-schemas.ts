import { z } from "zod";
import type { PropertyMap } from "../../lifecycle/comparison/property-value";
import { describeFailure, typeFailures } from "../../lifecycle/comparison/validation";
import { DatapipesError } from "../../messages/errors";
import { scopeId, text, uuid } from "../../resources/schema-types";

// `npm run reference` makes the types of the arguments from these schemas.

const service = {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId: scopeId(),
  /** The service, a UUID. Default: `datapipes:serviceId`. */
  serviceId: scopeId(),
};

/** The service that a data function asks. */
const serviceArguments = z.strictObject(service);

/** Which pipe: by its id or by its name, one of the two. */
const getPipeArguments = z
  .strictObject({
    /** ID of the pipe. */
    id: uuid().optional(),
    /** Name of the pipe. */
    name: text().min(1, "must not be empty").optional(),
    ...service,
  })
  .refine(
    ({ id, name }) => (id === undefined) !== (name === undefined),
    "it requires exactly one of `id` and `name`",
  );

/** Which pipe's settings. */
const getPipeSettingsArguments = z.strictObject({
  /** ID of the pipe. */
  pipeId: uuid(),
  ...service,
});

/** The arguments of each data function. */
export const ARGUMENTS: Readonly<Record<string, z.ZodObject>> = {
  getBackups: serviceArguments,
  getPipes: serviceArguments,
  getPipe: getPipeArguments,
  getPipeSettings: getPipeSettingsArguments,
};

/** Throws one error with the problems of the arguments of a data function. */
export function requireArguments(name: string, given: object): void {
  const args = { ...given } as PropertyMap;
  const schema = ARGUMENTS[name];
  const problems = schema === undefined ? [] : typeFailures(schema, args).map(describeFailure);
  if (problems.length === 0) return;
  const sentences = problems.map((problem) => (problem.endsWith("?") ? problem : `${problem}.`));
  throw new DatapipesError("invalid-argument", `${name} failed: ${sentences.join(" ")}`);
}
