import { ApiError } from "./api-error";
import type { JsonObject } from "./json";
import { isObject, isTooDeep, MAX_LEVELS } from "./json";

const MAX_BODY_MIB = 10;
const MAX_BODY_BYTES = MAX_BODY_MIB * 1024 * 1024;

/** Reads all of a body, even of one that is not kept: a client that is still sending would not read the answer. */
export async function readBody(incoming: AsyncIterable<Buffer>, isKept = true): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (isKept && bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString("utf8");
}

export function requireJsonType(contentType: string | undefined): void {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ""))
    throw new ApiError(415, "the content type must be application/json");
}

/** The object in a body; undefined stands for one that is too long. */
export function parseBody(text: string | undefined): JsonObject {
  if (text === undefined) throw new ApiError(413, `the body is over ${MAX_BODY_MIB} MiB`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own text quotes the body, which may hold a secret.
    throw new ApiError(400, "the body is not valid JSON");
  }
  if (!isObject(body)) throw new ApiError(400, "the body must be a JSON object");
  if (isTooDeep(body)) throw new ApiError(400, `the body has more than ${MAX_LEVELS} levels`);
  return body;
}
