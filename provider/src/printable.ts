/**
 * What steers a terminal or hides in a text: control characters (C0, DEL, C1), the separators of lines and paragraphs, and format
 * characters, among them those of writing direction.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** A server's text as a line or an error may repeat it: on one line, without control, escape and bidi characters. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, " ").replace(/\s+/g, " ").trim();

/** A whole message: the line breaks that its author wrote stay, whatever a server may have added to it does not. */
export const printableLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(UNPRINTABLE, " "))
    .join("\n");

/** Whether a text has nothing of that kind. An id that has is no id of anything. */
export const isPrintable = (text: string): boolean => text.search(UNPRINTABLE) < 0;

/** Control characters but for tabs and line ends, and format characters but for those that join letters of scripts and of emoji. */
const STEERING = /(?![\n\r\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/u;
const STEERING_RUNS = new RegExp(`(?:${STEERING.source})+`, "gu");
/** A separator of columns, which steers nothing. */
const SEPARATOR = /^[\0-\x06\x1c-\x1f]$/;

/** A value of the API that steers no terminal where the engine shows it. Others, as certificates with line breaks, stay as they are. */
export const harmless = (text: string): string =>
  STEERING.test(text) && !SEPARATOR.test(text) ? text.replace(STEERING_RUNS, " ").trim() : text;
