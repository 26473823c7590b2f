import type { DatapipesError } from "../../messages/errors";

/** The failures that differ in what may follow them. */
export type RequestFailure =
  | "not-received"
  | "tls"
  | "rate-limit"
  | "gateway-rate-limit"
  | "lost"
  | "server-error"
  | "unreadable"
  | "refused";

/** A gateway answers these when it loses the server or the client; the server may go on with the request. */
const LOST_STATUS_CODES: ReadonlySet<number> = new Set([408, 499]);

export function failureOf({ code, answer }: Pick<DatapipesError, "code" | "answer">): RequestFailure {
  const { status = 0, connection, arrived, isRateLimit, isPage = false } = answer;
  // It comes from a gateway, which may have forwarded the request.
  if (isPage && status >= 400 && status < 500 && status !== 429) return "unreadable";
  switch (code) {
    case "connection":
      if (connection === "certificate") return "refused";
      if (connection === "tls") return connection;
      return arrived === false ? "not-received" : "lost";
    case "timeout":
      return "lost";
    case "rate-limited":
      // Gateways have been seen to answer 429 to a request that they had forwarded.
      return isRateLimit === true ? "rate-limit" : "gateway-rate-limit";
    case "server-error":
      return [502, 503, 504].includes(status) ? "lost" : "server-error";
    case "invalid-response":
      return "unreadable";
    case "unexpected-status":
      if (status < 300) return "unreadable";
      if (status < 400) return "refused";
      return LOST_STATUS_CODES.has(status) ? "server-error" : "refused";
    default:
      return "refused";
  }
}
