import { ConnectionError, type ApiAnswer } from "../../messages/errors";
import type { Clock } from "./clock";
import { failureOfConnection } from "./failures";

/** The milliseconds that the running call may still wait; infinite without a timeout. */
export function timeLeft(clock: Clock): number {
  const deadline = clock.deadline();
  return deadline === undefined ? Infinity : deadline.at - clock.now();
}

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
  // A cancelled run ends the work by itself, and the sleep at once.
  const end = left <= 0 ? undefined : clock.sleep(left).then(() => (clock.isCancelled() ? done : undefined));
  // The race also handles a failure of the work after the deadline.
  return Promise.race([end, done]);
}

/** The error of a request that was not sent, because the deadline of its call came first or the run was cancelled. */
export function notSent(
  clock: Clock,
  connection: "custom-timeout" | "cancelled",
  attempt: string,
  request: ApiAnswer = {},
): ConnectionError {
  const reason =
    connection === "cancelled"
      ? "the run was canceled"
      : `the ${clock.deadline()?.seconds ?? 0} s of customTimeouts have passed`;
  const answer: ApiAnswer = { ...request, connection, failure: failureOfConnection(connection) };
  return new ConnectionError("connection", `${attempt} was not sent: ${reason}.`, { answer, reason });
}

/**
 * What a write needs to read first. Other calls may share the read, so it continues when the deadline of this call
 * ends the wait for it.
 */
export async function readFirst<T>(clock: Clock, attempt: string, read: Promise<T>): Promise<T> {
  const done = await beforeDeadline(clock, read);
  if (done === undefined) throw notSent(clock, "custom-timeout", attempt);
  return done.value;
}
