import { ApiError } from "./api-error";
import type { JsonObject } from "./json";
import { isObject } from "./json";

export function requireJsonType(contentType: string | undefined): void {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ""))
    throw new ApiError(415, "the content type must be application/json");
}

export function parseBody(text: string): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own text quotes the body, which may hold a secret.
    throw new ApiError(400, "the body is not valid JSON");
  }
  if (!isObject(body)) throw new ApiError(400, "the body must be a JSON object");
  return body;
}
