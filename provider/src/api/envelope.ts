import { z } from "zod";
import { inJson } from "./redact";

// What is of another type than the document says is as good as absent: it must not hide the rest.
const envelope = z.looseObject({
  status: z.number().optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
  result: z.unknown().optional(),
});

const problem = z.looseObject({
  error: z.unknown().optional(),
  message: z.unknown().optional(),
  requestId: z.string().optional().catch(undefined),
});

/** The most of a server's own words that an error repeats, in characters. */
const MAX_SERVER_WORDS = 300;

/** What a success carries, or undefined when the text is not the API's envelope. */
export function parseEnvelope(text: string): z.infer<typeof envelope> | undefined {
  const result = envelope.safeParse(parseJson(text));
  return result.success ? result.data : undefined;
}

/** The server's own words and its request id, as far as an answer that is no success has them. */
export function parseProblem(
  text: string,
  // A secret that is cut is none of its known forms any more, so it must go before.
  redacted: (words: string) => string = (words) => words,
): { readonly words: string; readonly requestId?: string } {
  const result = problem.safeParse(parseJson(text));
  const readable = (words: string): string => shortened(printable(redacted(words)));
  if (!result.success) return { words: isHtml(text) ? "an HTML page" : readable(text) };
  const { error, message, requestId } = result.data;
  const words = [error, message].filter((part) => part !== undefined && part !== null).map(inWords);
  return {
    words: readable(words.join(": ")),
    ...(requestId !== undefined && { requestId: printable(requestId) }),
  };
}

/** Whether a text is a page for people, as gateways send them. */
export const isHtml = (text: string): boolean => /^\s*<(!doctype|html)/i.test(text);

const inWords = (part: unknown): string => (typeof part === "string" ? part : inJson(part));

/** A server's words go to a terminal: without what steers one, and on one line. */
const printable = (words: string): string => words.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, " ").trim();

const shortened = (words: string): string =>
  words.length > MAX_SERVER_WORDS ? `${words.slice(0, MAX_SERVER_WORDS)}…` : words;

/** Escapes of JSON: a whole surrogate pair, half of one, any other. */
const ESCAPES =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

/** Half of a character, as servers leave it that cut texts, is no text: the engine would refuse the whole answer for it. */
const withoutHalves = (text: string): string =>
  /\\u[dD][89a-fA-F]/.test(text)
    ? text.replace(ESCAPES, (escape, half?: string) => (half === undefined ? escape : "\\ufffd"))
    : text;

/** How deep an answer may be nested. Whatever walks through it needs a part of the stack for each level. */
const MAX_DEPTH = 100;

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  if (Array.isArray(value)) return value.some((element) => isDeeper(element, depth - 1));
  // A list of the members of each of many thousand objects would be more than the objects.
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], depth - 1)) return true;
  return false;
}

function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(withoutHalves(text)) as unknown;
    return isDeeper(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}
