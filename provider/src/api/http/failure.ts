import type { DatapipesError } from "../../messages/errors";

/** The failures that differ in what may follow them. */
export type RequestFailure =
  | "not-received"
  | "rate-limit"
  | "gateway-rate-limit"
  | "interrupted"
  | "late"
  | "server-error"
  | "unreadable"
  | "redirect"
  | "tls"
  | "certificate"
  /** A refusal because an earlier request is still at work; only its caller knows this. */
  | "busy"
  | "refused";

/** A gateway answers these when it loses the server or the client; the server may go on with the request. */
const LOST_STATUS_CODES: ReadonlySet<number> = new Set([408, 499]);

export function failureOf({ code, answer }: Pick<DatapipesError, "code" | "answer">): RequestFailure {
  const { status = 0, connection, arrived, isRateLimit } = answer;
  switch (code) {
    case "connection":
      if (connection === "certificate" || connection === "tls") return connection;
      return arrived === false ? "not-received" : "interrupted";
    case "timeout":
      return "late";
    case "rate-limited":
      // Gateways have been seen to answer 429 to a request that they had forwarded.
      return isRateLimit === true ? "rate-limit" : "gateway-rate-limit";
    case "server-error":
      if (status === 504) return "late";
      return status === 502 || status === 503 ? "interrupted" : "server-error";
    case "invalid-response":
      return "unreadable";
    case "unexpected-status":
      if (status < 300) return "unreadable";
      if (status < 400) return "redirect";
      return LOST_STATUS_CODES.has(status) ? "server-error" : "refused";
    default:
      return "refused";
  }
}
