import type { Clock } from "../../api/rate-limiter";
import { hasActions } from "../../api/operations";
import { isUncertain } from "./uncertain";
import type { WireObject } from "../../api/wire";
import type { PropertyMap } from "../../core/property-value";
import { DatapipesError, isDatapipesError } from "../../errors";

/** An update that says what comes and what goes: sent twice, it could do what nobody wants, or be refused. */
export interface ListEdit<Plan> {
  /** What a person calls the thing that is changed. */
  readonly what: string;
  readonly plan: Plan;
  /** The body of the request that does it. */
  readonly body: (plan: Plan) => WireObject;
  /** Sends one request. */
  readonly send: (body: WireObject) => Promise<PropertyMap>;
  /** What exists now. */
  readonly look: () => Promise<PropertyMap | undefined>;
  /** What is left of a plan in the light of what exists; undefined when that is nothing. */
  readonly rest: (plan: Plan, found: PropertyMap) => Plan | undefined;
}

/** How long a server is given to finish what it may be doing, before it is looked at. */
const SETTLE_MS = 2_000;

/** How often what is left is sent again. */
const MAX_REPEATS = 2;

interface RetryContext {
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Sends an update. When it edits something and its fate is unknown, what exists tells what of it is still to be done. */
export async function sendEdit<Plan>(context: RetryContext, edit: ListEdit<Plan>): Promise<PropertyMap> {
  const { log } = context;
  let { plan } = edit;
  for (let repeats = 0; ; repeats += 1) {
    const body = edit.body(plan);
    try {
      return await edit.send(body);
    } catch (error) {
      if (!isUncertain(error) || !hasActions(body) || repeats >= MAX_REPEATS) throw error;
      log(`update ${edit.what}: ${error.reason}; looking at what was changed`);
      const found = await lookAfter(context, edit, error);
      const rest = edit.rest(plan, found);
      if (rest === undefined) return found;
      log(`update ${edit.what}: not all was changed; sending what is left of it`);
      plan = rest;
    }
  }
}

/** How long before each further try while a request of before is still at work. */
const BUSY_DELAYS_MS = [2_000, 4_000, 8_000, 16_000, 30_000];

/** Sends what follows another request of ours: that one may keep the service busy for a while, and this one be refused. */
export async function whenFree<T>({ clock, log }: RetryContext, send: () => Promise<T>): Promise<T> {
  for (const delay of BUSY_DELAYS_MS) {
    try {
      return await send();
    } catch (error) {
      if (!isDatapipesError(error) || error.code !== "conflict") throw error;
      log(
        `${error.answer.operation ?? "the request"}: ${error.reason}, as the change before may still be at work; ` +
          `trying again in ${delay / 1000} s`,
      );
      await clock.sleep(delay);
    }
  }
  return send();
}

async function lookAfter<Plan>(
  { clock }: RetryContext,
  { what, look }: ListEdit<Plan>,
  cause: DatapipesError,
): Promise<PropertyMap> {
  await clock.sleep(SETTLE_MS);
  try {
    const found = await look();
    if (found !== undefined) return found;
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    const unknown = `It is not known whether ${what} was changed, and it cannot be read (${error.reason}).`;
    throw new DatapipesError(cause.code, unknown, { cause });
  }
  const missing = `Since then ${what} is not in the list any more.`;
  throw new DatapipesError(cause.code, missing, { cause, finding: "pipe-not-listed" });
}
