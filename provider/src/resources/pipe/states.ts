/** The last state of a pipe that loads once. It may be the first one that a read shows. */
const COMPLETED = "Completed";
/** States that a pipe is not known to leave by itself. */
const FAILED = ["Failed", "InternalError"];
/** States in which a pipe loads nothing. */
export const IDLE = ["Paused", "Stopped", COMPLETED, ...FAILED];

/** Whether a state is one of these. Services differ in the case of states. */
export const isOneOf = (state: unknown, states: readonly string[]): boolean =>
  typeof state === "string" && states.some((one) => one.toLowerCase() === state.toLowerCase());

export const isCompleted = (state: unknown): boolean => isOneOf(state, [COMPLETED]);

export const hasFailed = (state: unknown): boolean => isOneOf(state, FAILED);

/** Whether a pipe in this state may load data now. */
export const mayLoad = (state: unknown): boolean => !isOneOf(state, IDLE);
