import { systemClock, type Clock } from "../../provider/src/api/http/clock";
import { PipeCreator } from "../../provider/src/resources/pipe/create";
import type { PipeInputs } from "../../provider/src/resources/pipe/schema";
import { reversePrivateEndpointDefinition } from "../../provider/src/resources/reverse-private-endpoint/definition";
import type { Connection } from "../kit/client";
import { apiOf, runContext } from "../kit/lifecycle";

export const PIPE = {
  name: "orders",
  source: { kafka: { brokers: "b-1.example:9092", topics: "orders" } },
  destination: { table: "orders" },
  settings: { dbmsMaxThreads: 4, objectStorageUseClusterFunction: true },
};

export function endpointsOf({ client, scope, log, warn }: Connection) {
  const run = runContext();
  const context = { ...run, ...apiOf(client, systemClock, run.program), log, warn };
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

/** Creates a pipe as a resource does in a run of its own, without a check. */
export async function createPipe(
  { client, scope, log, warn }: Connection,
  clock: Clock,
  pipe: Omit<PipeInputs, "organizationId" | "serviceId">,
) {
  const run = runContext();
  const context = { ...run, ...apiOf(client, clock, run.program), log, warn };
  const before = await context.lists.read(scope);
  return new PipeCreator(context).create({ ...scope, ...pipe }, before);
}
