import type { ServiceScope } from "../../settings/settings";
import { scopeKey } from "../../api/document/operations";
import { LIST_LAG_MS } from "../../api/http/repetition";
import type { PropertyMap } from "../../lifecycle/property-value";
import type { ResourceContext } from "../context";
import { creationTimeOf } from "./candidates";
import { getOrAdd } from "../../values/get-or-add";

/** From this number of pipes on, a list that lacks more than half of them may be incomplete: about as many as a run reads at once. */
const MANY_PIPES = 4;

/** Whether the pipe was created or changed so recently that a list may not show it yet. Without a creation time it may have been. */
export function mayBeUnlisted(
  { client, clock }: ResourceContext,
  { createdAt, updatedAt }: PropertyMap,
): boolean {
  // Without an answer that has a date, the clock of this machine has to do.
  const now = client().requestContext.serverClock.at(clock.now())?.from ?? Date.now();
  const [created, updated] = [creationTimeOf(createdAt), creationTimeOf(updatedAt)];
  return created === undefined || now < Math.max(created.to, updated?.to ?? 0) + LIST_LAG_MS;
}

/** The pipes of a service that a run has looked up in its list. */
export class LookedUpPipes {
  static readonly #ofClients = new WeakMap<object, Map<string, LookedUpPipes>>();
  readonly #all = new Set<string>();
  readonly #missing = new Set<string>();
  #isSaid = false;
  /** The lists of a minute lacked a pipe: another one that they lack is gone. */
  isConfirmed = false;

  static of(client: object, scope: ServiceScope): LookedUpPipes {
    const services = getOrAdd(this.#ofClients, client, () => new Map<string, LookedUpPipes>());
    return getOrAdd(services, scopeKey(scope), () => new LookedUpPipes());
  }

  add(id: string, isListed: boolean): void {
    this.#all.add(id);
    if (isListed) this.#missing.delete(id);
    else this.#missing.add(id);
  }

  /** Warns once if the list is much shorter than the stack. Returns whether it is. */
  warnIfMostAreMissing({ warn }: ResourceContext, { serviceId }: ServiceScope): boolean {
    const all = this.#all.size;
    const missing = this.#missing.size;
    if (this.isConfirmed || all < MANY_PIPES || missing <= all / 2) return false;
    if (!this.#isSaid)
      warn(
        `the list of service ${serviceId} lacks ${missing} of ${all} pipes of this stack. It may be incomplete, so the provider ` +
          `reads it for up to ${LIST_LAG_MS / 1000} s before it treats them as deleted.`,
      );
    this.#isSaid = true;
    return true;
  }
}
