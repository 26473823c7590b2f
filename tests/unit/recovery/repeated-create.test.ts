import { DuplicatePipeError } from "../../../provider/src/resources/recovery/create-errors";
import { creating, DELAYS, failed, NEVER_FOUND, pipe, type Creation } from "./creating";

const LOST = failed("connection");
const OWN_DELAYS = [...DELAYS, 30_000];
const duplicate = (id: string, others: string): string =>
  `create pipe "orders" (${id}): the provider sent the request again, because an earlier response was lost and the list did not have the pipe. The service now also has ` +
  `${others}, with the same name. All of them load the same data. Delete the others in the service's console, unless they belong to another ` +
  "client.";

test("a second pipe after the repeat is an error that names both", async () => {
  const lists = [...NEVER_FOUND, [pipe("1"), pipe("2")]];
  const { error } = await creating().create({ posts: [LOST, pipe("2")], lists });
  expect(error).toBeInstanceOf(DuplicatePipeError);
  const answer = { operation: "createPipe" };
  expect(error).toMatchObject({ code: "conflict", answer, pipe: pipe("2"), message: duplicate("2", "1") });
});

test.each([
  ["cannot be read", failed("server-error"), "cannot read the list (server-error)", OWN_DELAYS],
  ["may not be read", failed("forbidden"), "cannot read the list (forbidden)", [0]],
  ["does not show the new pipe", [], "the list does not show this pipe yet", OWN_DELAYS],
])("asks the user to look when the list %s after the repeat", async (_, list, problem, delays) => {
  const lists = [...NEVER_FOUND, list];
  const { lines, sleeps } = await creating().create({ posts: [LOST, pipe("2")], lists });
  expect(lines.at(-1)).toBe(
    `warning: the provider created pipe "orders" (2) with a repeated request, and ${problem}. Check in the service's ` +
      "console whether an earlier request created a second pipe.",
  );
  expect(sleeps).toEqual([...DELAYS, ...delays]);
});

const noAnswers = [LOST, failed("server-error")];
const [one, both] = [[pipe("1")], [pipe("1"), pipe("2")]];

test.each<[what: string, asked: Creation, outcome: object]>([
  [
    "waits until the list shows the pipe of the repeat, and then finds that of the first request",
    { posts: [LOST, pipe("2")], lists: [...NEVER_FOUND, [], [], both] },
    { error: { message: duplicate("2", "1") } },
  ],
  [
    "reads the list for another minute when the repeat has no answer either: the other request may have created a pipe",
    { posts: noAnswers, lists: [...NEVER_FOUND, one] },
    {
      made: pipe("1"),
      sleeps: [...DELAYS, 0, ...OWN_DELAYS],
      lines: [1, 2, 3].map(() => expect.not.stringContaining("warning") as string),
    },
  ],
  [
    "names a second pipe that only a later list shows, when the repeat has no answer either",
    { posts: noAnswers, lists: [...NEVER_FOUND, one, one, both] },
    { error: { message: duplicate("1", "2") } },
  ],
])("%s", async (_, asked, outcome) => {
  expect(await creating().create(asked)).toMatchObject(outcome);
});
