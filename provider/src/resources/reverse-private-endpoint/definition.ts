import { mayBeDone } from "../../api/http/failures";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { DatapipesError, isDatapipesError, type Finding } from "../../messages/errors";
import type { Failure } from "../../lifecycle/comparison/validation";
import {
  pick,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import type {
  Created,
  DraftInputs,
  Inputs,
  PolicyInputs,
  ResourceDefinition,
} from "../../lifecycle/program/lifecycle";
import { createBody } from "../body";
import { scopeOf, type RunContext } from "../context";
import { deleteByPolicy } from "../deletion";
import {
  endpointFields,
  FIELDS_BY_TYPE,
  reversePrivateEndpointOutputs,
  reversePrivateEndpointSchema,
} from "./schema";

type Schema = typeof reversePrivateEndpointSchema;

/** The outputs that no argument mirrors. They have these values where the API returned none, and after `adopt`. */
const DEFAULT_OUTPUTS: PropertyMap = { endpointId: "", dnsNames: [], privateDnsNames: [], status: "Unknown" };

/** How the provider creates and deletes endpoints. The API has no operation that reads, lists or updates them. */
export const reversePrivateEndpointDefinition = (context: RunContext): ResourceDefinition<Schema> => ({
  type: "ReversePrivateEndpoint",
  noun: "endpoint",
  takeOver:
    'Declare the endpoint with the argument `adopt: "<id>"`, which takes it over without a check; `npx ' +
    "pulumi-datapipes import` is for pipes only.",
  schema: reversePrivateEndpointSchema,
  secretNames: SECRET_NAMES,
  outputs: reversePrivateEndpointOutputs,
  derived: (_declared, current) => ({ ...DEFAULT_OUTPUTS, ...pick(current, Object.keys(DEFAULT_OUTPUTS)) }),
  describe: describeEndpoint,
  rules: requiredByType,

  checkAgainstOthers: ({ inputs, step }) =>
    Promise.resolve(step === "adopt" ? { lines: adoptionLines(inputs) } : {}),

  create: (inputs, _progress, { step }) => {
    const { adopt } = inputs;
    return step === "adopt" && adopt !== undefined
      ? Promise.resolve({ id: adopt, current: {}, adopted: { sent: [], former: {} } })
      : createEndpoint(context, inputs);
  },

  // Fields that only the provider uses can change, and nothing is sent for them.
  update: () => Promise.resolve(undefined),

  delete: (id, properties) => deleteEndpoint(context, id, properties),
});

/** The endpoint as messages name it. */
const describeEndpoint = (id: string, { description }: PropertyMap): string =>
  typeof description === "string"
    ? `reverse private endpoint ${JSON.stringify(description)} (${id})`
    : `reverse private endpoint ${id}`;

function adoptionLines(inputs: DraftInputs<Schema>): readonly string[] {
  const { adopt } = inputs;
  if (typeof adopt !== "string") return [];
  return [
    `${describeEndpoint(adopt, inputs)} is not created: the program adopts the existing endpoint as it is; ` +
      "the provider sends nothing. The API cannot read endpoints, so the provider compares nothing.",
  ];
}

/** Never sends a POST again whose answer is lost: no list could show that the endpoint does not exist. */
async function createEndpoint({ client, log }: RunContext, inputs: Inputs<Schema>): Promise<Created> {
  const endpoint = await client()
    .createReversePrivateEndpoint(scopeOf(inputs), createBody(endpointFields, inputs))
    .catch(explainLost("The API may have created it.", "may-exist"));
  const { id, status } = endpoint;
  if (status !== "Ready") {
    log(
      `${describeEndpoint(id, inputs)} was created with the status ${JSON.stringify(status ?? "Unknown")}. Its ` +
        "outputs, such as dnsNames and endpointId, stay as they are now: the API cannot read endpoints. Check the " +
        "service's console for later values.",
    );
  }
  return { id, current: withoutNulls(endpoint) };
}

async function deleteEndpoint(
  context: RunContext,
  id: string,
  properties: PolicyInputs & { readonly description?: PropertyValue },
): Promise<void> {
  const what = describeEndpoint(id, properties);
  const lost = "The API may have deleted it. The provider cannot check: the API cannot read endpoints.";
  await deleteByPolicy(context, {
    what,
    properties,
    kind: "endpoint",
    retained: "still exists",
    send: () =>
      context
        .client()
        .deleteReversePrivateEndpoint(scopeOf(properties), id, { label: properties.description })
        .catch(explainLost(lost, "may-be-deleted")),
    confirmGone: (refusal) => {
      if (refusal !== "not-found") return Promise.resolve(false);
      context.warn(
        `${what}: the API returned 404, so Pulumi removes it from the stack. It may still exist if the service ` +
          "does not support the deletion: check the service's console.",
      );
      return Promise.resolve(true);
    },
  });
}

function requiredByType(inputs: DraftInputs<Schema>): readonly Failure[] {
  const { type } = inputs;
  if (typeof type !== "string") return [];
  const given: PropertyMap = inputs;
  return Object.entries(FIELDS_BY_TYPE[type])
    .filter(([name, presence]) => presence === "required" && given[name] === undefined)
    .map(([name]) => ({ path: [name], reason: `is required when type is ${JSON.stringify(type)}` }));
}

/** Adds to an error what may be true if the request may have been carried out. */
const explainLost =
  (summary: string, finding: Finding) =>
  (error: unknown): never => {
    throw isDatapipesError(error) && mayBeDone(error)
      ? new DatapipesError(error.code, summary, { finding, cause: error })
      : error;
  };
