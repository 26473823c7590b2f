import { z } from "zod";
import { printable } from "../printable";
import { inJson } from "./redaction";
import { disarm } from "./reserved";

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
const MAX_SERVER_WORDS = 150;
/** The most that is redacted to find them: secrets become shorter by it. */
const MAX_REDACTED = 8 * MAX_SERVER_WORDS;
/** The longest error that is decoded, in characters. */
const MAX_PROBLEM = 1024 * 1024;
/** The longest id of a request that is repeated, in characters. */
const MAX_REQUEST_ID = 100;

/** Takes the secrets out of the beginning of a text: of so many characters of it. */
export type RedactStart = (text: string, characters: number) => string;

/** What a success carries, or undefined when the text is not the API's envelope. */
export function parseEnvelope(text: string): z.infer<typeof envelope> | undefined {
  const result = envelope.safeParse(parseJson(text));
  return result.success ? result.data : undefined;
}

/** The server's own words and its request id, as far as an answer that is no success has them. */
export function parseProblem(
  text: string,
  // A secret that is cut is none of its known forms any more, so it must go before.
  redactStart: RedactStart = (words, characters) => words.slice(0, characters),
): { readonly words: string; readonly requestId?: string } {
  // Each by itself: what a server cut is known by the end of its words.
  const readable = (...parts: readonly string[]): string => {
    const start = printable(parts.map((part) => redactStart(part, MAX_REDACTED)).join(": "));
    return shortened(
      start,
      parts.some(({ length }) => length > MAX_REDACTED),
    );
  };
  if (isHtml(text)) return { words: "an HTML page" };
  if (text.length > MAX_PROBLEM && /^\s{0,99}[[{]/.test(text))
    return { words: `${Math.round(text.length / MAX_PROBLEM)} MiB of JSON, which are not repeated` };
  const result = problem.safeParse(text.length > MAX_PROBLEM ? undefined : parseJson(text));
  if (!result.success) return { words: readable(text) };
  const { error, message, requestId } = result.data;
  const words = [error, message].filter((part) => part !== undefined && part !== null).map(inWords);
  return {
    words: readable(...words),
    ...(requestId !== undefined && { requestId: readableId(requestId, redactStart) }),
  };
}

/** An id of a request as lines and errors repeat it. */
export const readableId = (requestId: string, redactStart: RedactStart): string =>
  printable(redactStart(requestId, MAX_REQUEST_ID));

/** Whether a text is a page for people, as gateways send them. */
export const isHtml = (text: string): boolean => /^\s{0,999}<(!doctype|html)/i.test(text);

const inWords = (part: unknown): string => (typeof part === "string" ? part : inJson(part));

const shortened = (words: string, isCut: boolean): string =>
  words.length > MAX_SERVER_WORDS || isCut ? `${words.slice(0, MAX_SERVER_WORDS)}…` : words;

/** Escapes of JSON: a whole surrogate pair, half of one, any other. */
const ESCAPES =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

/** Half of a character, as servers leave it that cut texts, is no text: the engine would refuse the whole answer for it. */
const withoutHalves = (text: string): string =>
  /\\u[dD][89a-fA-F]/.test(text)
    ? text.replace(ESCAPES, (escape, half?: string) => (half === undefined ? escape : "\\ufffd"))
    : text;

function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(withoutHalves(text)) as unknown;
    return disarm(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
