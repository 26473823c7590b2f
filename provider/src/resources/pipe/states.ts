/** States that a pipe is not known to leave by itself. */
export const FAILED_STATES: ReadonlySet<string> = new Set(["Failed", "InternalError"]);
/** The last state of a pipe that loads once. It may be the first one that a read shows. */
export const COMPLETED = "Completed";

/** The states of comparable services: the API document lists none. */
const KNOWN_STATES: readonly string[] = [
  "Provisioning",
  "Setup",
  "Snapshot",
  "Running",
  "Degraded",
  "Modifying",
  "Resync",
  "Pausing",
  "Paused",
  "Stopping",
  "Stopped",
  COMPLETED,
  ...FAILED_STATES,
];

/** States in which a pipe loads nothing. */
const IDLE_STATES: ReadonlySet<unknown> = new Set(["Paused", "Stopped", COMPLETED, ...FAILED_STATES]);

/** Whether a pipe in this state may load data now. */
export const mayLoad = (state: unknown): boolean => !IDLE_STATES.has(state);

/** The known spelling of a state that is written in another case; undefined for all others. */
export const spellingOf = (state: string): string | undefined =>
  KNOWN_STATES.find((known) => known !== state && known.toLowerCase() === state.toLowerCase());
