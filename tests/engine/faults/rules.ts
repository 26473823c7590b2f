import type { Row } from "./run";
import { MAX_RETRIES } from "./scenarios";

/** How a row breaks a rule. */
type Rule = (row: Row) => readonly (string | false | undefined)[];

/** How an error begins, by the request that failed. */
const ATTEMPTS: Readonly<Record<string, RegExp>> = {
  createPipe: /^create pipe "pipe-\d+" failed: POST \S+\/pipes /,
  createReversePrivateEndpoint:
    /^create reverse private endpoint(?: ".*")? failed: POST \S+\/pipesReversePrivateEndpoints /,
  updatePipe: /^update pipe (?:\S+|"pipe-\d+" \(\S+\)) failed: PATCH \S+\/pipes\/\S+ /,
  updateService: /^update service \S+ failed: PATCH \S+ /,
  listPipes: /^list the pipes of service \S+ failed: GET \S+\/pipes /,
};

/** What an error says of the answer, and what it tells the user to do after that. */
const STATUS = / (returned \d{3}|got no response)\b/;
const NEXT_STEP =
  / (returned \d{3}|got no response)\b[^]*\b(run|check|correct|compare|wait|raise|lower|look|give|name|set)\b/i;

/** What the server repeats of the request, of which an error may show the beginning only. */
const REPEATED = /\{.*\} Basic \S+|\{[^…]*…(?= )|\{.*\}/;

/** The longest message, in characters, without what the server repeated of the request. */
const MAX_MESSAGE = 400;

const RUN_AGAIN = /\brun (the command|it|`pulumi \w+`) again\b/i;

/** Whether a retry, or a look at the list, is enough, so that the user need not do anything. */
function mustEndWell({ operation: { request }, scenario }: Row): boolean {
  const { nature, takesEffect, persistent } = scenario;
  if (nature === "harmless") return true;
  if (request === "createPipe" && takesEffect) return nature !== "refused";
  if (persistent) return false;
  if (nature === "busy") return true;
  return request !== "createPipe" && request !== "createReversePrivateEndpoint" && nature === "passing";
}

/** Whether the operation cannot end well. */
const mustFail = (row: Row): boolean =>
  !mustEndWell(row) &&
  (row.scenario.persistent || row.scenario.nature === "refused" || row.operation.request === "createPipe");

/** Whether a thing exists that no resource manages and no message names. */
function hasUnnamedDuplicate({ operation, scenario, during, next }: Row): boolean {
  // No operation could show an endpoint that the server created although it refused the request.
  if (operation.kind === "endpoint" && scenario.nature === "refused" && scenario.takesEffect) return false;
  const messages = [...during.lines, during.failure ?? "", ...next.lines].join("\n");
  if (messages.includes("may have created")) return false;
  return next.existing.some((id) => id !== next.stored && !messages.includes(id));
}

/** How often the provider may send the request that the fault hits. Refusals by the rate limit do not count. */
function mostRequests({ operation: { request }, scenario: { nature } }: Row): number {
  if (nature === "busy") return Infinity;
  return request.startsWith("create") ? 1 : MAX_RETRIES + 1;
}

const hasId = ({ stored, existing }: Row["next"]): boolean =>
  stored !== undefined && existing.includes(stored);

/** What must hold. */
const RULES: readonly Rule[] = [
  // An operation ends well if a retry is safe or the list shows the new pipe, and fails if nothing can be done.
  (row) => [
    mustEndWell(row) && row.during.failure !== undefined && "it failed, but could have ended well",
    mustFail(row) && row.during.failure === undefined && "it ended well, but cannot have",
  ],
  // An error names the operation, the method and path, the status, and a next step. It is one message without a
  // stack trace.
  ({ operation: { request }, during: { failure } }) =>
    failure === undefined
      ? []
      : [
          ATTEMPTS[request]?.test(failure) !== true && "the error does not name the operation",
          !STATUS.test(failure) && "the error does not name the status",
          !NEXT_STEP.test(failure) && "the error names no next step",
          /AxiosError|^\s+at /m.test(failure) && "the error shows a stack trace",
        ],
  // A message has fewer than 400 characters, without what the server repeats of the request. A run that ends well
  // never says to run the command again.
  ({ during: { failure, lines }, next }) => [
    ...[failure ?? "", ...lines, ...next.lines]
      .map((message) => message.replace(REPEATED, ""))
      .map((text) => text.length >= MAX_MESSAGE && `a message has ${text.length} characters: ${text}`),
    [...(failure === undefined ? lines : []), ...next.lines].some((line) => RUN_AGAIN.test(line)) &&
      "a run that ended well says to run the command again",
  ],
  // No output and no stored file has a secret in the clear, in any encoding.
  ({ leaks }) => leaks.map(({ form, context }) => `${form} secret: ${context}`),
  // The provider sends a request at most 3 times, and a POST that creates once, apart from those that the rate limit
  // refuses.
  (row) => {
    const sent = row.during.requests.filter((request) => request === row.operation.request).length;
    return [sent > mostRequests(row) && `sent ${sent} times`];
  },
  // If a second pipe exists, a message names its id. If a second endpoint may exist, which the API cannot list, a
  // message says so. The exception is an endpoint that the server created although it refused the request.
  (row) => [
    row.during.existing.length > 1 && "two exist after the run",
    hasUnnamedDuplicate(row) && "two exist after the next run, and no message names the second",
  ],
  // The state has the id of everything that was created successfully, and keeps the id of what existed before.
  ({ operation, during }) =>
    operation.command === "create" && during.failure !== undefined
      ? [during.stored !== undefined && "a failed create is in the state"]
      : [!hasId(during) && "the state does not have the id"],
  // The next run of the same command ends well, the service then has what the program declares under one id, and the
  // preview after it is empty. After a refresh of a service that normalizes fields, one update may come before.
  ({ next, corrections, scenario: { profile }, previewIsEmpty }) => [
    next.failure !== undefined && `the next run failed: ${next.failure}`,
    !hasId(next) && "the state lost the id",
    !next.asDeclared && "the service does not have what is declared",
    corrections > (profile === undefined ? 0 : 1) && `${corrections} updates after the refresh`,
    !previewIsEmpty && "the preview afterwards is not empty",
  ],
];

/** How a row breaks the rules; empty when all of them hold. */
export const breachesOf = (row: Row): readonly string[] =>
  RULES.flatMap((breaches) => breaches(row)).filter((text) => typeof text === "string");
