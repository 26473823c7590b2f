import * as errors from "../../../provider/src/resources/recovery/create-errors";
import { DatapipesError } from "../../../provider/src/errors";

const answer = { status: 504, operation: "createPipe" };
const text = { summary: "It failed.", nextStep: "Run the command again.", reason: "status 504" };
const cause = new DatapipesError("server-error", text, answer);
const limited = new DatapipesError("rate-limited", { ...text, nextStep: "Lower the limit." }, answer);
const pipes = [
  { id: "1", name: "orders" },
  { id: "2", name: "orders" },
];
const [pipe = { id: "" }] = pipes;
const LOOK = "Before the next run, check in the service's console that no such pipe has appeared late.";

test.each<[what: string, error: DatapipesError, code: string, message: string]>([
  [
    "several pipes have come",
    errors.severalFound("orders", pipes, cause),
    "conflict",
    'It failed. Since then several pipes of the name "orders" have appeared: 1, 2. None was taken over. Find out in ' +
      "the service's console which one belongs to this program and name its id as adopt; others may belong to another client.",
  ],
  [
    "nothing was made by one request",
    errors.nothingMade(cause, 1),
    "server-error",
    `It failed. The request was sent once, and the list of the service shows no new pipe of the name. ${LOOK}`,
  ],
  [
    "nothing was made by three requests",
    errors.nothingMade(cause, 3),
    "server-error",
    `It failed. The request was sent 3 times, and the list of the service shows no new pipe of the name. ${LOOK}`,
  ],
  [
    "nothing was made because of the rate limit",
    errors.nothingMade(limited, 2),
    "rate-limited",
    "It failed. The request was sent 2 times, and the list of the service shows no new pipe of the name. Lower the limit.",
  ],
  [
    "something like it has come",
    errors.likeFound(
      "orders",
      [
        { pipe, doubt: "made before the request" },
        { pipe: { id: "2" }, doubt: "differs from the program" },
      ],
      cause,
    ),
    "conflict",
    'It failed. The list now has a pipe like "orders" that this request may not have made: 1 (made before the request), 2 (differs from ' +
      "the program). It was not taken over. Look at it in the service's console: if it is this program's, name its id as adopt.",
  ],
  [
    "a refused request may have made it",
    errors.appeared(pipe, cause),
    "server-error",
    'It failed. Meanwhile a pipe "orders" has appeared: 1. If it is this program\'s, name its id as adopt.',
  ],
])("%s: the error says what exists and gives one next step", (_, error, code, message) => {
  expect([error.code, error.message, error.answer]).toEqual([code, message, answer]);
  expect([`${error.summary} ${error.nextStep}`, error.reason]).toEqual([message, "status 504"]);
});
