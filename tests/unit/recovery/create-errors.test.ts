import { DatapipesError, type DatapipesErrorCode } from "../../../provider/src/errors";
import { render } from "../../../provider/src/next-steps";
import * as errors from "../../../provider/src/resources/recovery/create-errors";
import { isOutcomeUnknown } from "../../../provider/src/resources/recovery/outcome";

const answer = { status: 504, operation: "createPipe" };
const facts = { answer, reason: "status 504" };
const cause = new DatapipesError("server-error", "It failed.", facts);
const turnedAway = { ...answer, status: 429 };
const limited = new DatapipesError("rate-limited", "It failed.", { answer: turnedAway });
const pipes = [
  { id: "1", name: "orders" },
  { id: "2", name: "orders" },
];
const [pipe = { id: "" }] = pipes;
const sent = (times: string): string =>
  `The provider sent the request ${times}, and the list of the service has no new pipe of this name.`;
const LOOK = "Before the next run, check in the service's console that no such pipe has appeared since.";

test.each<[what: string, error: DatapipesError, code: string, message: string]>([
  [
    "several pipes have come",
    errors.severalPipesAppeared(pipes, cause),
    "conflict",
    "Since then, several pipes of this name have appeared: 1, 2. The provider adopted none of them. Check in " +
      "the service's console which one belongs to this program, and set adopt to its id; others may belong to another client.",
  ],
  ["nothing was made by one request", errors.notCreated(cause, 1), "server-error", `${sent("once")} ${LOOK}`],
  [
    "nothing was made by three requests",
    errors.notCreated(cause, 3),
    "server-error",
    `${sent("3 times")} ${LOOK}`,
  ],
  [
    "a request without an answer was repeated until the rate limit refused it",
    errors.notCreated(limited, 3),
    "rate-limited",
    `${sent("3 times")} ${LOOK}`,
  ],
  [
    "something like it has come",
    errors.similarPipeAppeared(
      [
        { pipe, doubt: "created before the request" },
        { pipe: { id: "2" }, doubt: "differs from the program" },
      ],
      cause,
    ),
    "conflict",
    "The list now has a similar pipe that this request may not have created: 1 (created before the request), 2 (differs from " +
      "the program). The provider did not adopt it. Check it in the service's console: if it belongs to this program, set adopt to its id.",
  ],
  [
    "a refused request may have made it",
    errors.pipeAppeared(pipe, cause),
    "server-error",
    'Meanwhile, a pipe "orders" has appeared: 1. If it belongs to this program, set adopt to its id.',
  ],
])("%s: the error says what exists and gives one next step", (_, error, code, message) => {
  expect([error.code, render(error)]).toEqual([code, `It failed. ${message}`]);
  const { answer, reason, summary } = error.cause ?? error;
  expect(error).toMatchObject({ answer, reason });
  expect(error.summary).not.toContain(summary);
});

type Row = [isUnknown: boolean, code: DatapipesErrorCode, answer: DatapipesError["answer"]];
const unexpected = (isUnknown: boolean, ...statuses: number[]): Row[] =>
  statuses.map((status) => [isUnknown, "unexpected-status", { status }]);

test.each<Row>([
  [true, "timeout", {}],
  [true, "server-error", { status: 500 }],
  [true, "invalid-response", { status: 200 }],
  [true, "connection", {}],
  [true, "connection", { arrived: true }],
  [true, "unexpected-status", {}],
  ...unexpected(true, 307, 399, 408, 499),
  [false, "connection", { arrived: false }],
  ...unexpected(false, 400, 418),
  [false, "bad-request", { status: 400 }],
  [false, "rate-limited", { status: 429, isRateLimit: true }],
  [true, "rate-limited", { status: 429, isPage: true }],
  [false, "conflict", { status: 409 }],
])("whether a request may have had an effect is %p after %s %j", (isUnknown, code, answer) => {
  expect(isOutcomeUnknown(new DatapipesError(code, "m", { answer }))).toBe(isUnknown);
});

test("an error of another package leaves nothing unknown", () => {
  expect([new Error("m"), undefined, { code: "timeout" }].filter(isOutcomeUnknown)).toEqual([]);
});
