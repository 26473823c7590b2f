import type { Client } from "../../api/client";
import type { ServiceScope } from "../../api/operations";
import { idKey } from "../../api/wire";
import type { ListedPipe } from "../pipe/observed";

/** The pipes of a list by id, and when the request for it was sent. */
export interface PipeList {
  readonly pipes: Map<string, ListedPipe>;
  readonly readAt: number;
}

export async function readPipes(
  client: Pick<Client, "listPipes" | "requestContext">,
  scope: ServiceScope,
): Promise<PipeList> {
  const { clock } = client.requestContext;
  let readAt = clock.now();
  const pipes = await client.listPipes(scope, () => (readAt = clock.now()));
  return { pipes: new Map(pipes.map((pipe) => [idKey(pipe.id), pipe])), readAt };
}
