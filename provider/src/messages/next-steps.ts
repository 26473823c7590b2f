import { STATUS_CODES } from "node:http";
import { isDatapipesError } from "./errors";
import type { ApiAnswer, ConnectionProblem, DatapipesError, Finding } from "./errors";
import { shellWord } from "./shell-word";

/** What the commands of next steps have in place of the URN of the resource. */
const URN = "<URN of the resource>";

/** A sentence, or one for each operation or verb of an operation's name, or for a replacement. */
export type NextStep = string | { readonly other: NextStep; readonly [operation: string]: NextStep };

/**
 * The replaced resource counts as deleted in the state although it exists: the next run would create one more,
 * whatever the program declares.
 */
const KEEP_REPLACED =
  `To keep the old one, restore its arguments, run \`pulumi state delete ${URN}\` and set ` +
  `adopt to its ID; to replace it, delete it in the service's console and run \`pulumi up\`.`;
/**
 * Without `--target`, the run would create again what a stopped `pulumi destroy` has left unmanaged; with a change,
 * it would replace.
 */
const RETAIN = `Declare it with deletionPolicy: "retain" and no other change, and run \`pulumi up --target ${URN}\`.`;
const REFRESH = "Run `pulumi refresh`, which finds out whether it still exists.";
const CHECK_IDS = "Check the ID or name, organizationId and serviceId.";
const NOT_OFFERED = {
  delete: RETAIN,
  other: "Check datapipes:baseUrl: the server there does not offer this operation.",
};
/** While the replaced resource is in the stack, `adopt` has no effect: the next run would create one more. */
const adoptionStep = (when: string) => ({
  replacement: `${when} run \`pulumi state delete ${URN}\` and set adopt to the ID of the new one.`,
  other: `${when} set adopt to its ID.`,
});
const MAY_EXIST = adoptionStep("Check in the service's console whether it exists: if so,");
/** A part of it may be done already, and the service may refuse that part of the next one. */
const SEE_UPDATE = "Run `pulumi refresh`, which shows the fields of the pipe now, then `pulumi up`.";
const RECOVER = {
  create: MAY_EXIST,
  updatePipe: SEE_UPDATE,
  other: "Wait until the server has recovered; the next run repeats the request.",
};
const WAIT_FOR_OTHERS = "Wait until other changes to the service finish";
const RESUME =
  "Check waitFor.states and the state of the pipe, or raise the timeout; then run `pulumi up`, which resumes waiting.";
const CHECK_ADDRESS = "Check that datapipes:baseUrl is the address of the API itself.";
const CHECK_NETWORK = "Check the network, any firewall and proxy, and datapipes:baseUrl.";

/** All next steps, by what failed. A message ends with at most one of them. */
export const NEXT_STEPS = {
  // The outcome of a write is unknown. A second `createPipe` could create a second pipe: no step repeats it.
  "pipe-not-identified": adoptionStep(
    "Check in the service's console which one belongs to this program, and",
  ),
  "may-exist": MAY_EXIST,
  "may-be-deleted": "Run the same command again: it repeats the deletion.",
  "may-be-updated": SEE_UPDATE,

  // Other findings.
  "null-list": "Run the command again. If this repeats, check datapipes:baseUrl.",
  "deletion-refused": RETAIN,
  "pipe-failed": "Check in the service's console why it failed.",
  "state-not-reached": RESUME,
  "nothing-to-adopt":
    "Check adopt, organizationId and serviceId. If the pipe was deleted, remove adopt and declare the credentials.",
  "not-adoptable": "Declare the values that the pipe has, or remove these fields from the program.",
  "not-found": CHECK_IDS,
  "several-pipes-of-name": "Pass the ID of one of them.",

  // The API's answers.
  "refused-with-reason": {
    updatePipe:
      "Fix the problem that the server reports; if an earlier run has sent the change, run `pulumi refresh`.",
    other: "Fix the problem that the server reports.",
  },
  "refused-without-reason": {
    delete: RETAIN,
    get: CHECK_IDS,
    list: CHECK_IDS,
    other: "The server gave no reason: compare the arguments with the API document.",
  },
  401: "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key.",
  403: "Give the API key the permission for this operation, or use another key.",
  404: {
    updatePipe: REFRESH,
    delete: RETAIN,
    other: "Check datapipes:baseUrl, and that organizationId and serviceId name a service that exists.",
  },
  405: NOT_OFFERED,
  501: NOT_OFFERED,
  409: {
    createPipe: adoptionStep(`${WAIT_FOR_OTHERS}; if the service already has this pipe,`),
    other: `${WAIT_FOR_OTHERS}.`,
  },
  424: "Start the service: it is idle or stopped.",
  429: "Run fewer deployments with this API key at a time, or lower datapipes:rateLimit.",
  "server-error": RECOVER,
  redirect: "Check datapipes:baseUrl: the provider does not follow redirects.",
  "not-the-api": CHECK_ADDRESS,

  // No answer.
  "host-not-found": "The host name was not found: check datapipes:baseUrl and DNS.",
  cancelled: "Run the same command again to finish.",
  "custom-timeout": "Raise customTimeouts, then run the command again.",
  "connection-refused": "No server listens there: check the host and port of datapipes:baseUrl.",
  unreachable: CHECK_NETWORK,
  "not-reached-in-time": CHECK_NETWORK,
  "connection-reset": RECOVER,
  "no-answer-in-time": { updatePipe: SEE_UPDATE, other: "Raise datapipes:requestTimeoutSeconds." },
  certificate:
    "Node.js did not accept the server's certificate: check datapipes:baseUrl and NODE_EXTRA_CA_CERTS.",
  tls: "The TLS handshake failed: check that the server at datapipes:baseUrl uses https, and check any proxy.",
  "not-http": "The response is not HTTP: check the port of datapipes:baseUrl.",
  other: CHECK_NETWORK,
} satisfies Record<Finding | ConnectionProblem, NextStep> & Record<string, NextStep>;

type StepName = keyof typeof NEXT_STEPS;

/** What an error is about. */
interface Rendered {
  readonly inStack?: string | undefined;
  readonly isReplacement?: boolean;
  readonly urn?: string | undefined;
}

/** An error for the user: what failed, from the first cause on, and one next step. */
export function render(error: unknown, { inStack, isReplacement = false, urn }: Rendered = {}): string {
  const named = (step: string): string =>
    urn === undefined ? step : step.replaceAll(URN, () => shellWord(urn));
  if (!isDatapipesError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return isReplacement ? joined([message, named(KEEP_REPLACED)]) : message;
  }
  const stays = inStack === undefined ? "" : `The ${inStack} stays in the stack.`;
  return joined([summaryOf(error), stays, named(nextStepOf(error, isReplacement))]);
}

/** What failed, from the first cause on. */
export const summaryOf = ({ cause, summary }: DatapipesError): string =>
  cause === undefined ? summary : joined([summaryOf(cause), summary]);

const joined = (sentences: readonly string[]): string =>
  sentences
    .filter((sentence) => sentence !== "")
    .reduce((text, sentence) => `${text}${text.endsWith("\n") ? "" : " "}${sentence}`);

/** One step that helps, or an empty text. */
export function nextStepOf({ answer, finding, cause }: DatapipesError, isReplacement = false): string {
  if (finding === undefined && cause !== undefined) return nextStepOf(cause, isReplacement);
  const stepName = finding ?? stepNameOf(answer);
  if (stepName === undefined) return "";
  const { operation = "" } = answer;
  const [verb = ""] = /^[a-z]+/.exec(operation) ?? [];
  if (isReplacement && verb === "delete") return KEEP_REPLACED;
  return sentenceOf(NEXT_STEPS[stepName], [...(isReplacement ? ["replacement"] : []), operation, verb]);
}

/** The sentence of a next step for the first of these keys that it has. */
function sentenceOf(step: NextStep, keys: readonly string[]): string {
  if (typeof step === "string") return step;
  const [key = "other"] = keys.filter((each) => step[each] !== undefined);
  return sentenceOf(step[key] ?? step.other, keys);
}

function stepNameOf(answer: ApiAnswer): StepName | undefined {
  const { status = 0, connection, failure } = answer;
  if (connection !== undefined || failure === undefined) return connection;
  if (failure === "unreadable") return "not-the-api";
  if (failure === "lost" || failure === "server-error") return status === 501 ? 501 : "server-error";
  if (status < 400) return "redirect";
  if (status in NEXT_STEPS) return status as StepName;
  if (saysWhy(answer)) return "refused-with-reason";
  return [400, 413, 422].includes(status) ? "refused-without-reason" : "not-the-api";
}

/** Whether a server's words say more than its status does. */
const saysWhy = ({ status = 0, words = "" }: ApiAnswer): boolean =>
  !["", lettersOf(STATUS_CODES[status] ?? "")].includes(lettersOf(words));

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
