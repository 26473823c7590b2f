import { timeLeft } from "../../api/deadline";
import { hasActions } from "../../api/operations";
import { finish } from "../../api/rate-limiter";
import type { WireObject } from "../../api/wire";
import type { PropertyMap } from "../../core/property-value";
import { DatapipesError, isDatapipesError } from "../../errors";
import type { ResourceContext } from "../context";
import { isOutcomeUnknown } from "./outcome";

/** An update that adds to lists or removes from them: sent twice, it could fail, or undo another client's change. */
export interface ListUpdate<Patch> {
  /** The object as messages name it. */
  readonly what: string;
  readonly patch: Patch;
  readonly bodyOf: (patch: Patch) => WireObject;
  /** Sends one request. */
  readonly send: (body: WireObject) => Promise<PropertyMap>;
  /** Reads the object as it is now. */
  readonly read: () => Promise<PropertyMap | undefined>;
  /** The part of a patch that has not taken effect; undefined when all of it has. */
  readonly remainderOf: (patch: Patch, current: PropertyMap) => Patch | undefined;
}

/** A server may go on with a request for this long after its answer was lost. */
const SETTLE_MS = 2_000;

/** How often the remainder is sent. */
const MAX_REPEATS = 2;

type RetryContext = Pick<ResourceContext, "clock" | "log" | "warn">;

/** Sends an update. When its outcome is unknown, reads the object and sends what has not taken effect. */
export async function sendUpdate<Patch>(
  context: RetryContext,
  update: ListUpdate<Patch>,
): Promise<PropertyMap> {
  let { patch } = update;
  for (let repeats = 0; ; repeats += 1) {
    const body = update.bodyOf(patch);
    try {
      return await update.send(body);
    } catch (error) {
      if (!isOutcomeUnknown(error) || !hasActions(body) || repeats >= MAX_REPEATS) throw error;
      context.log(`update ${update.what}: ${error.reason}; checking what the API has changed`);
      const current = await finish(
        context.clock,
        () => readAfter(error, context, update),
        () => {
          context.warn(
            `update ${update.what}: the run is cancelled while it is unknown what the request did. The provider still reads what the API has ` +
              "changed. If you cancel again, run `pulumi refresh` before the next `pulumi up`.",
          );
        },
      );
      const remainder = update.remainderOf(patch, current);
      if (remainder === undefined) return current;
      context.log(`update ${update.what}: the API has not made all changes; sending the rest`);
      patch = remainder;
    }
  }
}

async function readAfter<Patch>(
  cause: DatapipesError,
  { clock }: RetryContext,
  { what, read }: ListUpdate<Patch>,
): Promise<PropertyMap> {
  await clock.sleep(SETTLE_MS);
  try {
    const current = await read();
    if (current !== undefined) return current;
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    const unknown = `The provider cannot find out whether ${what} was changed, because it cannot read it (${error.reason}).`;
    throw new DatapipesError(cause.code, unknown, { cause });
  }
  const missing = `Since then, the list no longer has ${what}.`;
  throw new DatapipesError(cause.code, missing, { cause, finding: "pipe-not-listed" });
}

/** The delays between the tries of a request while an earlier one still keeps the service busy. */
const BUSY_DELAYS_MS = [2_000, 4_000, 8_000, 16_000, 30_000];

/** Sends a request, and again while the service refuses it (409) because the provider's request before is still at work. */
export async function retryWhileBusy<T>({ clock, log }: RetryContext, send: () => Promise<T>): Promise<T> {
  for (const delay of BUSY_DELAYS_MS) {
    try {
      return await send();
    } catch (error) {
      if (!isDatapipesError(error) || error.code !== "conflict" || delay >= timeLeft(clock)) throw error;
      log(
        `${error.answer.operation ?? "the request"}: ${error.reason}, because the previous update may still be in progress; ` +
          `retrying in ${delay / 1000} s`,
      );
      await clock.sleep(delay);
    }
  }
  return send();
}
