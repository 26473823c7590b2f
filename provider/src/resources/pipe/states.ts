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

const isOneOf = (states: readonly string[]) => {
  const folded = new Set(states.map(foldedState));
  return (state: unknown): boolean => typeof state === "string" && folded.has(foldedState(state));
};

/** A state without its case, in which services differ. */
export const foldedState = (state: string): string => state.toLowerCase();

export const isCompleted = isOneOf([COMPLETED]);
export const hasFailed = isOneOf(FAILED);
const isIdle = isOneOf(IDLE);

/** Whether a pipe in this state may load data now. */
export const mayLoad = (state: unknown): boolean => !isIdle(state);

/** The known state that equals a text but for the case; undefined if there is none. */
export const knownState = (text: string): string | undefined =>
  KNOWN_STATES.find((state) => foldedState(state) === foldedState(text));
