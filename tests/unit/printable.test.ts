import { isPrintable, printable, printableLines } from "../../provider/src/printable";
import { DatapipesError } from "../../provider/src/errors";

/** One of each kind: escape, OSC, line ends, C1, separators, and all that turn the direction of writing. */
const STEERING =
  "\u001b[31m \u001b]0;t\u0007 \r\n \u009b \u2028\u2029 \u202a\u202b\u202c\u202d\u202e \u2066\u2067\u2068\u2069 \u200e\u200f \u061c \u007f";
const codes = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

test("a server's text stays on one line, without control characters", () => {
  expect(printable(`a${STEERING}b`)).toBe("a [31m ]0;t b");
  expect(printable("  Größe 大 🚀\tx ")).toBe("Größe 大 🚀 x");
});

test("a message keeps its own line breaks and indents, and no other control characters", () => {
  expect(printableLines("failed:\n  first\r\n  \u001b[2Jsecond\u202e")).toBe(
    "failed:\n  first \n   [2Jsecond ",
  );
});

test("half of a character, as a cut leaves it, is not printable", () => {
  const cut = `${"a".repeat(149)}🚀`.slice(0, 150);
  expect([printableLines(`${cut}…`), printable(cut)]).toEqual([`${"a".repeat(149)} …`, "a".repeat(149)]);
});

test.each(Array.from(STEERING.replace(/[ -~]/g, "")))("%j is not printable", (character) => {
  expect(isPrintable(`a${character}b`)).toBe(false);
  expect(codes(printable(`a${character}b`))).toEqual(codes("a b"));
});

test("an error repeats no such character, whoever wrote the message", () => {
  const { message } = new DatapipesError("conflict", `pipe ${STEERING} failed:\n  next`);
  expect(message.replaceAll("\n", "").search(/[\p{Cc}\p{Cf}\u2028\u2029]/u)).toBe(-1);
  expect(message).toMatch(/failed:\n {2}next$/);
});
