import type { PropertyMap } from "../comparison/property-value";
import type { Adopted } from "./private-state";

export interface Progress {
  /** Records that the resource exists or has changed, so that a later failure does not lose it. */
  checkpoint(id: string, declared: PropertyMap, current: PropertyMap, adopted?: Adopted): void;
}

/** An operation failed after it created or changed the resource. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly properties: PropertyMap,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The create of a replacement failed. The replaced resource is still in the stack. */
export class ReplacementFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Runs an operation. A failure after a checkpoint becomes a {@link PartialFailure} with its outputs. */
export async function withCheckpoints<T>(
  work: (progress: Progress) => Promise<T>,
  outputs: (...checkpoint: Parameters<Progress["checkpoint"]>) => PropertyMap,
  isReplacement = false,
): Promise<T> {
  let last: { readonly id: string; readonly properties: PropertyMap } | undefined;
  try {
    return await work({
      checkpoint: (...checkpoint) => {
        const [id] = checkpoint;
        last = { id, properties: outputs(...checkpoint) };
      },
    });
  } catch (error) {
    if (last === undefined) throw isReplacement ? new ReplacementFailure(error) : error;
    throw new PartialFailure(last.id, last.properties, error);
  }
}
