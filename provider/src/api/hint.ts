import type { DatapipesErrorCode } from "../errors";

interface StatusMeaning {
  readonly code: DatapipesErrorCode;
  readonly hint: string;
}

const TRY_AGAIN =
  "The API may be overloaded; run the command again, and `pulumi refresh` first if it was a change.";

const MEANINGS: Readonly<Record<number, StatusMeaning>> = {
  400: { code: "bad-request", hint: "Correct the field that the server names." },
  401: {
    code: "unauthorized",
    hint: "Check datapipes:apiKeyId and datapipes:apiKeySecret, and that the key is active.",
  },
  403: {
    code: "forbidden",
    hint: "The key is known but may not do this: give it the permission, or use another key.",
  },
  404: {
    code: "not-found",
    hint: "Check datapipes:organizationId and datapipes:serviceId; if it was removed by hand, run `pulumi refresh`.",
  },
  405: { code: "method-not-allowed", hint: "This service does not offer the operation." },
  409: {
    code: "conflict",
    hint: "Another change is under way, or the name is taken; wait for it and run the command again.",
  },
  413: { code: "bad-request", hint: "The request is too large for the server." },
  422: { code: "bad-request", hint: "Correct the field that the server names." },
  424: {
    code: "service-idle",
    hint: "The service is idle or stopped: wake it up and run the command again.",
  },
  429: {
    code: "rate-limited",
    hint: "Lower datapipes:rateLimit, or run fewer deployments with this key at a time.",
  },
};

/** What a status means and what to do next. */
export function meaningOf(status: number): StatusMeaning {
  const known = MEANINGS[status];
  if (known !== undefined) return known;
  if (status >= 500) return { code: "server-error", hint: TRY_AGAIN };
  if (status >= 300 && status < 400) {
    return { code: "unexpected-status", hint: "Redirects are not followed: check datapipes:baseUrl." };
  }
  return { code: "unexpected-status", hint: "Check datapipes:baseUrl." };
}

/** What to do when a page for people came back in place of the API's own words. */
export const PAGE_HINT =
  "A page comes from a gateway or from another server, not from the API: check datapipes:baseUrl.";

/** Why a request has no answer: what to do, and what is certain about it. */
export interface ConnectionProblem {
  readonly hint: string;
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
  hint: "No common TLS is spoken there: check whether datapipes:baseUrl is to begin with https, and a proxy between.",
  lasting: true,
};
const NO_ROUTE: ConnectionProblem = {
  hint: "There is no way to the server: check the network and datapipes:baseUrl.",
  neverArrived: true,
};
const TOO_SLOW: ConnectionProblem = {
  hint: "Raise datapipes:requestTimeoutSeconds or run the command again.",
};

const CONNECTION_PROBLEMS: Readonly<Record<string, ConnectionProblem>> = {
  ENOTFOUND: {
    hint: "The host name was not found: check datapipes:baseUrl and the name service.",
    neverArrived: true,
  },
  EAI_AGAIN: {
    hint: "The name service did not answer: check the network and run the command again.",
    neverArrived: true,
  },
  ECONNREFUSED: {
    hint: "Nothing listens there: check the host and port of datapipes:baseUrl.",
    neverArrived: true,
  },
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ECONNRESET: { hint: "The connection was cut: check the network and run the command again." },
  ERR_BAD_RESPONSE: { hint: "The answer was cut short: check the network and run the command again." },
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
  return { hint: "Check the network and datapipes:baseUrl, and run the command again." };
}
