import { DatapipesError, type DatapipesErrorCode } from "../../../provider/src/messages/errors";
import { isOutcomeUnknown } from "../../../provider/src/resources/outcome";

test.each<[isUnknown: boolean, code: DatapipesErrorCode, ...answers: DatapipesError["answer"][]]>([
  [true, "timeout", {}],
  [true, "server-error", { status: 500 }],
  [true, "invalid-response", { status: 200 }],
  [true, "connection", {}, { arrived: true }],
  [false, "connection", { arrived: false }],
  [true, "unexpected-status", {}, { status: 307 }, { status: 399 }, { status: 408 }, { status: 499 }],
  [false, "unexpected-status", { status: 400 }, { status: 418 }],
  [false, "bad-request", { status: 400 }],
  [true, "rate-limited", { status: 429, isPage: true }],
  [false, "rate-limited", { status: 429, isRateLimit: true }],
  [false, "conflict", { status: 409 }],
])("whether a request may have had an effect is %p after %s %j", (isUnknown, code, ...answers) => {
  const errors = answers.map((answer) => new DatapipesError(code, "m", { answer }));
  expect(errors.map(isOutcomeUnknown)).toEqual(answers.map(() => isUnknown));
});

test("an error of another package leaves nothing unknown", () => {
  expect([new Error("m"), undefined, { code: "timeout" }].filter(isOutcomeUnknown)).toEqual([]);
});
