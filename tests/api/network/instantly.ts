import type { Clock } from "../../../provider/src/api/limiter";

/** A clock whose waits are over at once. */
export const instantly: Clock = { now: () => 0, sleep: () => Promise.resolve() };
