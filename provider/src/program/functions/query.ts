import type { Client } from "../../api/client";
import type { ListedPipe } from "../../resources/pipe/observed";
import type { ServiceScope } from "../../settings/settings";

/** The client and the service of a call. */
export interface ServiceConnection {
  readonly client: Client;
  readonly scope: ServiceScope;
  /** The pipes of the service, by one list that all calls of a run share; `isFresh` asks for a new list. */
  readonly pipes: (isFresh?: boolean) => Promise<readonly ListedPipe[]>;
}

/** A data function without Pulumi. All of its arguments are texts. */
export interface Query<A, R> {
  readonly name: string;
  readonly run: (connection: ServiceConnection, args: A) => Promise<R>;
}
