import { systemClock } from "../../provider/src/api/http/clock";
import { reversePrivateEndpointDefinition } from "../../provider/src/resources/reverse-private-endpoint/definition";
import type { Connected } from "./connected";
import { apiOf, runContext } from "./run-context";

export function endpointsOf({ client, scope, log, warn }: Connected) {
  const context = { ...runContext(), ...apiOf(client, systemClock), log, warn };
  const definition = reversePrivateEndpointDefinition(context);
  const progress = { checkpoint: () => undefined };
  return {
    create: (description: string) =>
      definition.create({ ...scope, description, type: "VPC_ENDPOINT_SERVICE" }, progress, {
        key: description,
        step: "create",
      }),
    delete: (id: string) => definition.delete(id, { ...scope, deletionPolicy: "delete" }, {}, undefined),
  };
}
