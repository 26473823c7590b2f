import { DuplicatePipeError } from "../../../provider/src/resources/recovery/create-errors";
import { counted, creating, failed, lists, NEVER_FOUND, pipe, posts, SETTLED } from "./creating";

test("a second pipe after the repeat is an error that names both", async () => {
  const [post, list] = [
    posts(failed("connection"), pipe("2")),
    lists(...NEVER_FOUND, [pipe("1"), pipe("2")]),
  ];
  const failure = (await creating()
    .create({ post, list })
    .catch((reason: unknown) => reason)) as DuplicatePipeError;
  expect(failure).toBeInstanceOf(DuplicatePipeError);
  expect(failure).toMatchObject({ code: "conflict", answer: { operation: "createPipe" }, pipe: pipe("2") });
  expect(failure.message).toBe(
    'create pipe "orders" (2): the provider sent the request again, because an earlier response was lost and the list did not have the pipe. The service now also has ' +
      "1, with the same name. All of them load the same data. Delete the others in the service's console, unless they belong to another " +
      "client.",
  );
});

test("a second pipe is found although the service has rewritten what the program requests", async () => {
  const body = { name: "orders", destination: { table: "t" }, source: { kafka: { topics: "a", offset: "12:00" } } };
  const rewritten = { source: { kafka: { topics: "a", offset: "12:00:00Z" } } };
  const [one, two] = [pipe("1", rewritten), pipe("2", rewritten)];
  const post = posts(failed("connection"), two);
  const list = lists(...NEVER_FOUND, [one, two]);
  await expect(creating().create({ body, post, list })).rejects.toThrow(/\(2\).* The service now also has 1,/);
});

test.each([
  ["cannot be read", failed("server-error"), "cannot read the list (server-error)", 7],
  ["may not be read", failed("forbidden"), "cannot read the list (forbidden)", 1],
  ["does not show the new pipe", [], "the list does not show this pipe yet", 7],
])("asks the user to look when the list %s after the repeat", async (_, list, problem, reads) => {
  const { create, lines, clock } = creating();
  const post = posts(failed("connection"), pipe("2"));
  await create({ post, list: lists(...NEVER_FOUND, list) });
  expect(lines.at(-1)).toBe(
    `warning: the provider created pipe "orders" (2) with a repeated request, and ${problem}. Check in the service's ` +
      "console whether an earlier request created a second pipe.",
  );
  expect(clock.sleeps).toEqual([...SETTLED, ...[...SETTLED, 30_000].slice(0, reads)]);
});

test("waits until the list shows the pipe of the repeat, and then finds that of the first request", async () => {
  const { create } = creating();
  const post = posts(failed("connection"), pipe("2"));
  const list = lists(...NEVER_FOUND, [], [], [pipe("1"), pipe("2")]);
  await expect(create({ post, list })).rejects.toThrow(/\(2\).* The service now also has 1,/);
});

describe("when the repeat has no answer either, and the list then shows one pipe", () => {
  const post = () => posts(failed("connection"), failed("server-error"));

  test("reads it for another minute, because the other request may have created one, too", async () => {
    const { create, lines, clock } = creating();
    expect(await create({ post: post(), list: lists(...NEVER_FOUND, [pipe("1")]) })).toEqual(pipe("1"));
    expect(clock.sleeps).toEqual([...SETTLED, 0, ...SETTLED, 30_000]);
    expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
  });

  test("names a second pipe that is in a later list", async () => {
    const list = lists(...NEVER_FOUND, [pipe("1")], [pipe("1")], [pipe("1"), pipe("2")]);
    await expect(creating().create({ post: post(), list })).rejects.toThrow(
      /\(1\).* The service now also has 2,/,
    );
  });
});

test("takes a gateway's 429 for an answer that proves nothing, and looks as long as after a lost one", async () => {
  const { create, clock } = creating();
  const { post, sent } = counted(posts(failed("rate-limited", { status: 429, isPage: true })));
  expect(await create({ post, list: lists([], [], [], [pipe("1")]) })).toEqual(pipe("1"));
  expect([sent(), clock.sleeps]).toEqual([1, SETTLED.slice(0, 3)]);
});
