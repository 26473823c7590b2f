import type { Client } from "../../api/client";
import type { ServiceScope } from "../../api/operations";
import type { Identified, WireObject } from "../../api/wire";
import { PipeCreation } from "./pipe-creation";

const creations = new WeakMap<Client, PipeCreation>();

/** The creates of one client know of each other: two of one name must not take each other's pipe. */
function creationsOf(client: Client): PipeCreation {
  const known = creations.get(client) ?? new PipeCreation(client.requestContext);
  creations.set(client, known);
  return known;
}

/**
 * Creates a pipe. When the answer is lost, the list before and after tells whether the pipe exists; the POST is never sent again
 * without that.
 */
export const createPipe = (client: Client, scope: ServiceScope, body: WireObject): Promise<Identified> =>
  creationsOf(client).create({
    scope,
    body,
    post: (sent) => client.createPipe(scope, body, sent),
    list: (sent) => client.listPipes(scope, sent),
  });

/** Notes that this run deleted a pipe: the answer to a create may name it no more. */
export const forgetPipe = (client: Client, scope: ServiceScope, id: string): Promise<void> =>
  creationsOf(client).forget(scope, id);
