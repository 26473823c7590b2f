import { printableValue } from "../messages/printable";
import type { Call } from "./operations";
import { isWireObject, nothing, Unreadable, type WireObject } from "./wire";

/** How deep an answer may be nested: recursive functions need stack for each level. */
const MAX_DEPTH = 100;

/** An answer as the server sent it. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The members of the API's envelope. A member of another type than in the API document counts as missing. */
export interface Envelope {
  readonly status?: number;
  readonly requestId?: string;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly message?: unknown;
}

/** The envelope in an answer, or undefined if the text is no JSON object. */
export function envelopeOf(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isWireObject(value)) return undefined;
    const { status, requestId, result, error, message } = value;
    return {
      status: typeof status === "number" ? status : undefined,
      requestId: typeof requestId === "string" ? requestId : undefined,
      result,
      error,
      message,
    };
  } catch {
    return undefined;
  }
}

export const isHtml = (text: string): boolean => /^\s{0,999}<(!doctype|html)/i.test(text);

/**
 * What an answer is: a result that is safe to use, a refusal with a status, or what is wrong with it as the end
 * of a sentence.
 */
export type SafeAnswer =
  { readonly result: unknown } | { readonly refusedWith: number } | { readonly problem: string };

/** What makes the values of an answer safe. */
export interface Cleaning {
  /** Makes a text printable. Default: it loses characters that control a terminal. */
  readonly clean?: (text: string) => string;
  /** Names of members that are left out, beside those that JavaScript reserves. Default: none. */
  readonly reservedNames?: ReadonlySet<string>;
}

/**
 * The one way from an answer to a value of this package: printable texts, no reserved names, the types and IDs of the
 * operation's schema.
 */
export function readAnswer(
  call: Call,
  { status, text, headers }: Answer,
  cleaning: Cleaning = {},
): SafeAnswer {
  if (!isSuccess(status)) return { refusedWith: status };
  const { answer } = call.operation;
  if (answer === nothing && text === "") return { result: undefined };
  const envelope = envelopeOf(text);
  if (envelope === undefined) {
    const format = `not in the format of the API (${headers["content-type"] ?? "no content type"})`;
    return { problem: `the response is ${isHtml(text) ? "an HTML page" : format}` };
  }
  const { result, status: stated = status } = envelope;
  if (!isSuccess(stated)) return { refusedWith: stated };
  if (answer !== nothing && result === undefined) return { problem: "the response has no result" };
  try {
    return { result: answer(cleaned(result, cleaning, MAX_DEPTH), call) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** A value of an answer with clean texts, and without members of reserved or unprintable names. */
function cleaned(value: unknown, cleaning: Cleaning, depth: number): unknown {
  const { clean = printableValue, reservedNames } = cleaning;
  if (typeof value === "string") return clean(value.toWellFormed());
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) throw new Unreadable("the result is nested too deeply");
  if (Array.isArray(value)) return value.map((element) => cleaned(element, cleaning, depth - 1));
  return Object.fromEntries(
    Object.entries(value as WireObject)
      .filter(([name]) => !isReserved(name, reservedNames) && printableValue(name) === name)
      .map(([name, member]) => [name, cleaned(member, cleaning, depth - 1)]),
  );
}

/**
 * Names with two underscores mark objects of SDKs, or are JavaScript's `__proto__`. Settings of a pipe lose their
 * underscores later.
 */
function isReserved(name: string, reservedNames: ReadonlySet<string> = new Set()): boolean {
  const bare = name.replaceAll("_", "");
  return name.startsWith("__") || ["constructor", "prototype"].includes(bare) || reservedNames.has(bare);
}
