import { optional, restricted, text, type FieldSchemas } from "../../lifecycle/comparison/field-schema";
import type { PropertyMap } from "../../lifecycle/comparison/property-value";
import { describeFailure, typeFailures, type Failure } from "../../lifecycle/comparison/validation";
import { DatapipesError } from "../../messages/errors";
import { scopeId, uuid } from "../../resources/schema-types";

// `npm run reference` makes the types of the arguments from these schemas.

/** The service that a data function asks. */
const serviceArguments = {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId: scopeId,
  /** The service, a UUID. Default: `datapipes:serviceId`. */
  serviceId: scopeId,
};

/** Which pipe: by its id or by its name, one of the two. */
const getPipeArguments = {
  /** ID of the pipe. */
  id: optional(uuid),
  /** Name of the pipe. */
  name: optional(restricted(text, (name) => name !== "", "must not be empty")),
  ...serviceArguments,
};

/** Which pipe's settings. */
const getPipeSettingsArguments = {
  /** ID of the pipe. */
  pipeId: uuid,
  ...serviceArguments,
};

/** The arguments of each data function. */
export const ARGUMENTS: Readonly<Record<string, FieldSchemas>> = {
  getBackups: serviceArguments,
  getPipes: serviceArguments,
  getPipe: getPipeArguments,
  getPipeSettings: getPipeSettingsArguments,
};

/** The rules between the arguments of a data function. */
const RULES: Readonly<Record<string, (args: PropertyMap) => readonly Failure[]>> = {
  getPipe: ({ id, name }) =>
    (id === undefined) === (name === undefined)
      ? [{ path: [], reason: "it requires exactly one of `id` and `name`" }]
      : [],
};

/** Throws one error with the problems of the arguments of a data function. */
export function requireArguments(name: string, given: object): void {
  const args = { ...given } as PropertyMap;
  const mistyped = typeFailures(ARGUMENTS[name] ?? {}, args);
  const failures = mistyped.length > 0 ? mistyped : (RULES[name]?.(args) ?? []);
  if (failures.length === 0) return;
  const problems = failures.map(describeFailure);
  const sentences = problems.map((problem) => (problem.endsWith("?") ? problem : `${problem}.`));
  throw new DatapipesError("invalid-argument", `${name} failed: ${sentences.join(" ")}`);
}
