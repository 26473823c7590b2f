import * as errors from "../../../provider/src/api/create-errors";
import { DatapipesError } from "../../../provider/src/errors";

const answer = { status: 504, operation: "createPipe" };
const cause = new DatapipesError("server-error", "It failed.", answer);
const pipes = [
  { id: "1", name: "orders" },
  { id: "2", name: "orders" },
];
const [pipe = { id: "" }] = pipes;

test.each<[what: string, error: DatapipesError, code: string, message: string]>([
  [
    "several pipes have come",
    errors.severalFound("orders", pipes, cause),
    "conflict",
    'It failed. Since then several pipes of the name "orders" have appeared: 1, 2. None was taken over. Find out which is the ' +
      "one of this program and name its id as adopt; remove the others.",
  ],
  [
    "nothing was made by one request",
    errors.nothingMade(cause, 1),
    "server-error",
    "It failed. The request was sent once, and as the list of the service shows no new pipe of the name, none was created.",
  ],
  [
    "nothing was made by three requests",
    errors.nothingMade(cause, 3),
    "server-error",
    "It failed. The request was sent 3 times, and as the list of the service shows no new pipe of the name, none was created.",
  ],
  [
    "something like it has come",
    errors.likeFound("orders", pipes, cause),
    "conflict",
    'It failed. Since then a pipe has appeared that is much like "orders", but not in all that was asked for: 1, 2. It was not taken ' +
      "over. If it is that of this program, name its id as adopt; if not, run the command again, which creates another one.",
  ],
  [
    "a refused request may have made it",
    errors.appeared(pipe, cause),
    "server-error",
    'It failed. Since the beginning of this run a pipe of the name "orders" has appeared: 1. If it is that of this program, made by ' +
      "the request all the same or by a copy of it, name its id as adopt.",
  ],
])("%s: the error says what is there and what to do", (_, error, code, message) => {
  expect([error.code, error.message, error.answer]).toEqual([code, message, answer]);
});
