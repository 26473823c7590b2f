import { isOutcomeUnknown } from "../../../provider/src/resources/recovery/outcome";
import { DatapipesError, type DatapipesErrorCode } from "../../../provider/src/errors";

type Answer = DatapipesError["answer"];

test.each<[DatapipesErrorCode, Answer]>([
  ["timeout", {}],
  ["server-error", { status: 500 }],
  ["invalid-response", { status: 200 }],
  ["connection", {}],
  ["connection", { arrived: true }],
  ["unexpected-status", {}],
  ["unexpected-status", { status: 307 }],
  ["unexpected-status", { status: 399 }],
  ["unexpected-status", { status: 408 }],
  ["unexpected-status", { status: 499 }],
])("after %s %j the outcome is unknown", (code, answer) => {
  expect(isOutcomeUnknown(new DatapipesError(code, "m", { answer }))).toBe(true);
});

test.each<[DatapipesErrorCode, Answer]>([
  ["connection", { arrived: false }],
  ["unexpected-status", { status: 400 }],
  ["unexpected-status", { status: 418 }],
  ["bad-request", { status: 400 }],
  ["rate-limited", { status: 429 }],
  ["conflict", { status: 409 }],
])("after %s %j the request had no effect", (code, answer) => {
  expect(isOutcomeUnknown(new DatapipesError(code, "m", { answer }))).toBe(false);
});

test.each([new Error("m"), undefined, { code: "timeout" }])("%s is no error of this package", (error) => {
  expect(isOutcomeUnknown(error)).toBe(false);
});
