import { z } from "zod";
import { SECRET_NAMES } from "../../api/secret-names";
import type { Failure } from "../../core/validation";
import { fieldsOf, immutable } from "../../core/fields";
import { pick, withoutNulls, type PropertyMap } from "../../core/property-value";
import type { Created, Declared, DraftInputs, Inputs, ResourceDefinition } from "../../core/lifecycle";
import { createBody, scopeOf, type ResourceContext } from "../context";
import { deleteByPolicy } from "../deletion";
import { createReversePrivateEndpoint, deleteReversePrivateEndpoint } from "../recovery/endpoint";
import { adoptedId, deletionPolicy, replacementPolicy, scopeId, text } from "../schema-types";

/** The most characters of a description that the API takes. */
export const MAX_DESCRIPTION_LENGTH = 255;

/** The fields that each type of endpoint requires. */
const REQUIRED_BY_TYPE = {
  VPC_ENDPOINT_SERVICE: [],
  VPC_RESOURCE: ["vpcResourceConfigurationId", "vpcResourceShareArn"],
  MSK_MULTI_VPC: ["mskClusterArn", "mskAuthentication"],
} as const;

const types = Object.keys(REQUIRED_BY_TYPE) as (keyof typeof REQUIRED_BY_TYPE)[];

const description = () =>
  z.string().max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`);

/** The fields of a reverse private endpoint. The API can only create one, so every change needs another. */
export const reversePrivateEndpointSchema = z.strictObject({
  organizationId: scopeId(),
  serviceId: scopeId(),
  description: immutable(description()),
  type: immutable(z.enum(types)),
  vpcEndpointServiceName: immutable(text().optional()),
  vpcResourceConfigurationId: immutable(text().optional()),
  vpcResourceShareArn: immutable(text().optional()),
  mskClusterArn: immutable(text().optional()),
  mskAuthentication: immutable(z.enum(["SASL_IAM", "SASL_SCRAM"]).optional()),
  adopt: adoptedId(),
  deletionPolicy: deletionPolicy(),
  replacementPolicy: replacementPolicy(),
});

type Schema = typeof reversePrivateEndpointSchema;

const fields = fieldsOf(reversePrivateEndpointSchema, SECRET_NAMES);

/** What the outputs hold where no answer states a value: their types promise one. */
const NOT_STATED: PropertyMap = { endpointId: "", dnsNames: [], privateDnsNames: [], status: "Unknown" };
const COMPUTED = Object.keys(NOT_STATED);

/** Reverse private endpoints. The API can create one and nothing else: no read, no update. */
export const reversePrivateEndpointDefinition = (context: ResourceContext): ResourceDefinition<Schema> => {
  let hasReported = false;
  return {
    type: "ReversePrivateEndpoint",
    schema: reversePrivateEndpointSchema,
    secretNames: SECRET_NAMES,
    computed: COMPUTED,
    derived: (_declared, found) => ({ ...NOT_STATED, ...pick(found, COMPUTED) }),
    rules: requiredByType,

    previewAdoption: (inputs) => Promise.resolve({ lines: adoptionLines(inputs), failures: [] }),

    create: (inputs) => createEndpoint(context, inputs),

    // What the API answered when the endpoint was created is all that is known.
    read(_id, _properties, observed) {
      if (observed !== undefined && !hasReported) {
        hasReported = true;
        context.log(
          "The API has no operation that reads reverse private endpoints, so none of them was compared. What is known of them is kept.",
        );
      }
      return Promise.resolve(observed ?? {});
    },

    // No field can be updated, so there is nothing to send.
    update: () => Promise.resolve(undefined),

    delete: (id, properties) => deleteEndpoint(context, id, properties),
  };
};

/** What a person calls an endpoint. */
const nameOf = (id: string, { description }: PropertyMap): string =>
  `reverse private endpoint ${JSON.stringify(description)} (${id})`;

function adoptionLines(inputs: DraftInputs<Schema>): readonly string[] {
  const { adopt } = inputs;
  if (typeof adopt !== "string") return [];
  return [
    `${nameOf(adopt, inputs)} is not created: the program adopts the existing endpoint of this id on trust. The API has ` +
      `no operation that reads endpoints, so the provider compares nothing and sends nothing.`,
  ];
}

async function createEndpoint({ client, log }: ResourceContext, inputs: Inputs<Schema>): Promise<Created> {
  const { adopt } = inputs;
  if (adopt !== undefined) return { id: adopt, current: {}, adopted: { sent: [], former: {} } };
  const endpoint = await createReversePrivateEndpoint(client(), scopeOf(inputs), createBody(fields, inputs));
  const { id, status } = endpoint;
  if (status !== "Ready") {
    log(
      `${nameOf(id, inputs)} was created with the status ${JSON.stringify(status ?? "Unknown")}: dnsNames and endpointId may still be ` +
        `to come. The API has no operation that reads them, so the outputs stay as they are: look in the service's console.`,
    );
  }
  return { id, current: withoutNulls(endpoint) };
}

async function deleteEndpoint(context: ResourceContext, id: string, properties: Declared): Promise<void> {
  const what = nameOf(id, properties);
  const { description } = properties;
  await deleteByPolicy(context, {
    what,
    properties,
    kind: "endpoint",
    remains: "still exists",
    send: () => deleteReversePrivateEndpoint(context.client(), scopeOf(properties), id, description),
    isGone: () => {
      context.log(
        `${what}: the API answered 404. Either it is gone, or this service has no such operation. The API cannot ` +
          `list endpoints: look in the service's console whether it still exists.`,
      );
      return Promise.resolve(true);
    },
  });
}

function requiredByType(inputs: DraftInputs<Schema>): readonly Failure[] {
  const { type } = inputs;
  if (typeof type !== "string") return [];
  return REQUIRED_BY_TYPE[type]
    .filter((name) => inputs[name] === undefined)
    .map((name) => ({ path: [name], reason: `is required when type is ${JSON.stringify(type)}` }));
}
