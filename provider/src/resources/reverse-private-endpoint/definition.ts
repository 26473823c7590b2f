import { SECRET_NAMES } from "../../api/secret-names";
import type { Failure } from "../../core/validation";
import { fieldsOf } from "../../core/fields";
import { pick, withoutNulls, type PropertyMap } from "../../core/property-value";
import type { AdoptionPreview, Created, ResourceDefinition } from "../../core/lifecycle";
import { createBody, scopeOf, type ResourceContext } from "../context";
import { deleteByPolicy } from "../deletion";
import { createReversePrivateEndpoint, deleteReversePrivateEndpoint } from "../recovery/endpoint";
import { REQUIRED_BY_TYPE, reversePrivateEndpointSchema } from "./schema";

const fields = fieldsOf(reversePrivateEndpointSchema, SECRET_NAMES);

/** What is true of an endpoint of which no answer tells: the types of the outputs promise a value. */
const NOT_STATED: PropertyMap = { endpointId: "", dnsNames: [], privateDnsNames: [], status: "Unknown" };
const COMPUTED = Object.keys(NOT_STATED);

/** Reverse private endpoints. The API can create one and nothing else: no read, no update. */
export const reversePrivateEndpointDefinition = (context: ResourceContext): ResourceDefinition => {
  let isRefreshTold = false;
  return {
    type: "ReversePrivateEndpoint",
    schema: reversePrivateEndpointSchema,
    secretNames: SECRET_NAMES,
    rules: requiredByType,
    computed: COMPUTED,
    derived: (_declared, found) => ({ ...NOT_STATED, ...pick(found, COMPUTED) }),
    previewAdoption: (inputs) => Promise.resolve(adoptionOnTrust(inputs)),
    create: (inputs) => createEndpoint(context, inputs),

    // The API has no operation that reads an endpoint: what it answered when it was created is all that is known.
    read(_id, _properties, observed) {
      // A stack may have many endpoints, and one line says it of all.
      if (observed !== undefined && !isRefreshTold) {
        isRefreshTold = true;
        context.log(
          "The API has no operation that reads reverse private endpoints, so none of them was compared. What is known of them is kept.",
        );
      }
      return Promise.resolve(observed ?? {});
    },

    // No field of it can be updated, so there is nothing to send.
    update: () => Promise.resolve(undefined),

    delete: (id, properties) => deleteEndpoint(context, id, properties),
  };
};

/** What a person calls an endpoint. */
const nameOf = (id: string, { description }: PropertyMap): string =>
  `reverse private endpoint ${JSON.stringify(description)} (${id})`;

const isAdoption = (inputs: PropertyMap): inputs is PropertyMap & { readonly adopt: string } =>
  typeof inputs["adopt"] === "string";

function adoptionOnTrust(inputs: PropertyMap): AdoptionPreview {
  if (!isAdoption(inputs)) return { lines: [], failures: [] };
  const line =
    `${nameOf(inputs.adopt, inputs)} is not created: the program adopts the existing endpoint of this id on trust. The API has ` +
    `no operation that reads endpoints, so the provider compares nothing and sends nothing.`;
  return { lines: [line], failures: [] };
}

async function createEndpoint({ client, log }: ResourceContext, inputs: PropertyMap): Promise<Created> {
  if (isAdoption(inputs)) return { id: inputs.adopt, found: {}, adopted: { sent: [], former: {} } };
  const endpoint = await createReversePrivateEndpoint(client(), scopeOf(inputs), createBody(fields, inputs));
  const { id, status } = endpoint;
  if (status !== "Ready") {
    log(
      `${nameOf(id, inputs)} was created with the status ${JSON.stringify(status ?? "Unknown")}: dnsNames and endpointId may still be ` +
        `to come. The API has no operation that reads them, so the outputs stay as they are: look in the service's console.`,
    );
  }
  return { id, found: withoutNulls(endpoint) as PropertyMap };
}

async function deleteEndpoint(context: ResourceContext, id: string, properties: PropertyMap): Promise<void> {
  const what = nameOf(id, properties);
  await deleteByPolicy(context, {
    what,
    properties,
    kind: "endpoint",
    remains: "still exists",
    send: () =>
      deleteReversePrivateEndpoint(context.client(), scopeOf(properties), id, properties["description"]),
    isGone: () => {
      context.log(
        `${what}: the API answered 404. Either it is gone, or this service has no such operation. The API cannot ` +
          `list endpoints: look in the service's console whether it still exists.`,
      );
      return Promise.resolve(true);
    },
  });
}

function requiredByType(inputs: PropertyMap): readonly Failure[] {
  const { type } = inputs;
  const required = Object.entries(REQUIRED_BY_TYPE).find(([name]) => name === type)?.[1] ?? [];
  return required
    .filter((name) => inputs[name] === undefined)
    .map((name) => ({ path: [name], reason: `is required when type is ${JSON.stringify(type)}` }));
}
