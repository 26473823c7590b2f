import * as pulumi from "@pulumi/pulumi";

/** Stands for the program where the engine has given it no stack, as in unit tests of a program. */
const NO_STACK = {};

/**
 * Something that each run of a program has of its own. A process can run several programs, one after another or at the same
 * time, as inline programs of the Automation API do; each has a stack resource of its own.
 */
export function perProgram<T>(make: () => T): () => T {
  const made = new WeakMap<object, T>();
  return () => {
    const program = pulumi.runtime.getStackResource() ?? NO_STACK;
    const present = made.get(program) ?? make();
    made.set(program, present);
    return present;
  };
}
