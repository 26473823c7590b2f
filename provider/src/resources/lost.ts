import { mayBeDone } from "../api/http/failures";
import { DatapipesError, isDatapipesError, type Finding } from "../messages/errors";

/** Adds to an error what may be true if the request may have been carried out, for objects that the API cannot read. */
export const explainLost =
  (summary: string, finding: Finding) =>
  (error: unknown): never => {
    throw isDatapipesError(error) && mayBeDone(error)
      ? new DatapipesError(error.code, summary, { finding, cause: error })
      : error;
  };
