import type { Client } from "../../api/client";
import type { Clock } from "../../api/http/clock";
import { LOOK } from "../../api/http/failures";
import { scopeKey } from "../../api/operations";
import type { PropertyMap, PropertyValue } from "../../lifecycle/comparison/property-value";
import type { ServiceScope } from "../../settings/settings";
import { Fresh, type Fetch } from "../../values/fresh";
import { getOrAdd } from "../../values/get-or-add";
import { idKey } from "../../values/uuid";
import type { ListedPipe, ObservedPipe } from "./observed";

/** The pipes of a service. */
export interface PipeList {
  readonly pipes: ReadonlyMap<string, ListedPipe>;
  /** The pipes without an ID that is a UUID: no stack can have them. */
  readonly unidentified: readonly ObservedPipe[];
  /** Whether the answer had all pipes in a form that can be read: from another list, no pipe is gone. */
  readonly isComplete: boolean;
}

/** How long after a write, in milliseconds, a list may still show the state before it. */
export const LAG_MS = LOOK.limitMs;
/** The first delay before a list is read again. Each further delay is twice as long. */
const FIRST_DELAY_MS = LOOK.firstMs;
/** Part of a delay: a list that another reader requested no earlier than this before the moment is new enough. */
const EARLY_SHARE = 0.25;

/** What the services of a run have now: one list for each service, which all readers share. */
export class PipeLists {
  readonly #services = new Map<string, Fresh<PipeList>>();
  /** When this run last created, changed or deleted a pipe. */
  #writtenAt = -Infinity;

  constructor(
    private readonly client: () => Pick<Client, "listPipes" | "serverNow">,
    private readonly clock: Clock,
    /** Whether this run has deleted the pipe. A list may still show it. */
    private readonly isDeleted: (id: string) => boolean,
  ) {}

  /** A list that was requested after the given moment. Without a moment, the last list of this run. */
  read(scope: ServiceScope, after?: number): Promise<PipeList> {
    return this.#service(scope).read(after);
  }

  /** The pipes as they are since the last write of this run; `isFresh`: as they are now. */
  async pipes(scope: ServiceScope, isFresh = false): Promise<readonly ListedPipe[]> {
    return [...(await this.read(scope, isFresh ? this.clock.now() : this.#writtenAt)).pipes.values()];
  }

  /** The last list of this run. If there is none, requests it once, without retries. */
  readOnce(scope: ServiceScope): Promise<PipeList> {
    return this.#service(scope).read(undefined, this.#fetch(scope, 0));
  }

  /**
   * Reads the list again and again until `look` finds something in it or `lag` is over, and at least twice. A list
   * that cannot be read is requested again. `isAbsent`: at least two complete lists, the last one included, did not
   * show it.
   */
  async await<T>(
    scope: ServiceScope,
    look: (pipes: PipeList["pipes"]) => T | undefined,
    lag: number = LAG_MS,
  ): Promise<{ readonly found?: T | undefined; readonly isAbsent: boolean }> {
    const { clock } = this;
    const end = clock.now() + Math.max(lag, FIRST_DELAY_MS);
    let completeLists = 0;
    for (let delay = 0; ; delay = Math.max(FIRST_DELAY_MS, delay * 2)) {
      if (delay > 0) await clock.sleep(Math.min(delay, end - clock.now()));
      const isLast = clock.now() >= end || clock.isCancelled();
      const early = EARLY_SHARE * (isLast ? FIRST_DELAY_MS : Math.max(FIRST_DELAY_MS, delay));
      const list = await this.read(scope, clock.now() - early).catch((error: unknown) => {
        if (isLast) throw error;
        return undefined;
      });
      const isComplete = list?.isComplete === true;
      if (isComplete) completeLists += 1;
      const found = list && look(list.pipes);
      if (found !== undefined || isLast)
        return { found, isAbsent: found === undefined && isComplete && completeLists > 1 };
    }
  }

  /** Records that this run has created, changed or deleted a pipe. */
  recordWrite(): void {
    this.#writtenAt = this.clock.now();
  }

  /** How long lists may still show a pipe as it was before its last write, in milliseconds. */
  lagOf({ createdAt, updatedAt }: PropertyMap): number {
    const written = Math.max(timeOf(createdAt) ?? 0, timeOf(updatedAt) ?? 0);
    // Without a time that can be read, it may have been a moment ago.
    return written === 0 ? LAG_MS : Math.min(LAG_MS, Math.max(0, written + LAG_MS - this.serverNow()));
  }

  /** The time of the server, in milliseconds since 1970; of this machine, if no answer has told it. */
  serverNow = (): number => this.client().serverNow() ?? Date.now();

  #service = (scope: ServiceScope): Fresh<PipeList> =>
    getOrAdd(this.#services, scopeKey(scope), () => new Fresh(() => this.clock.now(), this.#fetch(scope)));

  #fetch(scope: ServiceScope, maxRetries?: number): Fetch<PipeList> {
    return async (asked) => {
      const options = { sent: asked, ...(maxRetries !== undefined && { maxRetries }) };
      const { items, leftOut, isComplete } = await this.client().listPipes(scope, options);
      const present = items.filter(({ id }) => !this.isDeleted(id));
      const pipes = new Map(present.map((pipe) => [idKey(pipe.id), pipe]));
      return { pipes, unidentified: leftOut, isComplete };
    };
  }
}

/** A time of an answer, in milliseconds since 1970, of UTC if it names no zone; undefined if it is no time. */
export function timeOf(value: PropertyValue): number | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}[T ]/i.test(value)) return undefined;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value);
  const time = Date.parse(hasZone ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}
