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

/** The status of an error answer. */
export type FailureStatus = keyof typeof NAMES;

/** An error answer of the API. Its text has no value of the request, because that may be a secret. */
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
