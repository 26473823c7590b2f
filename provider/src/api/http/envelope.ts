import { z } from "zod";
import { printable } from "../../messages/printable";
import { inJson, LEFT_OUT } from "../secrets/redaction";
import { sanitize } from "./reserved";

// A member of another type than in the API document is ignored: the others are still of use.
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

/** How many characters of a server's own words an error repeats. */
const MAX_SERVER_WORDS = 150;
/** How many characters are read to find these: those that no message shows take some of them. */
const MAX_READ = 8 * MAX_SERVER_WORDS;
/** The longest error that the provider decodes, in characters. */
const MAX_PROBLEM = 1024 * 1024;
/** How many characters of a request's id messages repeat. */
const MAX_REQUEST_ID = 100;

/** So many characters of the beginning of a server's text; undefined if the text has a secret there. */
export type StartOf = (text: string, characters: number) => string | undefined;

/** The envelope of a success, or undefined if the text is not the API's envelope. `clean` makes each text of it safe to print. */
export function parseEnvelope(
  text: string,
  clean?: (text: string) => string,
): z.infer<typeof envelope> | undefined {
  const result = envelope.safeParse(parseJson(text, clean));
  return result.success ? result.data : undefined;
}

/** What an error says, as far as the answer has it. */
interface Problem {
  /** The server's own words, without those members that have a secret. */
  readonly words: string;
  /** The same for a message, which names the members that are left out. */
  readonly shown: string;
  readonly requestId?: string;
}

/** The server's own words and the request id of an error. */
export function parseProblem(text: string, startOf: StartOf): Problem {
  if (isHtml(text)) return ownWords("an HTML page");
  if (text.length > MAX_PROBLEM && /^\s{0,99}[[{]/.test(text))
    return ownWords(`${Math.round(text.length / MAX_PROBLEM)} MiB of JSON, which the error leaves out`);
  const result = problem.safeParse(text.length > MAX_PROBLEM ? undefined : parseJson(text));
  if (!result.success) return wordsOf([text], startOf);
  const { error, message, requestId } = result.data;
  const words = [error, message].filter((part) => part !== undefined && part !== null).map(inWords);
  const id = requestId === undefined ? undefined : readableId(requestId, startOf);
  return { ...wordsOf(words, startOf), ...(id !== undefined && { requestId: id }) };
}

const ownWords = (words: string): Problem => ({ words, shown: words });

function wordsOf(parts: readonly string[], startOf: StartOf): Problem {
  const starts = parts.map((part) => {
    const start = startOf(part, MAX_READ);
    return start === undefined || part.length <= MAX_READ ? start : `${start}…`;
  });
  const joined = (texts: readonly string[]): string => shortened(printable(texts.join(": ")));
  return {
    words: joined(starts.filter((start) => start !== undefined)),
    shown: joined(starts.map((start) => start ?? LEFT_OUT)),
  };
}

/** A request's id for messages; undefined if it has a secret. */
export function readableId(requestId: string, startOf: StartOf): string | undefined {
  const start = startOf(requestId, MAX_REQUEST_ID);
  return start === undefined ? undefined : printable(start);
}

/** Whether a text is an HTML page, as gateways send them. */
export const isHtml = (text: string): boolean => /^\s{0,999}<(!doctype|html)/i.test(text);

const inWords = (part: unknown): string => (typeof part === "string" ? part : inJson(part));

const shortened = (words: string): string =>
  words.length > MAX_SERVER_WORDS ? `${words.slice(0, MAX_SERVER_WORDS)}…` : words;

function parseJson(text: string, clean?: (text: string) => string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return sanitize(value, clean) ? value : undefined;
  } catch {
    return undefined;
  }
}
