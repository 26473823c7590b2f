/** What steers a terminal or turns the direction of its text: control and format characters, and ends of lines. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A server's text as it may reach a terminal: on one line, and without what steers the terminal. */
export const printable = (text: string): string => text.replace(STEERING, " ").trim();
