import type { RateLimit } from "../../settings/settings";
import { isCancelled, systemClock, type Clock } from "./clock";
import { SharedRate } from "./shared-rate";
import { getOrAdd } from "../../values/get-or-add";

/** To call when the request has ended. */
export type Finish = () => void;

/** Longer waits are logged, in milliseconds. */
const LONG_WAIT_MS = 5_000;
/** The first line comes so late that it counts all requests that are asked for at the same time. */
const COUNTING_MS = 1_000;
/** The shortest time between two lines about waiting. */
const LOG_INTERVAL_MS = 15_000;

/**
 * Limits the requests in any rolling window, in the order of their calls. A request counts until a window after its end: the server
 * counts it when it arrives, at an unknown time between its start and its end.
 */
export class Limiter {
  #running = 0;
  /** When the last requests ended, oldest first. */
  readonly #ends: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  /** How it shares the limit with other processes of the same key. */
  readonly shared: SharedRate;
  #waiting = 0;
  #nextLogAt = 0;
  #wake: () => void = () => undefined;

  constructor(
    private readonly limit: RateLimit | "off",
    private readonly clock: Clock = systemClock,
    random: () => number = Math.random,
  ) {
    this.shared = new SharedRate(limit, clock, random);
  }

  /** Resolves when a request may start. Logs long waits. */
  async start(log: (line: string) => void = () => undefined): Promise<Finish> {
    const since = this.clock.now();
    this.#waiting += 1;
    this.#turn = this.#turn.then(() => this.#wait(since, log));
    await this.#turn;
    this.#waiting -= 1;
    return () => {
      this.#running -= 1;
      this.shared.ended();
      this.#ends.push(this.clock.now());
      this.#wake();
    };
  }

  async #wait(since: number, log: (line: string) => void): Promise<void> {
    for (let delay = this.#delay(); delay > 0 && !isCancelled(this.clock); delay = this.#delay()) {
      // The end of a request may make a wait shorter.
      const ended = new Promise<void>((resolve) => (this.#wake = resolve));
      const wait = delay === Infinity ? undefined : Math.ceil(this.#logWait(since, delay, log));
      await (wait === undefined ? ended : Promise.race([ended, this.clock.sleep(wait)]));
    }
    this.#running += 1;
    this.shared.started();
  }

  /** Waits before a request is sent again that the service refused, and says so. */
  async pause(delay: number, refusal: string, log: (line: string) => void): Promise<void> {
    this.#waiting += 1;
    this.#logSometimes(`${refusal}${this.#waiting === 1 ? "" : `; ${this.#waiting} requests wait`}`, log);
    await this.clock.sleep(delay);
    this.#waiting -= 1;
  }

  /** Logs a wait that is long in total: each request waits for those before it. Returns the time to the next line or start. */
  #logWait(since: number, delay: number, log: (line: string) => void): number {
    const waited = this.clock.now() - since;
    if (waited + delay <= LONG_WAIT_MS) return delay;
    if (waited < COUNTING_MS) return COUNTING_MS;
    const { requests: room, seconds } = this.limit === "off" ? { requests: 1, seconds: 0 } : this.limit;
    const isOwn = this.limit !== "off" && !this.shared.isPaused;
    const limit = isOwn ? `the setting rateLimit (${room}/${seconds}s)` : "rate limit of the API";
    const end = delay + Math.floor((this.#waiting - 1) / room) * seconds * 1000;
    const requests = this.#waiting === 1 ? "1 request waits" : `${this.#waiting} requests wait, the last one`;
    this.#logSometimes(`${limit}: ${requests} for about ${timeOf(end)}`, log);
    return delay;
  }

  #logSometimes(line: string, log: (line: string) => void): void {
    const now = this.clock.now();
    if (now < this.#nextLogAt) return;
    this.#nextLogAt = now + LOG_INTERVAL_MS;
    log(line);
  }

  /** The time until another request may start; infinite if a running one must end first. */
  #delay(): number {
    const now = this.clock.now();
    const shared = this.shared.delay();
    if (this.limit === "off") return shared;
    const { requests, seconds } = this.limit;
    const room = requests - this.#running;
    this.#ends.splice(0, this.#ends.length - requests);
    if (room <= 0 || shared === Infinity) return Infinity;
    const blocking = this.#ends.at(-room);
    // One millisecond more: the edge is still inside the server's window.
    return Math.max(shared, blocking === undefined ? 0 : blocking + seconds * 1000 + 1 - now);
  }
}

/** A time from now, and until when that is: `12 s, until 13:52:10`. */
function timeOf(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const length = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${length}, until ${new Date(Date.now() + milliseconds).toTimeString().slice(0, 8)}`;
}

/** The limiters of this process by API key and address, as the server counts requests. */
const limiters = new WeakMap<Clock, Map<string, Limiter>>();

export function limiterFor(credential: string, limit: RateLimit | "off", clock: Clock): Limiter {
  const ofClock = getOrAdd(limiters, clock, () => new Map<string, Limiter>());
  return getOrAdd(ofClock, JSON.stringify([credential, limit]), () => new Limiter(limit, clock));
}
