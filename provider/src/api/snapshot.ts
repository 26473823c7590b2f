import { scopeKey, type ServiceScope } from "./operations";
import type { Identified } from "./wire";

type Pipes = ReadonlyMap<string, Identified>;

/** What was read of each service: taken at the first read, shared by all that follow, dropped by a write of ours. */
export class Snapshots {
  readonly #taken = new Map<string, Promise<Pipes>>();

  /** The service's pipes by id. Reads that come while the list is under way wait for the same answer. */
  take(scope: ServiceScope, read: () => Promise<Pipes>): Promise<Pipes> {
    const key = scopeKey(scope);
    const present = this.#taken.get(key);
    if (present !== undefined) return present;
    const taken = read();
    this.#taken.set(key, taken);
    // A failed read is no knowledge: the next one asks again.
    taken.catch(() => {
      if (this.#taken.get(key) === taken) this.#taken.delete(key);
    });
    return taken;
  }

  /** Forgets what was read of the service. */
  drop(scope: ServiceScope): void {
    this.#taken.delete(scopeKey(scope));
  }
}
