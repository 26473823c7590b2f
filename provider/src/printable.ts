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
