import { RunError } from "@pulumi/pulumi";
import { ApiError, ConfigurationError, ConnectionError } from "../../provider/src/messages/errors";
import { DatapipesError, InvalidResponseError, isDatapipesError } from "../../provider/src/messages/errors";
import { printable, printableLines } from "../../provider/src/messages/printable";
import { printableJson } from "../../provider/src/messages/quoted";

const answer = { status: 404, requestId: "r", operation: "listPipes" };

test.each<[DatapipesError, name: string, code: string, reason: string]>([
  [new ApiError("not-found", "m", { answer }), "ApiError", "not-found", "not-found"],
  [
    new InvalidResponseError("invalid-response", "m", { answer }),
    "InvalidResponseError",
    "invalid-response",
    "invalid-response",
  ],
  [new ConnectionError("timeout", "m", { answer, reason: "late" }), "ConnectionError", "timeout", "late"],
])("%s has the name of its class, a code, a reason, and the API's answer", (error, name, code, reason) => {
  expect(error).toMatchObject({ name, code, reason, answer, message: "m", summary: "m" });
  expect(error instanceof DatapipesError).toBe(true);
  expect(error.finding).toBeUndefined();
});

test("an error has its own summary as its message, and the answer and the reason of its cause", () => {
  const cause = new ApiError("server-error", "It failed.", { answer, reason: "status 504" });
  const found = new DatapipesError("conflict", "It exists.", { cause, finding: "may-exist" });
  const own = { message: "It exists.", summary: "It exists.", finding: "may-exist" };
  expect(found).toMatchObject({ ...own, reason: "status 504", answer });
  expect(found.cause).toBe(cause);
});

test.each([new ConfigurationError("configuration", "m"), { [Symbol.for("pulumi-datapipes.error")]: true }])(
  "%p is an error of this or another copy of the package",
  (error) => {
    expect(isDatapipesError(error)).toBe(true);
  },
);

test.each([new Error("x"), null, undefined, "x", {}])("%p is no error of the package", (value) => {
  expect(isDatapipesError(value)).toBe(false);
});

test("a program that does not catch an error shows its message alone", () => {
  const error = new ApiError("not-found", "m");
  expect(RunError.isInstance(error)).toBe(true);
  expect(Object.keys(error)).not.toContain("__pulumiRunError");
});

/** One of each kind: escape, OSC, line ends, C1, separators, and all that turn the direction of writing. */
const STEERING =
  "\u001b[31m \u001b]0;t\u0007 \r\n \u009b \u2028\u2029 \u202a\u202b\u202c\u202d\u202e \u2066\u2067\u2068\u2069 \u200e\u200f \u061c \u007f";

test("a server's text stays on one line, without control characters", () => {
  expect(printable(`a${STEERING}b`)).toBe("a [31m ]0;t b");
  expect(printable("  Größe 大 🚀\tx ")).toBe("Größe 大 🚀 x");
  for (const character of STEERING.replace(/[ -~]/g, "")) {
    expect({ character, shown: printable(`a${character}b`) }).toEqual({ character, shown: "a b" });
  }
});

test("a message keeps its own line breaks and indents, and no other control characters", () => {
  const lines = printableLines("failed:\n  first\r\n  \u001b[2Jsecond\u202e");
  expect(lines).toBe("failed:\n  first\r\n   [2Jsecond ");
  const { message } = new DatapipesError("conflict", `pipe ${STEERING} failed:\n  next`);
  expect(message.replaceAll(/\r?\n/g, "").search(/[\p{Cc}\p{Cf}\u2028\u2029]/u)).toBe(-1);
  expect(message).toMatch(/failed:\n {2}next$/);
});

test.each([
  ["##[command]rm", "# #[command]rm"],
  ["a ###[error]b", "a ## #[error]b"],
  ["x##vso[task.setvariable variable=PATH]y", "x# #vso[task.setvariable variable=PATH]y"],
  ["##teamcity[message]", "# #teamcity[message]"],
  ["#\u200b#[group]", "# #[group]"],
  ["::error::failed", ": :error::failed"],
  ["\u0085 ::stop-commands::x", ": :stop-commands::x"],
  ["section_start:1:x\r\u001b[0K", "section_start:1:x [0K"],
  ["## [a](b) a::b", "## [a](b) a::b"],
])("no text is a command to the runner of a pipeline: %j", (text, expected) => {
  expect(printable(text)).toBe(expected);
  expect(printableLines(`a\n \t${text}`).replaceAll(/\s+/g, " ")).toBe(`a ${expected}`);
  const json = printableJson({ [text]: [text] });
  expect(json).not.toMatch(/##\w*\[|^\s*::|(?!\n)[\p{Cc}\p{Cf}]/mu);
  expect(JSON.parse(json)).toEqual({ [text]: [text] });
});

test("half of a character, as a cut leaves it, is not printable", () => {
  const cut = `${"a".repeat(149)}🚀`.slice(0, 150);
  expect(printableLines(`${cut}…`)).toEqual(`${"a".repeat(149)} …`);
  expect(printable(cut)).toEqual("a".repeat(149));
});
