import { describeFailure } from "../provider/src/core/validation";
import type { DiffResult } from "../provider/src/core/definition";
import type { PropertyMap } from "../provider/src/core/property-value";
import { HIDDEN_INPUTS } from "../provider/src/core/hidden-inputs";
import type { Lifecycle } from "../provider/src/core/lifecycle";

/** A resource as the state has it. */
export interface Stored {
  readonly id: string;
  /** Its outputs. The engine keeps the inputs apart, which for all that is compared are the same. */
  readonly outputs: PropertyMap;
}

/** What a preview says of a resource that is in the stack. */
export interface Preview {
  /** All failures, one sentence each. */
  readonly failures: readonly string[];
  /** The inputs of the last check. */
  readonly inputs: PropertyMap;
  /** What the diff said; undefined where the check before it failed. */
  readonly difference?: DiffResult;
}

/** Calls check and diff as the engine does, and for a replacement a second check without the state. */
export function preview(lifecycle: Lifecycle, { id, outputs }: Stored, news: PropertyMap): Preview {
  const checked = lifecycle.check(outputs, news);
  if (checked.failures.length > 0) return { ...checked, failures: checked.failures.map(describeFailure) };
  const difference = lifecycle.diff(id, outputs, checked.inputs, (news[HIDDEN_INPUTS.key] ?? "") as string);
  if (difference.replaces.length === 0) return { failures: [], inputs: checked.inputs, difference };
  const { failures, inputs } = lifecycle.check(undefined, news);
  return { failures: failures.map(describeFailure), inputs, difference };
}
