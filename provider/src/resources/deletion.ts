import type { PropertyMap } from "../core/property-value";
import { DatapipesError, isDatapipesError } from "../errors";
import type { ResourceContext } from "./context";

/** Something that exists in a service, as an operation that may delete it sees it. */
export interface Deletion {
  /** What a person calls it: `pipe "orders" (…)`. */
  readonly what: string;
  /** Its kind, in the singular: `pipe`. */
  readonly kind: string;
  readonly properties: PropertyMap;
  /** What goes on when it is left as it is. */
  readonly remains: string;
  /** Sends the request. */
  readonly send: () => Promise<void>;
  /** Asked when the service answers that it does not know it: is it really gone? */
  readonly isGone: () => Promise<boolean>;
}

/** Answers that say that the service will not delete, or does not know how to. */
const REFUSALS: ReadonlySet<string> = new Set(["not-found", "method-not-allowed", "forbidden"]);

/** Deletes what exists, or leaves it and says so, as its policy says. What is gone already is no error. */
export async function deleteByPolicy({ log }: ResourceContext, deletion: Deletion): Promise<void> {
  const { what, kind, properties, remains, send, isGone } = deletion;
  if (properties["deletionPolicy"] !== "delete") {
    log(
      `${what} ${remains}: its deletionPolicy is "retain", so nothing was sent to the API. Pulumi no longer manages it.`,
    );
    return;
  }
  try {
    await send();
  } catch (error) {
    if (!isDatapipesError(error) || !REFUSALS.has(error.code)) throw error;
    if (error.code === "not-found" && (await isGone())) return;
    const why =
      error.code === "forbidden" ? "refuses the deletion" : `does not offer the deletion of ${kind}s`;
    throw new DatapipesError(error.code, `The service ${why}.`, {
      cause: error,
      finding: "deletion-refused",
    });
  }
}
