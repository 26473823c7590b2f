import type { OperationKind } from "../../provider/src/api/document/operations";
import {
  BACKOFF,
  LIST_LAG_MS,
  LIST_READS,
  LOOK_ONCE,
  REPETITION,
  type Reaction,
  type Repetition,
} from "../../provider/src/api/http/repetition";
import { page, plain, table } from "./markdown";

export const RETRIES_PAGE = "docs/reference/retries.md";

const KINDS: Readonly<Record<OperationKind, string>> = {
  idempotent: "GET, DELETE, idempotent update",
  edit: "edit",
  createPipe: "`createPipe`",
  createEndpoint: "`createReversePrivateEndpoint`",
};
const kinds = Object.keys(KINDS) as OperationKind[];

const failures: readonly Repetition[] = Object.values(REPETITION);

/** The page of what is sent again, after which failure. */
export function retriesPage(): string {
  const reactions = new Map<string, Reaction>();
  for (const failure of failures) for (const kind of kinds) reactions.set(failure[kind].words, failure[kind]);
  return page(
    "# Retries",
    "<!-- Made by `npm run reference` from the table in provider/src/api/http/repetition.ts. Changes go there. -->",
    "What the provider does after a request has failed. [Decision 7](../decisions/0007-what-is-repeated.md) has the reasons. An update is " +
      "_idempotent_ if each member sets a value (`name`, `columns`, `credentials`). An _edit_ is an update with `add` or `remove`, " +
      "`tableMappingsToAdd` or `tableMappingsToRemove`, or an encryption key to rotate.",
    table(
      ["Failure", ...Object.values(KINDS)],
      failures.map((failure) => [plain(failure.words), ...kinds.map((kind) => failure[kind].words)]),
    ),
    "These are the answers of the table:",
    table(
      ["Answer", "Sent again", "Delays"],
      [...reactions.values()].map((reaction) => [
        reaction.words,
        repeatsOf(reaction),
        plain(delaysOf(reaction)),
      ]),
    ),
    "`maxRetries` limits also how often `createPipe` is sent again after a look. " +
      `After the provider has sent \`createPipe\` again, any refusal is "${LOOK_ONCE.words}": the first request may have created the pipe.`,
    `**Backoff.** The first delay is ${seconds(BACKOFF.firstMs)}; it doubles up to ${seconds(BACKOFF.limitMs)}. Up to ${BACKOFF.jitter * 100} % of ` +
      `each is taken off at random. After a 429 it is at most ${BACKOFF.timeLeftShare * 100} % of what is left of \`rateLimitTimeoutSeconds\`. ` +
      `Answers with ${BACKOFF.afterStatusCodes.join(" and ")} may ask for a longer delay, which after a 503 is at most ${seconds(BACKOFF.maxRetryAfterMs)}. No retry starts when the attempts and delays of a request have taken ${seconds(BACKOFF.totalMs)}; ` +
      "refusals with 429, and the time in the rate limiter, do not count.",
    `**Lists.** A list of pipes may be as it was for ${seconds(LIST_LAG_MS)} after a write. If it ${LIST_READS.missing.words}, the provider reads it again after ` +
      `${listOf(LIST_READS.missing.delaysMs)} and, while it may be behind or incomplete, after ${listOf(LIST_READS.missing.laterMs)}. If it ` +
      `${LIST_READS.repeated.words}, after ${listOf(LIST_READS.repeated.delaysMs)}. Looks that wait at the same time share one request. A list that cannot be read is read again for ` +
      `at most ${seconds(LIST_READS.limitMs)}.`,
  );
}

function repeatsOf(reaction: Reaction): string {
  if (reaction.action === "fail" || reaction.action === "report") return "no";
  const { atMost } = reaction;
  if (atMost === "rateLimitTimeoutSeconds")
    return "until the service has served no request for `rateLimitTimeoutSeconds`";
  if (atMost === "maxRetries") return "at most `maxRetries` times";
  return atMost === 0 ? "no" : `at most ${atMost} times`;
}

function delaysOf(reaction: Reaction): string {
  switch (reaction.action) {
    case "fail":
      return "";
    case "report":
      return "one read of the list, at once; the error names a pipe that has appeared";
    case "retry":
      return reaction.delaysMs === "backoff" ? "backoff" : listOf(reaction.delaysMs);
    case "look": {
      const { delaysMs, laterMs = [] } = reaction;
      const later = laterMs.length === 0 ? "" : `; after the last request also ${listOf(laterMs)}`;
      return `a read after ${listOf(delaysMs)}${later}`;
    }
  }
}

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

const listOf = (delays: readonly number[]): string => `${delays.map((ms) => ms / 1000).join(", ")} s`;
