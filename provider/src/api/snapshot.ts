import type { ServiceScope } from "../settings/settings";
import { scopeKey } from "./document/operations";
import type { Identified } from "./document/wire";

type Pipes = ReadonlyMap<string, Identified>;

/** The list of pipes of each service, read once per run and again after a write. */
export class Snapshots {
  readonly #taken = new Map<string, Promise<Pipes>>();

  /** The service's pipes by id. Concurrent reads share one request. */
  take(scope: ServiceScope, read: () => Promise<Pipes>): Promise<Pipes> {
    const key = scopeKey(scope);
    const present = this.#taken.get(key);
    if (present !== undefined) return present;
    const taken = read();
    this.#taken.set(key, taken);
    // The next read retries a failed one.
    taken.catch(() => {
      if (this.#taken.get(key) === taken) this.#taken.delete(key);
    });
    return taken;
  }

  drop(scope: ServiceScope): void {
    this.#taken.delete(scopeKey(scope));
  }
}
