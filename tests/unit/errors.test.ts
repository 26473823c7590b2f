import { RunError } from "@pulumi/pulumi";
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  DatapipesError,
  InvalidResponseError,
  isDatapipesError,
} from "../../provider/src/errors";

test("every error has its class's name, a code, and what the API answered", () => {
  const answer = { status: 404, requestId: "r", operation: "listPipes" };
  const errors = [
    new ApiError("not-found", "m", { answer }),
    new InvalidResponseError("m", answer),
    new ConnectionError("timeout", "m", { answer }),
  ];
  expect(errors.map(({ name, code }) => [name, code])).toEqual([
    ["ApiError", "not-found"],
    ["InvalidResponseError", "invalid-response"],
    ["ConnectionError", "timeout"],
  ]);
  for (const error of errors) expect(error).toMatchObject({ answer, message: "m" });
  expect(errors.every((error) => error instanceof DatapipesError)).toBe(true);
});

test("an error carries facts alone: its message is its own summary", () => {
  const answer = { status: 504, operation: "createPipe" };
  const cause = new ApiError("server-error", "It failed.", { answer, reason: "status 504" });
  expect(cause).toMatchObject({ message: "It failed.", summary: "It failed.", finding: undefined });
  const found = new DatapipesError("conflict", "It exists.", { cause, finding: "pipe-appeared" });
  expect(found).toMatchObject({
    message: "It exists.",
    summary: "It exists.",
    reason: "status 504",
    finding: "pipe-appeared",
    answer,
  });
  expect(found.cause).toBe(cause);
});

test("an error without more facts has its code as the reason, and an invalid response says that it is one", () => {
  expect(new ApiError("server-error", "It failed.")).toMatchObject({ reason: "server-error", answer: {} });
  expect(new InvalidResponseError("It failed.", {}).reason).toBe("an invalid response");
});

test("an error of configuration lists its problems, one in a line", () => {
  const error = new ConfigurationError(["a", "b"]);
  expect([error.code, error.message, error.answer]).toEqual(["configuration", "a\nb", {}]);
});

test("recognizes an error of another copy of the package, and no other value", () => {
  const ofAnotherCopy = { [Symbol.for("pulumi-datapipes.error")]: true };
  expect([new ConfigurationError([]), ofAnotherCopy].map(isDatapipesError)).toEqual([true, true]);
  expect([new Error("x"), null, undefined, "x", {}].map(isDatapipesError)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("a program that does not catch an error shows its message alone", () => {
  const error = new ApiError("not-found", "m");
  expect(RunError.isInstance(error)).toBe(true);
  expect(Object.keys(error)).not.toContain("__pulumiRunError");
});
