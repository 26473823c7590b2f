import { DatapipesError, isDatapipesError, type Finding } from "../../errors";

/** Answers of a gateway about a server that it lost sight of, or of a server that lost the request on its way in. */
const UNCERTAIN_STATUS: ReadonlySet<number> = new Set([408, 499]);

/** Whether something thrown is the failure of a write that may have been done all the same. */
export function isUncertain(error: unknown): error is DatapipesError {
  if (!isDatapipesError(error)) return false;
  if (error.code === "connection") return error.answer.arrived !== false;
  const { status } = error.answer;
  if (error.code === "unexpected-status")
    return status === undefined || status < 400 || UNCERTAIN_STATUS.has(status);
  return ["timeout", "server-error", "invalid-response"].includes(error.code);
}

/** Explains an error by what may be true all the same, where the API has no means to know. */
export const explainWhenUncertain =
  (summary: string, finding: Finding) =>
  (error: unknown): never => {
    throw isUncertain(error) ? new DatapipesError(error.code, summary, { finding, cause: error }) : error;
  };
