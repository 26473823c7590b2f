const NAMES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
} as const;

/** A status that the API answers failures with. */
export type FailureStatus = keyof typeof NAMES;

/** A failure that the API answers with. Its text never carries a value of the request, for that may be a secret. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: FailureStatus,
    text: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${NAMES[status]}: ${text}`);
  }
}
