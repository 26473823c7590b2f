import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";

/** A mistake in the user's program, which Pulumi shows by its message alone. */
export const programError = (message: string): Error => shownByMessage(new pulumi.RunError(message));

/**
 * The same error, which everything that prints it shows by its message. Pulumi also inspects each error that nothing
 * handles, and for one that comes out of an output that takes Node a minute, in which the program stands still.
 */
export function shownByMessage<E extends Error>(error: E): E {
  const { message } = error;
  error.stack = message;
  Object.defineProperty(error, inspect.custom, { value: () => message });
  // Pulumi may handle the rejection after it has printed the error, and Node.js would then print a warning, too.
  if (process.listenerCount("rejectionHandled") === 0) process.on("rejectionHandled", () => undefined);
  return error;
}
