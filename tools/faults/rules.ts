import { MAX_RETRIES } from "./fault-case";
import type { Row } from "./row";

/** A rule for rows; `breach` says how a row breaks it. */
interface Rule {
  readonly says: string;
  readonly breach: (row: Row) => string | undefined;
}

/** What an error tells the user to do. */
const NEXT_STEP = /\b(run|check|correct|compare|wait|raise|lower|look|give|name|set)\b/i;

/** The longest message, in characters, without what the server repeated of the request. */
const MAX_MESSAGE = 400;

const RUN_AGAIN = /\brun (the command|it|`pulumi \w+`) again\b/i;

const when = (broken: boolean, how: string): string | undefined => (broken ? how : undefined);

const isCreate = ({ phase, operation }: Row): boolean =>
  phase.name === "create" && operation.resource !== "settings";

/** Whether a retry, or a look at the list, is enough, so that the user need not do anything. */
function mustEndWell({ operation: { operationId }, faultCase }: Row): boolean {
  if (faultCase.nature === "harmless") return true;
  if (operationId === "createPipe" && faultCase.takesEffect && faultCase.nature !== "refused") return true;
  if (faultCase.persistent) return false;
  if (faultCase.nature === "busy") return true;
  if (operationId === "createPipe") return !["refused", "foreign"].includes(faultCase.nature);
  return operationId !== "createReversePrivateEndpoint" && faultCase.nature === "passing";
}

/** Whether the operation cannot end well. */
const mustFail = (row: Row): boolean =>
  !mustEndWell(row) && (row.faultCase.persistent || row.faultCase.nature === "refused");

/** Ids in the service that no resource manages and no message names. */
function unnamedDuplicates({ during, after }: Row): readonly string[] {
  const messages = [...during.lines, during.failure ?? "", ...after.lines].join("\n");
  if (messages.includes("may exist all the same")) return [];
  return after.existing.filter((id) => id !== after.stored && !messages.includes(id));
}

/** An endpoint that the server created although it refused the request: no operation could show it. */
const isHidden = ({ operation, faultCase }: Row): boolean =>
  operation.resource === "endpoint" && faultCase.nature === "refused" && faultCase.takesEffect;

const lengthOf = (message: string): number => message.replace(/\{.*\}( Basic \S+)?/, "").length;

/** All rules. */
export const rules: readonly Rule[] = [
  {
    says: "An operation ends well if a retry or the list of pipes shows that it is safe, and fails if nothing can be done.",
    breach: (row) =>
      when(mustEndWell(row) && row.during.failure !== undefined, "it failed, but could have ended well") ??
      when(mustFail(row) && row.during.failure === undefined, "it ended well, but cannot have"),
  },
  {
    says: "An error names the operation, the method and path, the status, and a next step. It is one message without a stack trace.",
    breach: ({ operation, during: { failure } }) => {
      if (failure === undefined) return undefined;
      const answer = / (answered \d{3}|got no answer)\b/.exec(failure);
      const rest = answer === null ? "" : failure.slice(answer.index + answer[0].length);
      return (
        when(!operation.attempt.test(failure), "the error does not name the operation") ??
        when(answer === null, "the error does not name the status") ??
        when(!NEXT_STEP.test(rest), "the error names no next step") ??
        when(/AxiosError|^\s+at /m.test(failure), "the error shows a stack trace")
      );
    },
  },
  {
    says: `A message has fewer than ${MAX_MESSAGE} characters, without what the server repeats of the request. A run that ends well never says to run the command again.`,
    breach: ({ during: { failure, lines }, after }) => {
      const longest = Math.max(0, ...[failure ?? "", ...lines, ...after.lines].map(lengthOf));
      const ended = [...(failure === undefined ? lines : []), ...after.lines];
      return (
        when(longest >= MAX_MESSAGE, `a message has ${longest} characters`) ??
        when(
          ended.some((line) => RUN_AGAIN.test(line)),
          "a run that ended well says to run the command again",
        )
      );
    },
  },
  {
    says: "No output and no stored file has a secret in the clear, in any encoding.",
    breach: ({ leaks: [leak] }) => leak && `${leak.form} secret: ${leak.context}`,
  },
  {
    says: `The provider sends a request at most ${MAX_RETRIES + 1} times. It sends a POST that took effect once, the POST of a pipe once if the answer is not the API's, and the POST of an endpoint once unless the rate limit refused it.`,
    breach: ({ operation: { operationId }, faultCase, during: { counts } }) => {
      const sent = counts[operationId] ?? 0;
      const isSingle =
        (operationId === "createPipe" && (faultCase.takesEffect || faultCase.nature === "foreign")) ||
        (operationId === "createReversePrivateEndpoint" && faultCase.nature !== "busy");
      return when(sent > (isSingle ? 1 : MAX_RETRIES + 1), `sent ${sent} times`);
    },
  },
  {
    says: "If a second pipe exists, a message names its id. If a second endpoint may exist, which the API cannot list, a message says so. The exception is an endpoint that the server created although it refused the request.",
    breach: (row) =>
      when(row.during.existing.length > 1, "two exist after the run") ??
      when(
        unnamedDuplicates(row).length > 0 && !isHidden(row),
        "two exist after the next run, and no message names the second",
      ),
  },
  {
    says: "The state has the id of everything that was created successfully, and keeps the id of what existed before.",
    breach: (row) => {
      const { existing, stored, failure } = row.during;
      if (isCreate(row) && failure !== undefined)
        return when(stored !== undefined, "a failed create is in the state");
      return when(stored === undefined || !existing.includes(stored), "the state does not have the id");
    },
  },
  {
    says: "The next run of the same command ends well, the service then has what the program declares under one id, and the preview after it is empty. After a refresh of a service that normalizes fields, one update may come before.",
    breach: ({ after, corrections, faultCase: { profile }, previewIsEmpty }) =>
      when(after.failure !== undefined, `the next run failed: ${after.failure ?? ""}`) ??
      when(after.stored === undefined || !after.existing.includes(after.stored), "the state lost the id") ??
      when(!after.asDeclared, "the service does not have what is declared") ??
      when(corrections > (profile === undefined ? 0 : 1), `${corrections} updates after the refresh`) ??
      when(!previewIsEmpty, "the preview afterwards is not empty"),
  },
];

/** How a row breaks the rules; empty when all of them hold. */
export const breaches = (row: Row): readonly string[] => rules.flatMap(({ breach }) => breach(row) ?? []);
