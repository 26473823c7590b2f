import { STATUS_CODES } from "node:http";
import {
  isDatapipesError,
  type ApiAnswer,
  type ConnectionProblem,
  type DatapipesError,
  type Finding,
} from "./errors";

/**
 * A sentence, or one for each operation or verb of an operation's name, or for a replacement; `other` is for the
 * rest.
 */
export type NextStep = string | { readonly other: NextStep; readonly [operation: string]: NextStep };

const RETAIN = {
  // The replaced resource counts as deleted in the state although it exists: the next run would create one more,
  // whatever the program declares.
  replacement:
    "To keep it, run `pulumi state delete <URN of the resource>`, and set adopt to its id, with the old values; to replace it, delete it in the service's console and run `pulumi up`.",
  // Without `--target`, the run would create again what a stopped `pulumi destroy` has left unmanaged; with a change,
  // it would replace.
  other: 'Declare it unchanged with deletionPolicy: "retain" and run `pulumi up --target <URN>`.',
};
const CHECK_KEY =
  "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key";
const REFRESH = "Run `pulumi refresh`, which finds out whether it still exists.";
const NOT_OFFERED = "Check datapipes:baseUrl: the server there does not offer this operation.";
const TOO_LARGE = "Declare less in one resource: the server does not accept a request of this size.";
const NO_REASON = "Compare the arguments with the API document: the error shows no reason.";

/** While the replaced resource is in the stack, `adopt` has no effect: the next run would create one more. */
function adoptionStep(when: string, addition?: string) {
  const end = addition === undefined ? "." : `; ${addition}.`;
  return {
    replacement: `${when} run \`pulumi state delete <URN of the resource>\` and set adopt to its id${end}`,
    other: `${when} set adopt to its id${end}`,
  };
}

/** All next steps. A message ends with at most one of them. */
export const NEXT_STEPS = {
  // The outcome of a `createPipe` is unknown. A second `createPipe` could create a second pipe: no step repeats it.
  "several-pipes-appeared": adoptionStep(
    "Check in the service's console which one belongs to this program, and",
    "others may belong to another client",
  ),
  "not-created": "Before the next run, check in the service's console that no such pipe has appeared since.",

  // The outcome of another write is unknown.
  "may-exist": adoptionStep("Check in the service's console whether it exists: if so,"),
  "may-be-deleted": "The next run repeats the request.",
  "may-be-updated": "Run `pulumi refresh`, which shows whether it was, then `pulumi up`.",
  "pipe-not-listed": REFRESH,
  "perhaps-done": "Wait until the API responds again; the next run repeats the request.",
  "perhaps-done-once": "Before the next run, check in the service's console whether it was created.",

  // Other findings.
  "deletion-refused": RETAIN,
  "pipe-failed": "Check in the service's console why it failed.",
  "state-not-reached": "Check waitFor.states and the pipe, then run `pulumi up`, which resumes waiting.",
  "custom-timeout-passed":
    "Raise customTimeouts, or check waitFor.states and the pipe; then run `pulumi up`, which resumes waiting.",
  "nothing-to-adopt":
    "Check adopt, organizationId and serviceId. If the pipe was deleted, remove adopt and declare the credentials.",
  "not-adoptable": "Declare the values that the pipe has, or leave the field out.",
  "no-such-resource": "Check the id, organizationId and serviceId.",
  "no-such-pipe": "Check the id or name, organizationId and serviceId.",
  "several-pipes-of-name": "Pass the id of one of them.",
  "no-settings":
    "Check pipeId, organizationId and serviceId; pipes that read from postgres have no settings.",
  "settings-not-known": "Use the Output form of the function, which waits.",
  "impossible-id": "Check the ids in the program.",

  // The API's answers.
  "refused-with-reason": "Correct what the server objects to.",
  "refused-without-reason": {
    create: NO_REASON,
    update: NO_REASON,
    delete: RETAIN,
    getPipeSettings: "Check the id of the pipe, organizationId and serviceId.",
    other: "Check organizationId and serviceId.",
  },
  401: {
    listPipes: `${CHECK_KEY}; after a change in the configuration, add --run-program to \`pulumi refresh\`.`,
    other: `${CHECK_KEY}.`,
  },
  402: "Check the plan of the organization: the API requires a payment.",
  403: "Give the API key the permission for this operation, or use another key.",
  404: {
    updatePipe: REFRESH,
    delete: RETAIN,
    other: "Check that organizationId and serviceId name a service that exists.",
  },
  405: NOT_OFFERED,
  501: { delete: RETAIN, other: NOT_OFFERED },
  407: "Check the proxy of the environment: it requires credentials.",
  409: {
    // Not "the next run repeats it": after a lost answer, the pipe may exist.
    create: "Wait until other changes of the service have ended.",
    other: "Wait until the other change has ended; the next run repeats the request.",
  },
  "name-taken": "Choose another name.",
  413: {
    create: TOO_LARGE,
    update: TOO_LARGE,
    delete: RETAIN,
    other: "Check datapipes:baseUrl and any proxy: the request has no body.",
  },
  424: "Start the service: it is idle or stopped.",
  429: "Lower datapipes:rateLimit, or run fewer deployments with this key at a time.",
  "server-error": "Wait until the server has recovered; the next run repeats the request.",
  redirect: "Check datapipes:baseUrl: the provider does not follow redirects.",
  "unexpected-status": "Check datapipes:baseUrl.",
  "html-page":
    "Check datapipes:baseUrl: an HTML page comes from a gateway or from another server, not from the API.",
  "invalid-response": "Check that datapipes:baseUrl is the address of the API itself.",

  // No answer.
  "host-not-found": "The host name was not found: check datapipes:baseUrl and DNS.",
  "no-name-service": "The DNS server did not respond: check the network.",
  cancelled: "Run the same command again to do the rest.",
  "custom-timeout": "Raise customTimeouts, then run the command again.",
  "connection-refused": "No server listens there: check the host and port of datapipes:baseUrl.",
  unreachable: "The network has no route to the server: check the network and datapipes:baseUrl.",
  "not-reached-in-time":
    "The connection to the server timed out: check the network, any firewall and any proxy.",
  "no-answer-in-time": "Raise datapipes:requestTimeoutSeconds.",
  certificate:
    "Node.js did not accept the server's certificate: check datapipes:baseUrl and NODE_EXTRA_CA_CERTS.",
  tls: "The TLS handshake failed: check whether datapipes:baseUrl should begin with https, and any proxy.",
  "not-http": "The response is not HTTP: check the port of datapipes:baseUrl.",
  other: "Check the network and datapipes:baseUrl.",
} satisfies Record<Finding | Exclude<ConnectionProblem, "connection-reset">, NextStep> &
  Record<string, NextStep>;

type StepName = keyof typeof NEXT_STEPS;

/** What the message of an error has to say about the operation that failed. */
export interface FailedOperation {
  /** The noun for the resource that it created all the same. */
  readonly inStack?: string | undefined;
  /** It was to replace a resource, which is still in the stack. */
  readonly isReplacement?: boolean;
}

/** An error for the user: what failed, from the first cause on, and one next step. */
export function render(error: unknown, { inStack, isReplacement = false }: FailedOperation = {}): string {
  if (!isDatapipesError(error)) return error instanceof Error ? error.message : String(error);
  const stays = inStack === undefined ? "" : `The ${inStack} stays in the stack.`;
  return joined([...summariesOf(error), stays, nextStepOf(error, isReplacement)]);
}

/** As `render`, with the next step apart; it may be empty. */
export const renderParts = (
  error: DatapipesError,
): { readonly summary: string; readonly nextStep: string } => ({
  summary: joined(summariesOf(error)),
  nextStep: nextStepOf(error, false),
});

const joined = (sentences: readonly string[]): string =>
  sentences
    .filter((sentence) => sentence !== "")
    .reduce((text, sentence) => `${text}${text.endsWith("\n") ? "" : " "}${sentence}`);

const summariesOf = ({ cause, summary }: DatapipesError): readonly string[] =>
  cause === undefined ? [summary] : [...summariesOf(cause), summary];

function nextStepOf({ code, answer, finding, cause }: DatapipesError, isReplacement: boolean): string {
  if (finding === undefined && cause !== undefined) return nextStepOf(cause, isReplacement);
  const failure = finding ?? (code === "invalid-response" ? code : failureOf(answer));
  if (failure === undefined) return "";
  const { operation = "" } = answer;
  const [verb = ""] = /^[a-z]+/.exec(operation) ?? [];
  return sentenceOf(NEXT_STEPS[failure], [...(isReplacement ? ["replacement"] : []), operation, verb]);
}

/** The sentence of a next step for the first of these keys that it has. */
function sentenceOf(step: NextStep, keys: readonly string[]): string {
  if (typeof step === "string") return step;
  const [key = "other"] = keys.filter((each) => step[each] !== undefined);
  return sentenceOf(step[key] ?? step.other, keys);
}

function failureOf(answer: ApiAnswer): StepName | undefined {
  const { status, connection, isPage } = answer;
  const isRepeatable = !answer.operation?.startsWith("create");
  const perhapsDone = isRepeatable ? "perhaps-done" : "perhaps-done-once";
  if (connection !== undefined) return connection === "connection-reset" ? perhapsDone : connection;
  if (status === undefined) return undefined;
  if (isPage === true && status >= 400 && status < 500) return "html-page";
  if (status === 400 || status === 422)
    return saysWhy(answer) ? "refused-with-reason" : "refused-without-reason";
  if (status === 409 && isAboutName(answer)) return "name-taken";
  if (status in NEXT_STEPS) return status as StepName;
  if (status === 410) return 404;
  if (status === 423) return 409;
  if (status === 408 || status === 499) return perhapsDone;
  if (status >= 300 && status < 400) return "redirect";
  if (status < 500) return "unexpected-status";
  return isRepeatable ? "server-error" : perhapsDone;
}

/** Whether a server's words say more than its status does. */
const saysWhy = ({ status = 0, words = "" }: ApiAnswer): boolean =>
  !["", lettersOf(STATUS_CODES[status] ?? "")].includes(lettersOf(words));

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** A conflict of names. Other conflicts end by themselves. */
const NAME_IS_TAKEN = /\bnames?\b|(?<!\bnot )\bexists?\b|\bin use\b/i;

const isAboutName = ({ operation, words = "" }: ApiAnswer): boolean =>
  operation === "createPipe" && NAME_IS_TAKEN.test(words);
