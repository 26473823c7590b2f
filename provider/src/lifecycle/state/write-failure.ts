import type { PropertyMap } from "../comparison/property-value";
import type { Adopted } from "./private-state";

export interface Progress {
  /** Records that the resource exists or has changed, so that a later failure does not lose it. */
  checkpoint(id: string, declared: PropertyMap, current: PropertyMap, adopted?: Adopted): void;
}

/** A resource that exists although its operation failed. */
interface Stored {
  readonly id: string;
  readonly outputs: PropertyMap;
}

/** What the message of an error says about the call that failed. */
export interface FailedCall {
  /** The noun for the resource that the call created before it failed. */
  readonly inStack?: string | undefined;
  /** Whether the call was the create of a replacement. The replaced resource is still in the stack. */
  readonly isReplacement?: boolean;
}

/** A create or an update failed, and its message depends on what is in the stack now. */
export class WriteFailure extends Error {
  constructor(
    cause: unknown,
    readonly call: FailedCall,
    /** Set if the operation created or changed the resource. */
    readonly stored?: Stored,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Runs an operation. A failure after a checkpoint has its outputs; `inStack` and `isReplacement` are about a create. */
export async function withCheckpoints<T>(
  work: (progress: Progress) => Promise<T>,
  outputs: (...checkpoint: Parameters<Progress["checkpoint"]>) => PropertyMap,
  { inStack, isReplacement = false }: FailedCall = {},
): Promise<T> {
  let stored: Stored | undefined;
  try {
    return await work({
      checkpoint: (id, ...rest) => {
        stored = { id, outputs: outputs(id, ...rest) };
      },
    });
  } catch (error) {
    if (stored !== undefined) throw new WriteFailure(error, { inStack }, stored);
    throw isReplacement ? new WriteFailure(error, { isReplacement }) : error;
  }
}
