import type { Client } from "../../api/client";
import type { ServiceScope } from "../../settings/settings";
import { scopeKey } from "../../api/document/operations";
import type { Wanted } from "../../api/shared-reads";
import { idKey } from "../../values/uuid";
import type { ListedPipe } from "./observed";
import { getOrAdd } from "../../values/get-or-add";

/** The pipes of a list by id, and when the request for it was sent. */
export interface PipeList {
  readonly pipes: Map<string, ListedPipe>;
  readonly readAt: number;
}

type ListClient = Pick<Client, "listPipes" | "requestContext">;

/** By client and service: the pipes before this run's first create, with those that this run has created since. */
const knownOfClients = new WeakMap<ListClient, Map<string, Promise<PipeList>>>();

const knownOf = (client: ListClient): Map<string, Promise<PipeList>> =>
  getOrAdd(knownOfClients, client, () => new Map<string, Promise<PipeList>>());

export function knownPipes(client: ListClient, scope: ServiceScope): Promise<PipeList> {
  const known = knownOf(client);
  const key = scopeKey(scope);
  const reading = getOrAdd(known, key, () => readPipes(client, scope));
  // After a failure, the next create reads the list again.
  reading.catch(() => known.delete(key));
  return reading;
}

/** Takes a pipe that this run has deleted out of the known ones. */
export async function forgetPipe(client: ListClient, scope: ServiceScope, id: string): Promise<void> {
  (await knownOf(client).get(scopeKey(scope)))?.pipes.delete(idKey(id));
}

async function readPipes(client: ListClient, scope: ServiceScope): Promise<PipeList> {
  const { clock } = client.requestContext;
  let readAt = clock.now();
  const pipes = await client.listPipes(scope, () => (readAt = clock.now()));
  return listOf(pipes, readAt);
}

/** A list that is asked for after this call, for a write whose outcome is unknown. */
export async function lookAtPipes(
  client: Pick<Client, "lookAtPipes">,
  scope: ServiceScope,
  wanted?: Wanted,
): Promise<PipeList> {
  const { pipes, sentAt } = await client.lookAtPipes(scope, wanted);
  return listOf(pipes, sentAt);
}

const listOf = (pipes: readonly ListedPipe[], readAt: number): PipeList => ({
  pipes: new Map(pipes.map((pipe) => [idKey(pipe.id), pipe])),
  readAt,
});
