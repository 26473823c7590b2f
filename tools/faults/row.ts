import type { Leak } from "../../testkit/canary";
import type { Operation, Phase } from "./operation";
import type { Counts, Present, Scenario } from "./scenario";
import type { FaultCase } from "./fault-case";

/** What one run of the CLI did for one resource. */
export interface Outcome extends Present {
  /** The error that the user saw; undefined when it ended well. */
  readonly failure: string | undefined;
  /** The other lines that the user saw. */
  readonly lines: readonly string[];
  readonly counts: Counts;
}

/** One operation under one fault: the run with the fault, and the next one without it. */
export interface Row {
  readonly operation: Operation;
  readonly phase: Phase;
  readonly scenario: Scenario;
  readonly faultCase: FaultCase;
  readonly during: Outcome;
  readonly after: Outcome;
  /** How many updates `pulumi up` sends after a refresh, before the preview is empty. */
  readonly corrections: number;
  /** Whether the preview that follows shows no change. */
  readonly previewIsEmpty: boolean;
  /** Places where a secret of this scenario is shown or stored. */
  readonly leaks: readonly Leak[];
}
