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
    new ApiError("not-found", "m", answer),
    new InvalidResponseError("invalid-response", "m", answer),
    new ConnectionError("timeout", "m", answer),
  ];
  expect(errors.map(({ name, code }) => [name, code])).toEqual([
    ["ApiError", "not-found"],
    ["InvalidResponseError", "invalid-response"],
    ["ConnectionError", "timeout"],
  ]);
  for (const error of errors) expect(error).toMatchObject({ answer, message: "m" });
  expect(errors.every((error) => error instanceof DatapipesError)).toBe(true);
});

test("a message is a summary and one next step, and an error without parts has its message as summary", () => {
  const text = { summary: "It failed.", nextStep: "Do this.", reason: "status 504" };
  expect(new ApiError("server-error", text)).toMatchObject({ ...text, message: "It failed. Do this." });
  expect(new ApiError("server-error", "It failed.")).toMatchObject({
    summary: "It failed.",
    nextStep: "",
    reason: "server-error",
    message: "It failed.",
  });
});

test("an error of configuration lists its problems, one in a line", () => {
  const error = new ConfigurationError(["a", "b"]);
  expect([error.code, error.message, error.answer]).toEqual(["configuration", "a\nb", {}]);
});

test("an error is known across copies of the package, and nothing else is taken for one", () => {
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
