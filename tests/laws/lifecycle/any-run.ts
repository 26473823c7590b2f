import fc from "fast-check";
import type { Run } from "./steps";

/** Any run; an ordinary `up` most often. */
export const anyRun = fc.constantFrom<Run>(
  "up",
  "up",
  "up",
  "up in parallel",
  "up --refresh",
  "up --replace",
  "refresh",
);
