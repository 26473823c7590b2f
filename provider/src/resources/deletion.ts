import type { PolicyInputs } from "../lifecycle/program/lifecycle";
import { DatapipesError, isDatapipesError, saysNotFound, type DatapipesErrorCode } from "../messages/errors";
import type { RunContext } from "./context";

export interface Deletion {
  /** The resource as messages name it: `pipe "orders" (…)`. */
  readonly what: string;
  /** The noun for it: `pipe`. */
  readonly kind: string;
  readonly properties: PolicyInputs;
  /** What follows `what` in the log when the policy is "retain". */
  readonly retained: string;
  readonly send: () => Promise<void>;
  /**
   * Whether the resource no longer exists. Called when the API refuses: some services answer 404 or 405 to any
   * DELETE.
   */
  readonly confirmGone: (refusal: DatapipesErrorCode) => Promise<boolean>;
}

/** Codes of the answers of a service that does not offer the deletion, or refuses it. */
const REFUSALS: ReadonlySet<string> = new Set(["not-found", "method-not-allowed", "forbidden"]);

/** What the log says of a resource that the policy "retain" keeps. */
export const retainedText = (fact: string): string =>
  `${fact}: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.`;

/** Deletes a resource, or retains it and logs that, by its deletionPolicy. Succeeds for a resource that is gone. */
export async function deleteByPolicy({ log }: RunContext, deletion: Deletion): Promise<void> {
  const { what, kind, properties, retained, send, confirmGone } = deletion;
  if (properties.deletionPolicy !== "delete") {
    log(retainedText(`${what} ${retained}`));
    return;
  }
  try {
    await send();
  } catch (error) {
    if (!isDatapipesError(error) || !(REFUSALS.has(error.code) || error.answer.status === 501)) throw error;
    if (error.code === "not-found" && !saysNotFound(error)) throw error;
    if (await confirmGone(error.code)) return;
    throw new DatapipesError(error.code, `The service refuses to delete the ${kind}.`, {
      cause: error,
      finding: "deletion-refused",
    });
  }
}
