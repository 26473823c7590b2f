import { COMMAND_IN_LINE, UNPRINTABLE, UNPRINTABLE_RUNS } from "./printable";

/** A value as JSON that is as printable, and with escapes still the same value. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(new RegExp(`${COMMAND_IN_LINE}|${UNPRINTABLE}`, "gu"), escaped);

/** The code units of a text as JSON and JavaScript escape them. */
export const escaped = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The beginning of a text that is longer than `most` characters. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

/** How many characters of a malformed value an error repeats. */
export const MAX_SHOWN = 60;

/** A value in quotes, on one line, with control characters escaped. */
export const quoted = (text: string): string =>
  JSON.stringify(shortened(text, MAX_SHOWN)).replace(UNPRINTABLE_RUNS, escaped);
