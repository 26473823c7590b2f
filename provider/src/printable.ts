/**
 * Characters that control a terminal or are invisible: C0, DEL, C1, line and paragraph separators, and format characters such as bidi. Also
 * halves of surrogate pairs, as the end of a cut text may have: gRPC cannot send them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;

/** A server's text for a message: on one line, without control, escape and bidi characters. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, " ").replace(/\s+/g, " ").trim();

/** A message of several lines, without other control, escape and bidi characters. */
export const printableLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(UNPRINTABLE, " "))
    .join("\n");

/** Whether a text has no such character. */
export const isPrintable = (text: string): boolean => text.search(UNPRINTABLE) < 0;

/** As `UNPRINTABLE`, but for tabs, line breaks, and the joiners of some scripts and of emoji. */
const UNSAFE = /(?![\n\r\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/u;
const UNSAFE_RUNS = new RegExp(`(?:${UNSAFE.source})+`, "gu");
/** A value that is one control character, as a separator of columns is. Terminals ignore these. */
const SEPARATOR = /^[\0-\x06\x1c-\x1f]$/;

/** A value of the API that is safe to print. It keeps line breaks, which certificates have. */
export const harmless = (text: string): string =>
  UNSAFE.test(text) && !SEPARATOR.test(text) ? text.replace(UNSAFE_RUNS, " ").trim() : text;
