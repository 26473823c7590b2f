import * as pulumi from "@pulumi/pulumi";

/** Marks the instances of a program, for every copy of this package. */
const INSTANCES = Symbol.for("pulumi-datapipes.instances");

interface Program {
  [INSTANCES]?: Set<unknown>;
}

/** The program of a unit test without a stack resource. */
const NO_STACK: Program = {};

/**
 * Records that the program has a provider instance: an explicit one, or the default one. Returns whether it is the
 * only one so far.
 */
export function recordInstance(instance: pulumi.ProviderResource | undefined): boolean {
  const program = (pulumi.runtime.getStackResource() ?? NO_STACK) as Program;
  const instances = (program[INSTANCES] ??= new Set());
  instances.add(instance);
  return instances.size === 1;
}
