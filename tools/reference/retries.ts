import type { OperationKind } from "../../provider/src/api/document/operations";
import {
  BACKOFF,
  BUSY_DELAYS_MS,
  REPETITION,
  type Reaction,
  type Repetition,
} from "../../provider/src/api/http/repetition";
import { LAG_MS } from "../../provider/src/resources/pipe/list";
import { page, plain, table } from "./markdown";

export const RETRIES_PAGE = "docs/reference/retries.md";

const KINDS: Readonly<Record<OperationKind, string>> = {
  idempotent: "GET, PATCH, DELETE",
  create: "`createPipe`, `createReversePrivateEndpoint`",
};
const kinds = Object.keys(KINDS) as OperationKind[];

const failures: readonly Repetition[] = Object.values(REPETITION);

const WORDS: Readonly<Record<Reaction, string>> = {
  fail: "the error",
  retry: "sent again, at most `maxRetries` times",
  wait: "sent again, until the service has refused every request for `rateLimitTimeoutSeconds`",
  look: "not sent again; the list shows what `createPipe` has done",
};

/** The page of what is sent again, after which failure. */
export const retriesPage = (): string =>
  page(
    "# Retries",
    "<!-- Made by `npm run reference` from the table in provider/src/api/http/repetition.ts. Changes go there. -->",
    "What the provider does after a request has failed. [Decision 7](../decisions/0007-what-is-repeated.md) has the reasons.",
    table(
      ["Failure", ...Object.values(KINDS)],
      failures.map((failure) => [plain(failure.words), ...kinds.map((kind) => WORDS[failure[kind]])]),
    ),
    `**Lost creates.** After \`createPipe\` without an answer, the provider reads the list for up to ${seconds(LAG_MS)}. It takes the one new ` +
      "pipe with the same name, table and kind of source. If there is none, or several, the resource fails.",
    `**Backoff.** The first delay is ${seconds(BACKOFF.firstMs)}; it doubles up to ${seconds(BACKOFF.limitMs)}. Up to ${BACKOFF.jitter * 100} % of ` +
      `each is taken off at random. After a 429 it is at most ${BACKOFF.timeLeftShare * 100} % of what is left of \`rateLimitTimeoutSeconds\`. ` +
      `Answers with ${BACKOFF.afterStatusCodes.join(" and ")} may ask for a longer delay, which after a 503 is at most ${seconds(BACKOFF.maxRetryAfterMs)}. ` +
      `No retry starts when the attempts and delays of a request have taken ${seconds(BACKOFF.totalMs)}; refusals with 429, and the time in ` +
      "the rate limiter, do not count.",
    `**Table mappings.** A changed mapping takes two requests. If the service refuses the second with 409, the provider sends it again after ` +
      `${BUSY_DELAYS_MS.map((ms) => ms / 1000).join(", ")} s.`,
  );

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;
