import { FAILURES, type Reaction } from "../../provider/src/api/http/failures";
import { MAX_DELAY_OF_503_MS } from "../../provider/src/api/http/retry-after";
import { JITTER, LONGEST_DELAY_MS } from "../../provider/src/api/http/send";
import { OPERATIONS, type OperationKind, type OperationName } from "../../provider/src/api/operations";
import type { Declarations } from "./declarations";
import { page, plain, table } from "./markdown";

const KINDS: readonly OperationKind[] = ["read", "idempotent", "create"];

const operationsOf = (kind: OperationKind): string =>
  (Object.keys(OPERATIONS) as OperationName[])
    .filter((name) => OPERATIONS[name].kind === kind)
    .map((name) => `\`${name}\``)
    .join(", ");

/** The page of what the provider does after each failure. */
export const retriesPage = (sources: Declarations): string =>
  page(
    "# Retries",
    "<!-- Made by `npm run reference` from the table in provider/src/api/http/failures.ts. Changes go there. -->",
    "This page lists what the provider does after a failed request. [Decision 7](../decisions/0007-what-is-repeated.md) has the reasons.",
    table(
      ["Failure", ...KINDS],
      Object.entries(FAILURES).map(([name, failure]) => [
        plain(sources.commentAt("FAILURES", [name])?.text ?? `${name} has no doc comment`),
        ...KINDS.map((kind) => wordsOf(failure[kind])),
      ]),
    ),
    KINDS.map((kind) => `- **${kind}**: ${operationsOf(kind)}`).join("\n"),
    `**Delays.** Each delay is twice the one before, and up to ${JITTER * 100} % of it is subtracted at random. A response ` +
      "with 429 or 503 may ask for a longer delay, " +
      `which after a 503 is at most ${seconds(MAX_DELAY_OF_503_MS)}.`,
    "**Wait.** The provider waits as long as the response asks, and at most twice as long. Where the response does not " +
      "say how long, each wait is about twice the one before. After that, the process sends requests at a lower rate until " +
      "the service has accepted several. The request fails when the service has refused every request for " +
      "`rateLimitTimeoutSeconds`.",
    "**Look.** The request may have been carried out and is not sent again. After `createPipe`, the provider takes the " +
      "one new pipe in the list that has the same name, table and kind of source. If there is none, or several, the " +
      "resource fails.",
  );

function wordsOf(reaction: Reaction): string {
  switch (reaction.action) {
    case "fail":
      return "fail";
    case "retry":
      return `retry ${limitOf(reaction.limit)}, after ${reaction.firstMs / 1000} to ${seconds(LONGEST_DELAY_MS)}`;
    case "wait":
      return "wait, until `rateLimitTimeoutSeconds`";
    case "look":
      return `look, for ${seconds(reaction.limitMs)}`;
  }
}

const limitOf = (limit: string | number): string =>
  typeof limit === "number" ? `${limit} times` : `\`${limit}\` times`;

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;
