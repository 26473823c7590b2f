import type { ConnectionProblem, DatapipesErrorCode } from "../../messages/errors";
import { ownMember } from "../../values/own-member";

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

/** Why there is no answer, by the error code of Node or axios. */
export function connectionProblem(code: string): ConnectionProblem {
  const known = ownMember(PROBLEMS, code);
  if (known !== undefined) return known;
  if (/CERT|SELF_SIGNED|VERIFY/.test(code)) return "certificate";
  if (/^EPROTO$|SSL|TLS/.test(code)) return "tls";
  return code.startsWith("HPE_") ? "not-http" : "other";
}

/** After these the server certainly did not receive the request: TLS checks the certificate before anything is sent. */
export const NOT_RECEIVED: ReadonlySet<ConnectionProblem> = new Set<ConnectionProblem>([
  "host-not-found",
  "no-name-service",
  "connection-refused",
  "unreachable",
  "certificate",
]);

export const isTimeout = (problem: ConnectionProblem): boolean =>
  problem === "not-reached-in-time" || problem === "no-answer-in-time";
