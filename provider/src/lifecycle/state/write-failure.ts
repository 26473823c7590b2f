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
  /** The ID of the resource that the call deletes or replaces. */
  readonly id?: string | undefined;
  /** The URN of that resource, if it is known. */
  readonly urn?: string | undefined;
}

/** A call failed, and its message depends on what is in the stack now. */
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

/** Runs a create or an update. A failure after a checkpoint has its outputs; `call` is about a create. */
export async function withCheckpoints<T>(
  work: (progress: Progress) => Promise<T>,
  outputs: (...checkpoint: Parameters<Progress["checkpoint"]>) => PropertyMap,
  { inStack, ...call }: FailedCall = {},
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
    throw call.isReplacement === true ? new WriteFailure(error, call) : error;
  }
}
