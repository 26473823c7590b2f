import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { getOrAdd } from "../values/get-or-add";

/** Marks the provider instances of a program, for every copy of this package. */
const INSTANCES = Symbol.for("pulumi-datapipes.instances");

interface Program {
  [INSTANCES]?: Set<unknown>;
}

/** The program of a unit test without a stack resource. */
const NO_STACK: Program = {};

/** A process may run several programs, also concurrently, as inline programs of the Automation API: each has its stack. */
const runningProgram = (): Program => (pulumi.runtime.getStackResource() ?? NO_STACK) as Program;

/** A value for each program. */
export function perProgram<T extends object>(make: () => T): () => T {
  const made = new WeakMap<object, T>();
  return () => getOrAdd(made, runningProgram(), make);
}

/**
 * Records that the program has a provider instance: an explicit one, or the default one. Returns whether it is the
 * only one, after the synchronous code of the program, which may still declare a `Provider`.
 */
export async function recordInstance(instance: pulumi.ProviderResource | undefined): Promise<boolean> {
  const instances = (runningProgram()[INSTANCES] ??= new Set());
  instances.add(instance);
  await setImmediate();
  return instances.size === 1;
}
