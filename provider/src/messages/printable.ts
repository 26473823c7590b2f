/**
 * Characters that control a terminal or are invisible, such as escape and bidi characters, and halves of surrogate
 * pairs, which gRPC cannot send. Not line breaks, tabs, and the joiners of some scripts and of emoji.
 */
export const UNPRINTABLE = /(?!\n|\t|\r\n|[\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.source;
export const UNPRINTABLE_RUNS = new RegExp(`(?:${UNPRINTABLE})+`, "gu");

/** The start of a command to the runner of a pipeline: `##[command]`, `##vso[…]`, and `::add-mask::` at a line's start. */
export const COMMAND_IN_LINE = String.raw`##(?=[\w.-]*\[)`;
const RUNNER_COMMANDS = new RegExp(String.raw`${COMMAND_IN_LINE}|::(?<=^\s*::)`, "gmu");

/** A text from outside, with nothing that a terminal or a runner would act on. It keeps its lines. */
export const printableLines = (text: string): string =>
  text.replace(UNPRINTABLE_RUNS, " ").replace(RUNNER_COMMANDS, ([first]) => `${first} ${first}`);

/** The same on one line, for a message. */
export const printable = (text: string): string =>
  printableLines(text.replace(/\s+/g, " ")).replace(/ {2,}/g, " ").trim();

/** A value that is one control character, as a separator of columns is. Terminals ignore these. */
const SEPARATOR = /^[\0-\x06\x1c-\x1f]$/;

/** A value of the API without unprintable characters. */
export const printableValue = (text: string): string =>
  SEPARATOR.test(text) ? text : text.replace(UNPRINTABLE_RUNS, " ");
