import type { Progress } from "./definition";
import type { PropertyMap } from "./property-value";

/** A resource exists or was changed in part, and then something failed. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly properties: PropertyMap,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Runs an operation. When it fails after a checkpoint, the failure carries what exists, with its outputs. */
export async function withCheckpoints<T>(
  work: (progress: Progress) => Promise<T>,
  outputs: (id: string, declared: PropertyMap, found: PropertyMap) => PropertyMap,
): Promise<T> {
  let reached: { readonly id: string; readonly properties: PropertyMap } | undefined;
  const progress: Progress = {
    checkpoint: (id, declared, found) => {
      reached = { id, properties: outputs(id, declared, found) };
    },
  };
  try {
    return await work(progress);
  } catch (error) {
    if (reached === undefined) throw error;
    throw new PartialFailure(reached.id, reached.properties, error);
  }
}
