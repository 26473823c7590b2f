import { timeLeft } from "../api/http/deadline";
import { kindOfUpdate } from "../api/document/operations";
import { finish } from "../api/http/clock";
import { REPETITION, type Look } from "../api/http/repetition";
import type { WireObject } from "../api/document/wire";
import type { PropertyMap } from "../lifecycle/property-value";
import { DatapipesError, isDatapipesError } from "../messages/errors";
import type { ResourceContext } from "./context";
import { reactionTo } from "./outcome";

/** An update that adds to lists or removes from them: sent twice, it could fail, or undo another client's change. */
export interface ListUpdate<Patch> {
  /** The object as messages name it. */
  readonly what: string;
  readonly patch: Patch;
  readonly bodyOf: (patch: Patch) => WireObject;
  readonly send: (body: WireObject) => Promise<PropertyMap>;
  /** Reads the object as it is now. */
  readonly read: () => Promise<PropertyMap | undefined>;
  /** The part of a patch that has not taken effect; undefined when all of it has. */
  readonly remainderOf: (patch: Patch, current: PropertyMap) => Patch | undefined;
}

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
      if (!isDatapipesError(error)) throw error;
      const look = reactionTo(error, kindOfUpdate(body));
      if (look.action !== "look" || repeats >= look.atMost) throw error;
      context.log(`update ${update.what}: ${error.reason}; checking what the API has changed`);
      const current = await finish(
        context.clock,
        () => readAfter(error, look, context, update),
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
  { delaysMs }: Look,
  { clock }: RetryContext,
  { what, read }: ListUpdate<Patch>,
): Promise<PropertyMap> {
  for (const delay of delaysMs) await clock.sleep(delay);
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

/** Sends a request, and again while the service refuses it (409) because the provider's request before is still at work. */
export async function retryWhileBusy<T>({ clock, log }: RetryContext, send: () => Promise<T>): Promise<T> {
  for (const delay of REPETITION.busy.edit.delaysMs) {
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
