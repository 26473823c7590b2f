import { SECRET_NAMES } from "../../api/secret-names";
import type { Failure } from "../../core/check";
import { fieldsOf } from "../../core/field";
import { withoutNulls, type PropertyMap } from "../../core/property-value";
import type { ResourceDefinition } from "../../core/resource";
import { createBody, scopeOf, type Connection } from "../connection";
import { deleteByPolicy } from "../deletion";
import { REQUIRED_BY_TYPE, reversePrivateEndpointSchema } from "./schema";

const fields = fieldsOf(reversePrivateEndpointSchema, SECRET_NAMES);

/** The life of a reverse private endpoint. The API can create one and nothing else: no read, no update. */
export const reversePrivateEndpointDefinition = (connection: Connection): ResourceDefinition => ({
  type: "ReversePrivateEndpoint",
  schema: reversePrivateEndpointSchema,
  secretNames: SECRET_NAMES,
  rules: requiredByType,
  computed: ["endpointId", "dnsNames", "privateDnsNames", "status"],

  async create(inputs) {
    const body = createBody(fields, inputs);
    const endpoint = await connection.client().createReversePrivateEndpoint(scopeOf(inputs), body);
    return { id: endpoint.id, found: withoutNulls(endpoint) as PropertyMap };
  },

  // No operation reads an endpoint: what was seen when it was created is all that anybody knows.
  read: (_id, _properties, observed = {}) => Promise.resolve(observed),

  // No field of it can be updated, so there is nothing to send.
  update: () => Promise.resolve(undefined),

  async delete(id, properties) {
    const what = `reverse private endpoint ${JSON.stringify(properties["description"])} (${id})`;
    await deleteByPolicy(connection, {
      what,
      properties,
      remains: "goes on existing",
      send: () => connection.client().deleteReversePrivateEndpoint(scopeOf(properties), id),
      isGone: () => {
        connection.inform(
          `${what}: the API answered 404. Either it is gone, or this service has no such operation; endpoints cannot be ` +
            `listed, so look into the service's console whether it is still there.`,
        );
        return Promise.resolve(true);
      },
    });
  },
});

function requiredByType(inputs: PropertyMap): readonly Failure[] {
  const { type } = inputs;
  const required = Object.entries(REQUIRED_BY_TYPE).find(([name]) => name === type)?.[1] ?? [];
  return required
    .filter((name) => inputs[name] === undefined)
    .map((name) => ({ path: [name], reason: `is required when type is ${JSON.stringify(type)}` }));
}
