import type { Leak } from "../../tests/support/canary";
import type { Act, Phase } from "./act";
import type { Counts, Present, Scene } from "./scene";
import type { Trouble } from "./trouble";

/** What one run of the CLI did for one resource. */
export interface Outcome extends Present {
  /** The error that the user saw; undefined when it ended well. */
  readonly failure: string | undefined;
  /** The other lines that the user saw. */
  readonly told: readonly string[];
  readonly counts: Counts;
}

/** One act under one trouble: the run that met it, and the next one, which did not. */
export interface Row {
  readonly act: Act;
  readonly phase: Phase;
  readonly scene: Scene;
  readonly trouble: Trouble;
  readonly during: Outcome;
  readonly after: Outcome;
  /** Whether the preview that follows has nothing to do. */
  readonly settled: boolean;
  /** Places where a secret of this scene is shown or stored. */
  readonly leaks: readonly Leak[];
}
