import { describeFailure } from "../../provider/src/lifecycle/validation";
import type { PropertyMap } from "../../provider/src/lifecycle/property-value";
import { HIDDEN_INPUTS } from "../../provider/src/lifecycle/hidden-inputs";
import type { Lifecycle } from "../../provider/src/lifecycle/lifecycle";
import type { Deployed } from "./online";

/** Calls check and diff as the engine does, and for a replacement a second check without the state. */
export function preview(lifecycle: Lifecycle, { id, outputs }: Deployed, newInputs: PropertyMap) {
  const { failures, inputs } = lifecycle.check(outputs, newInputs);
  if (failures.length > 0) return { inputs, failures: failures.map(describeFailure) };
  const difference = lifecycle.diff(id, outputs, inputs, (newInputs[HIDDEN_INPUTS.key] ?? "") as string);
  if (difference.replaces.length === 0) return { failures: [], inputs, difference };
  const fresh = lifecycle.check(undefined, newInputs);
  return { failures: fresh.failures.map(describeFailure), inputs: fresh.inputs, difference };
}
