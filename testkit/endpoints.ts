import { reversePrivateEndpointDefinition } from "../provider/src/resources/reverse-private-endpoint/definition";
import type { Connected } from "./connected";
import { runContext } from "./run-context";

export function endpointsOf({ client, scope }: Pick<Connected, "client" | "scope">) {
  const context = { ...runContext(), ...client.requestContext, client: () => client };
  const definition = reversePrivateEndpointDefinition(context);
  const progress = { checkpoint: () => undefined };
  return {
    create: (description: string) =>
      definition.create({ ...scope, description, type: "VPC_ENDPOINT_SERVICE" }, progress),
    delete: (id: string) => definition.delete(id, { ...scope, deletionPolicy: "delete" }, {}),
  };
}
