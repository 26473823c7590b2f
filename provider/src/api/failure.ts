import type { ConnectionProblem, DatapipesErrorCode } from "../errors";

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

const PROBLEMS: Readonly<Record<string, ConnectionProblem>> = {
  ENOTFOUND: "host-not-found",
  EAI_AGAIN: "no-name-service",
  ECONNREFUSED: "connection-refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ECONNRESET: "connection-reset",
  ERR_BAD_RESPONSE: "connection-reset",
  ETIMEDOUT: "not-reached-in-time",
  ERR_CANCELED: "no-answer-in-time",
  ECONNABORTED: "no-answer-in-time",
};

/** What the code of a connection without an answer means, as Node and axios name it. */
export function connectionProblem(code: string): ConnectionProblem {
  const known = PROBLEMS[code];
  if (known !== undefined) return known;
  if (/CERT|SELF_SIGNED|VERIFY/.test(code)) return "certificate";
  if (/^EPROTO$|SSL|TLS/.test(code)) return "tls";
  return code.startsWith("HPE_") ? "not-http" : "other";
}

/** After these the server certainly saw nothing of the request: a certificate is checked before anything is sent. */
export const NEVER_ARRIVED: ReadonlySet<ConnectionProblem> = new Set<ConnectionProblem>([
  "host-not-found",
  "no-name-service",
  "connection-refused",
  "unreachable",
  "certificate",
]);

/** After these another attempt would fail too. */
export const LASTING: ReadonlySet<ConnectionProblem> = new Set<ConnectionProblem>(["certificate", "tls"]);

/** After these the time had run out. */
export const TIMEOUTS: ReadonlySet<ConnectionProblem> = new Set<ConnectionProblem>([
  "not-reached-in-time",
  "no-answer-in-time",
]);
