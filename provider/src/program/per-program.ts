import * as pulumi from "@pulumi/pulumi";
import { getOrAdd } from "../values/get-or-add";

/** The key of a program without a stack resource, as in its unit tests. */
const NO_STACK = {};

/**
 * A value for each program. A process may run several, also concurrently, as inline programs of the Automation API;
 * each has its own stack.
 */
export function perProgram<T extends object>(make: () => T): () => T {
  const made = new WeakMap<object, T>();
  return () => getOrAdd(made, pulumi.runtime.getStackResource() ?? NO_STACK, make);
}
