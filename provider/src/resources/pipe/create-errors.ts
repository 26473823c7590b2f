import { DatapipesError } from "../../messages/errors";
import type { ListedPipe } from "./observed";
import type { DoubtfulPipe } from "./candidates";

/** A repeated POST created a pipe, and the first one, whose answer was lost, created a pipe too. */
export class DuplicatePipeError extends DatapipesError {
  constructor(
    readonly pipe: ListedPipe,
    others: readonly ListedPipe[],
  ) {
    super(
      "conflict",
      `create pipe ${JSON.stringify(pipe.name)} (${pipe.id}): the provider sent the request again, because an earlier response was lost and ` +
        `the list did not have the pipe. The service now also has ${idsOf(others)}, with the same name. All of them load the same data.`,
      { answer: { operation: "createPipe" }, finding: "second-pipe-created" },
    );
  }
}

const idsOf = (pipes: readonly ListedPipe[]): string => pipes.map(({ id }) => id).join(", ");

/** Several pipes may be the one that the request created. */
export const severalPipesAppeared = (pipes: readonly ListedPipe[], cause: DatapipesError): DatapipesError =>
  new DatapipesError(
    "conflict",
    `Since then, several pipes of this name have appeared: ${idsOf(pipes)}. The provider adopted none of them.`,
    { cause, finding: "several-pipes-appeared" },
  );

/** The list shows that no request has created a pipe. One without an answer may still do so. */
export const notCreated = (cause: DatapipesError, sent: number): DatapipesError =>
  new DatapipesError(
    cause.code,
    `The provider sent the request ${sent === 1 ? "once" : `${sent} times`}, and the list of the service has no new pipe of this name.`,
    { cause, finding: "not-created" },
  );

/** Another provider instance of the run looked for a pipe like this one, and found it before this request was answered. */
export const takenByOther = ({ id, name }: ListedPipe): DatapipesError =>
  new DatapipesError(
    "conflict",
    `create pipe ${JSON.stringify(name)} failed: another Provider of this program already manages the pipe ${id}, which the API returned.`,
    { answer: { operation: "createPipe" }, finding: "not-created" },
  );

/** The request may have created its pipe, and the list cannot be read. */
export const mayExist = (cause: DatapipesError, listError: DatapipesError): DatapipesError =>
  new DatapipesError(
    cause.code,
    `The API may have created the pipe: the provider cannot read the list (${listError.reason}).`,
    { cause, finding: "may-exist" },
  );

/** A pipe that matches may be another client's: neither adopting it nor sending the POST again is safe. */
export const similarPipeAppeared = (pipes: readonly DoubtfulPipe[], cause: DatapipesError): DatapipesError =>
  new DatapipesError(
    "conflict",
    `The list now has a similar pipe that this request may not have created: ` +
      `${pipes.map(({ pipe, doubt }) => `${pipe.id} (${doubt})`).join(", ")}. The provider did not adopt it.`,
    { cause, finding: "similar-pipe-appeared" },
  );

/** The API refused the request, but a gateway may have forwarded a copy of it that created this pipe. */
export const pipeAppeared = ({ id, name }: ListedPipe, cause: DatapipesError): DatapipesError =>
  new DatapipesError(cause.code, `Meanwhile, a pipe ${JSON.stringify(name)} has appeared: ${id}.`, {
    cause,
    finding: "pipe-appeared",
  });
