/**
 * Characters that control a terminal or are invisible: C0, DEL, C1, line and paragraph separators, and format
 * characters such as bidi. Also halves of surrogate pairs, as the end of a cut text may have: gRPC cannot send them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;

/**
 * What begins a command to the runner of a pipeline that reads it in a log: `##[command]`, `##vso[task.setvariable]`
 * and `##teamcity[` anywhere, `::add-mask::` at the beginning of a line. (The sections of GitLab and of Travis need
 * control characters.)
 */
const RUNNER_COMMAND = /##(?=[\w.-]*\[)|::(?<=^[\s\u0085]*::)/gmu;

/** Texts of others that no runner takes for a command. */
const withoutCommands = (text: string): string =>
  text.replace(RUNNER_COMMAND, ([first]) => `${first} ${first}`);

/**
 * A server's text for a message: on one line, without control, escape and bidi characters, and without commands to a
 * runner.
 */
export const printable = (text: string): string =>
  withoutCommands(text.replace(UNPRINTABLE, " ").replace(/\s+/g, " ").trim());

/** A message of several lines, without other control, escape and bidi characters, and without commands to a runner. */
export const printableLines = (text: string): string =>
  withoutCommands(text.replaceAll(/(?:(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029])+/gu, " "));

/** What JSON would let through of these. */
const UNPRINTABLE_IN_JSON = /##(?=[\w.-]*\[)|(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A value as JSON that is as printable, and with escapes still the same value. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(UNPRINTABLE_IN_JSON, escaped);

/** The code units of a text as JSON and JavaScript escape them. */
export const escaped = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A text that shows where it has such characters. */
export const withMarks = (text: string): string => text.replace(UNPRINTABLE, "\ufffd");

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

/** How many characters of a malformed value an error repeats. */
const MAX_SHOWN = 60;

/** A value in quotes, on one line, with control characters escaped. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text).replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
