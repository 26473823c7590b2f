/** The last state of a pipe that loads once. It may be the first one that a read shows. */
const COMPLETED = "Completed";
/** States that a pipe is not known to leave by itself. */
const FAILED = ["Failed", "InternalError"];
/** States in which a pipe loads nothing. */
const IDLE = ["Paused", "Stopped", COMPLETED, ...FAILED];

/** The states that comparable services have. The API document lists none. */
const KNOWN_STATES: readonly string[] = [
  "Unknown",
  "Provisioning",
  "Setup",
  "Snapshot",
  "Running",
  "Degraded",
  "Stopping",
  "Pausing",
  "Modifying",
  "Resync",
  ...IDLE,
];

/** Whether a state is one of these. Services differ in the case of states. */
export const isOneOf = (state: unknown, states: readonly string[]): boolean =>
  typeof state === "string" && states.some((one) => one.toLowerCase() === state.toLowerCase());

export const isCompleted = (state: unknown): boolean => isOneOf(state, [COMPLETED]);

export const hasFailed = (state: unknown): boolean => isOneOf(state, FAILED);

/** Whether a pipe in this state may load data now. */
export const mayLoad = (state: unknown): boolean => !isOneOf(state, IDLE);

/** The known state that equals a text but for the case; undefined if there is none. */
export const knownState = (text: string): string | undefined =>
  KNOWN_STATES.find((state) => isOneOf(state, [text]));
