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

const CONNECTION_HINTS: Readonly<Record<string, string>> = {
  ENOTFOUND: "The host name was not found: check datapipes:baseUrl and the name service.",
  EAI_AGAIN: "The name service did not answer: check the network and run the command again.",
  ECONNREFUSED: "Nothing listens there: check the host and port of datapipes:baseUrl.",
  ECONNRESET: "The connection was cut: check the network and run the command again.",
  ETIMEDOUT: "The server was not reached in time: check the network, a firewall or a proxy.",
  ERR_CANCELED: "The answer took too long: raise datapipes:requestTimeoutSeconds or run the command again.",
  ECONNABORTED:
    "The server did not answer in time: raise datapipes:requestTimeoutSeconds or run the command again.",
};

/** What to do about a connection that gave no answer. */
export function connectionHint(code: string): string {
  if (/CERT|TLS|SSL|SELF_SIGNED|VERIFY/.test(code)) {
    return "The server's certificate was not accepted: check datapipes:baseUrl and NODE_EXTRA_CA_CERTS.";
  }
  return CONNECTION_HINTS[code] ?? "Check the network and datapipes:baseUrl, and run the command again.";
}
