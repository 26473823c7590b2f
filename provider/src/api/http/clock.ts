import { ConnectionError } from "../../messages/errors";

/** When the waits of a call must end: the timeout that the program gives in `customTimeouts`. */
export interface Deadline {
  readonly seconds: number;
  /** When it ends, by the clock. */
  readonly at: number;
}

/** The time of a run; tests have one of their own. */
export interface Clock {
  /** Milliseconds since a fixed time. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Whether the user has canceled the run: waits end, and no request starts after that. */
  isCancelled(): boolean;
  /** Does work that the first cancellation does not end, because it finds out what a write has done. */
  finish<T>(work: () => Promise<T>): Promise<T>;
  /** The deadline of the running call: its waits end then, and it starts no more writes. */
  deadline(): Deadline | undefined;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  isCancelled: () => false,
  finish: (work) => work(),
  deadline: () => undefined,
};

/** The milliseconds that the running call may still wait; infinite without a timeout. */
export const timeLeft = (clock: Clock): number => (clock.deadline()?.at ?? Infinity) - clock.now();

/**
 * The result of some work, unless the deadline of the running call comes first. The work continues: other calls
 * may share it.
 */
export async function beforeDeadline<T>(
  clock: Clock,
  work: Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const done = work.then((value) => ({ value }));
  const left = timeLeft(clock);
  if (left === Infinity) return done;
  // A canceled run ends the work by itself, and the sleep at once.
  const end = left <= 0 ? undefined : clock.sleep(left).then(() => (clock.isCancelled() ? done : undefined));
  // The race also handles a failure of the work after the deadline.
  return Promise.race([end, done]);
}

/** What a write needs to read first. Fails when the deadline comes before it. */
export async function readFirst<T>(clock: Clock, attempt: string, read: Promise<T>): Promise<T> {
  const done = await beforeDeadline(clock, read);
  if (done === undefined) throw notSent(clock, attempt);
  return done.value;
}

/** The error of a request that was not sent, because its run was canceled or its deadline came first. */
export function notSent(clock: Clock, attempt: string, operation?: string): ConnectionError {
  const connection = clock.isCancelled() ? "cancelled" : "custom-timeout";
  const timeout = `the ${clock.deadline()?.seconds ?? 0} s of customTimeouts have passed`;
  const reason = connection === "cancelled" ? "the run was canceled" : timeout;
  const answer = { operation, connection, failure: "refused" } as const;
  return new ConnectionError("connection", `${attempt} was not sent: ${reason}.`, { answer, reason });
}
