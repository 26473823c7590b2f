/** States that a pipe is not known to leave by itself. */
export const FAILED_STATES: ReadonlySet<string> = new Set(["Failed", "InternalError"]);
/** The last state of a pipe that loads once. It may be the first one that a read shows. */
export const COMPLETED = "Completed";

/** States in which a pipe loads nothing. */
const IDLE_STATES: ReadonlySet<unknown> = new Set(["Paused", "Stopped", COMPLETED, ...FAILED_STATES]);

/** Whether a pipe in this state may load data now. */
export const mayLoad = (state: unknown): boolean => !IDLE_STATES.has(state);
