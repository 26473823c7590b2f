import { STATUS_CODES } from "node:http";
import type { DatapipesErrorCode } from "../errors";
import type { Operation } from "./operations";

/** What of an operation decides what to do when it fails. */
type Failed = Pick<Operation, "name" | "method" | "repeatable">;

const CODES: Readonly<Record<number, DatapipesErrorCode>> = {
  400: "bad-request",
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  405: "method-not-allowed",
  409: "conflict",
  413: "bad-request",
  422: "bad-request",
  424: "service-idle",
  429: "rate-limited",
};

/** What a status means. */
export const codeOf = (status: number): DatapipesErrorCode =>
  CODES[status] ?? (status >= 500 ? "server-error" : "unexpected-status");

const NOT_OFFERED = "Check datapipes:baseUrl: the server there does not offer this operation.";

/** Next steps that are the same for every operation. */
const NEXT_STEPS: Readonly<Record<number, string>> = {
  401: "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key.",
  402: "Check the plan of the organization: the API asks for a payment.",
  403: "Give the key the permission for this, or use another key.",
  405: NOT_OFFERED,
  407: "Check the proxy of the environment: it asks for a credential.",
  424: "Start the service: it is idle or stopped.",
  429: "Lower datapipes:rateLimit, or run fewer deployments with this key at a time.",
};

const TOO_LARGE = "Declare less in one resource: the server does not take a request of this size.";
const LEAVE_IT = 'Set deletionPolicy: "retain" to leave it as it is';
const CHECK_SERVICE = "Check that organizationId and serviceId name a service that exists.";

/** Statuses that mean the same as one that is known better, as far as the next step goes. */
const LIKE: Readonly<Record<number, number>> = { 410: 404, 422: 400, 423: 409, 499: 408 };

/** Operations on something that a refresh finds or misses. */
const OF_ONE_PIPE: ReadonlySet<string> = new Set(["updatePipe", "getPipeSettings", "deletePipe"]);

/** What to do next after an answer that is no success. `words` are what the server says of it. */
export function nextStepAfter(answered: number, operation: Failed, words: string): string {
  const status = LIKE[answered] ?? answered;
  const known = NEXT_STEPS[status];
  if (known !== undefined) return known;
  if (status === 400 || status === 413) return correction(answered, operation, words);
  if (status === 404) return whenMissing(operation);
  if (status === 409) return whenBusy(operation, words);
  if (status === 501)
    return isDelete(operation) ? `${LEAVE_IT}: the server does not delete it.` : NOT_OFFERED;
  if (status >= 500) return isRepeatable(operation) ? SERVER_FAILED : nextStepWhenUncertain(operation);
  if (status === 408) return nextStepWhenUncertain(operation);
  if (status >= 300 && status < 400) return "Redirects are not followed: check datapipes:baseUrl.";
  return "Check datapipes:baseUrl.";
}

const isDelete = ({ method }: Failed): boolean => method === "DELETE";

/** Only a request with a body can have too much in it, or an argument that is wrong. */
function correction(status: number, operation: Failed, words: string): string {
  const { name, method } = operation;
  const hasBody = method === "POST" || method === "PATCH";
  if (status === 413 && hasBody) return TOO_LARGE;
  if (status !== 413 && saysWhy(status, words)) return "Correct what the server objects to.";
  if (isDelete(operation)) return `${LEAVE_IT}: the server gives no reason why it does not delete it.`;
  if (hasBody) return "The server gives no reason: compare the arguments with the API document.";
  if (status === 413) return "Check datapipes:baseUrl and any proxy: the request has no body.";
  return name === "getPipeSettings"
    ? "Check the id of the pipe, organizationId and serviceId."
    : "Check organizationId and serviceId.";
}

function whenMissing({ name }: Failed): string {
  if (OF_ONE_PIPE.has(name)) return "Run `pulumi refresh`, which finds out whether it still exists.";
  // A refresh cannot see endpoints.
  return name === "deleteReversePrivateEndpoint"
    ? `${LEAVE_IT}: the server does not know it.`
    : CHECK_SERVICE;
}

function whenBusy({ name, method }: Failed, words: string): string {
  if (name === "createPipe" && NAME_IS_TAKEN.test(words)) return "Choose another name.";
  // That the next run repeats it is no comfort: a create whose first answer was lost may have made its pipe.
  return method === "POST"
    ? "Wait until other changes of the service have ended."
    : "Wait until the other change has ended; the next run repeats the request.";
}

/** Words of a conflict that is about the name. Other conflicts end by themselves. */
const NAME_IS_TAKEN = /\bnames?\b|(?<!\bnot )\bexists?\b|\bin use\b/i;

/** Whether a server's words say more than its status does. */
const saysWhy = (status: number, words: string): boolean =>
  !["", lettersOf(STATUS_CODES[status] ?? "")].includes(lettersOf(words));

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const WAIT = "Wait until the API answers again; the next run repeats the request.";
const SERVER_FAILED = "The server had an error: wait a little; the next run repeats the request.";

const isRepeatable = ({ repeatable }: Failed): boolean => repeatable === "after-any-failure";

/** What to do next after a failure that leaves open whether the request was carried out. */
export function nextStepWhenUncertain(operation: Failed): string {
  const { name, method } = operation;
  if (method === "POST") return "Before the next run, look in the service's console whether it was created.";
  // No message says "run the command again": in the same run, a create may have asked to look first.
  if (isRepeatable(operation)) return WAIT;
  return name === "updatePipe"
    ? "Run `pulumi refresh`, then `pulumi up`."
    : "Before the next run, look in the service's console at what was changed.";
}

/** What to do when the answer is not the API's. */
export const CHECK_BASE_URL = "Check that datapipes:baseUrl is the address of the API itself.";

/** What to do when a page for people came back in place of the API's own words. */
export const PAGE_HINT =
  "Check datapipes:baseUrl: an HTML page comes from a gateway or from another server, not from the API.";

/** Why a request has no answer: what to do, and what is certain about it. */
export interface ConnectionProblem {
  /** What to do. Without it, the request may have been carried out, and the operation decides. */
  readonly hint?: string;
  /** The server certainly saw nothing of the request. */
  readonly neverArrived?: true;
  /** To try again by oneself would only fail again. */
  readonly lasting?: true;
}

const CERTIFICATE: ConnectionProblem = {
  hint: "The server's certificate was not accepted: check datapipes:baseUrl and NODE_EXTRA_CA_CERTS.",
  // This side checks it before it sends anything.
  neverArrived: true,
  lasting: true,
};
const NO_TLS: ConnectionProblem = {
  hint: "The TLS handshake failed: check whether datapipes:baseUrl should begin with https, and any proxy.",
  lasting: true,
};
const NO_ROUTE: ConnectionProblem = {
  hint: "The network has no route to the server: check the network and datapipes:baseUrl.",
  neverArrived: true,
};
const TOO_SLOW: ConnectionProblem = { hint: "Raise datapipes:requestTimeoutSeconds." };

const CONNECTION_PROBLEMS: Readonly<Record<string, ConnectionProblem>> = {
  ENOTFOUND: {
    hint: "The host name was not found: check datapipes:baseUrl and the name service (DNS).",
    neverArrived: true,
  },
  EAI_AGAIN: {
    hint: "The name service (DNS) did not answer: check the network.",
    neverArrived: true,
  },
  ECONNREFUSED: {
    hint: "Nothing listens there: check the host and port of datapipes:baseUrl.",
    neverArrived: true,
  },
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ECONNRESET: {},
  ERR_BAD_RESPONSE: {},
  ETIMEDOUT: { hint: "The server was not reached in time: check the network, a firewall or a proxy." },
  ERR_CANCELED: TOO_SLOW,
  ECONNABORTED: TOO_SLOW,
};

/** What is known of a connection that gave no answer. */
export function connectionProblem(code: string): ConnectionProblem {
  const known = CONNECTION_PROBLEMS[code];
  if (known !== undefined) return known;
  if (/CERT|SELF_SIGNED|VERIFY/.test(code)) return CERTIFICATE;
  if (/^EPROTO$|SSL|TLS/.test(code)) return NO_TLS;
  if (code.startsWith("HPE_"))
    return { hint: "What came back is not HTTP: check the port of datapipes:baseUrl." };
  return { hint: "Check the network and datapipes:baseUrl." };
}
