import type { Identified } from "../../../provider/src/api/wire";
import type { DatapipesError } from "../../../provider/src/errors";
import type { Create } from "./creating";
import {
  body,
  pipe,
  failed,
  inTurn,
  posts,
  lists,
  SETTLED,
  NEVER_FOUND,
  BUG,
  counted,
  creating,
} from "./creating";

test.each<[what: string, error: DatapipesError, longest: number]>([
  ["no response in time", failed("timeout"), 30_000],
  ["a gateway that did not wait", failed("server-error", { status: 504 }), 30_000],
  ["another failure of the server", failed("server-error", { status: 500 }), 15_000],
  ["a connection that was cut", failed("connection"), 15_000],
])("after %s it reads the list, and sends the request three times in all", async (_, error, longest) => {
  const { create, clock, lines } = creating();
  const failure = await create({ post: posts(error) }).catch((reason: unknown) => reason);
  const looks = longest === 15_000 ? SETTLED : [...SETTLED, longest];
  // No request follows the last one, so that it gets all the time in which a list may be behind.
  expect(clock.sleeps).toEqual([...looks, ...looks, ...SETTLED, 30_000]);
  expect(failure).toMatchObject({
    code: error.code,
    message: expect.stringContaining("sent the request 3 times") as string,
  });
  const retry = [
    `create pipe "orders": ${error.code}; looking for the pipe in the list`,
    'create pipe "orders": the list does not have the pipe; sending the request again',
  ];
  expect(lines).toEqual([...retry, ...retry, retry[0]]);
});

test.each([0, 1, 5])(
  "with maxRetries %i it repeats a request without an answer at most so often",
  async (maxRetries) => {
    const { post, sent } = counted(posts(failed("server-error", { status: 500 })));
    await expect(creating(maxRetries).create({ post })).rejects.toMatchObject({ code: "server-error" });
    expect(sent()).toBe(1 + Math.min(2, maxRetries));
  },
);

test("says that the first of its requests may have created the pipe, though the rate limit refused the last", async () => {
  const post = posts(
    failed("server-error", { status: 504 }),
    failed("rate-limited", { status: 429, isRateLimit: true }),
  );
  await expect(creating().create({ post })).rejects.toThrow(
    "check in the service's console that no such pipe",
  );
});

describe("an answer that no repeat may follow", () => {
  test.each<[what: string, error: DatapipesError, looks: readonly number[]]>([
    ["a redirect", failed("unexpected-status", { status: 302 }), [0]],
    ["a redirect with 399", failed("unexpected-status", { status: 399 }), [0]],
    ["a success without an envelope", failed("invalid-response", { status: 200 }), [...SETTLED, 30_000]],
    ["an empty success", failed("invalid-response", { status: 204 }), [...SETTLED, 30_000]],
    ["an envelope of an odd success", failed("unexpected-status", { status: 299 }), [...SETTLED, 30_000]],
  ])("%s makes it read the list, and the request is sent once", async (_, error, looks) => {
    const { create, clock } = creating();
    const { post, sent } = counted(posts(error));
    await expect(create({ post })).rejects.toMatchObject({
      code: error.code,
      message:
        "It failed. The provider sent the request once, and the list of the service has no new pipe of this name. Before the next run, check in " +
        "the service's console that no such pipe has appeared since.",
    });
    expect([clock.sleeps, sent()]).toEqual([looks, 1]);
  });

  test.each([failed("unexpected-status", { status: 302 }), failed("invalid-response", { status: 200 })])(
    "%j finds the pipe that it made",
    async (error) => {
      const { post, sent } = counted(posts(error));
      expect(await creating().create({ post, list: lists([], [pipe("1")]) })).toEqual(pipe("1"));
      expect(sent()).toBe(1);
    },
  );
});

describe("a list that cannot be read after a lost answer", () => {
  const lost = failed("connection");
  const unknown = (reason: string): string =>
    `It failed. The API may have created the pipe: the provider cannot read the list (${reason}). Check in the service's ` +
    "console whether it exists: if so, set adopt to its id.";

  test.each<[what: string, error: DatapipesError]>([
    ["has no connection", failed("connection", { arrived: false })],
    ["gets no response in time", failed("timeout")],
    ["is answered 500", failed("server-error", { status: 500 })],
    ["is turned away by the rate limit", failed("rate-limited", { status: 429 })],
    ["is answered with a page", failed("invalid-response", { status: 200 })],
  ])("is read again when it %s", async (_, error) => {
    const { create, lines } = creating();
    const { post, sent } = counted(posts(lost));
    expect(await create({ post, list: lists([], error, [], error, [pipe("1")]) })).toEqual(pipe("1"));
    expect(sent()).toBe(1);
    expect(lines).toEqual([
      'create pipe "orders": connection; looking for the pipe in the list',
      `create pipe "orders": cannot read the list (${error.code}); retrying`,
      `create pipe "orders": cannot read the list (${error.code}); retrying`,
    ]);
  });

  test("sends nothing again when the last list has failed, also after an earlier one without the pipe", async () => {
    const { create, clock } = creating();
    const { post, sent } = counted(posts(lost, pipe("2")));
    const list = lists(...NEVER_FOUND.slice(1), failed("timeout"));
    await expect(create({ post, list })).rejects.toThrow(unknown("timeout"));
    expect(sent()).toBe(1);
    expect(clock.sleeps).toHaveLength(6);
  });

  test("sends the request again when only the last list could be read", async () => {
    const { post, sent } = counted(posts(lost, pipe("2")));
    const unread = Array<Error>(5).fill(failed("server-error"));
    expect(await creating().create({ post, list: lists([], ...unread, []) })).toEqual(pipe("2"));
    expect(sent()).toBe(2);
  });

  test.each(["unauthorized", "forbidden", "not-found"] as const)(
    "is not read again when it is %s",
    async (code) => {
      const { create, clock } = creating();
      const { post, sent } = counted(posts(lost, pipe("2")));
      await expect(create({ post, list: lists([], failed(code), []) })).rejects.toThrow(unknown(code));
      expect([sent(), clock.sleeps]).toEqual([1, [0]]);
    },
  );

  test("still names the pipe that an earlier list has shown", async () => {
    const like = pipe("9", { source: { kafka: { brokers: "other" } } });
    const list = lists([], [like], failed("server-error"));
    const body = { name: "orders", source: { kafka: { brokers: "b" } }, destination: { table: "t" } };
    await expect(creating().create({ body, post: posts(lost), list })).rejects.toThrow(
      /a similar pipe.*9 \(differs from the program\)/,
    );
  });

  test("is not read again after ten minutes", async () => {
    const { create, clock } = creating();
    let reads = 0;
    const list = async (): Promise<Identified[]> => {
      reads += 1;
      if (reads === 1) return [];
      await clock.sleep(400_000);
      throw failed("timeout");
    };
    await expect(create({ post: posts(lost), list })).rejects.toThrow(unknown("timeout"));
    expect(reads).toBe(3);
  });
});

test("names the ids of older pipes that are like the new one, and prints no line without one", async () => {
  const without = creating();
  await without.create({ list: inTurn([pipe("8", { name: "other" })]) });
  expect(without.lines).toEqual([]);
  const similar = creating();
  await similar.create({ list: inTurn([pipe("7"), pipe("8", { name: "other" }), pipe("9")]) });
  expect(similar.lines).toEqual([
    'warning: the service already has a pipe named "orders" for the same table (7, 9). The new pipe runs beside it; if ' +
      "both load the same data, the data is loaded twice. To manage an existing one instead, set adopt to the id of that one, run `pulumi state delete <URN of the resource>` and `pulumi up`, then delete the new pipe in the service's console.",
  ]);
});

test("refuses a response with an older pipe, and sends nothing again", async () => {
  const { create, lines } = creating();
  const { post, sent } = counted(inTurn(pipe("7"), pipe("2")));
  const list = inTurn([pipe("7")]);
  await expect(create({ post, list })).rejects.toThrow(/returned pipe 7.*sent the request once/);
  expect(sent()).toBe(1);
  expect(lines[1]).toBe(
    'create pipe "orders": a response with an older pipe; looking for the pipe in the list',
  );
});

test("a deleted pipe does not count as an older one", async () => {
  const { create, forget, lines } = creating();
  const list = inTurn([pipe("7", { name: "other" })]);
  await create({ post: inTurn(pipe("1")), list });
  await forget("7");
  expect((await create({ post: inTurn(pipe("7")), list })).id).toBe("7");
  expect(lines).toHaveLength(1);
});

test("forget() ignores unknown pipes", async () => {
  await expect(creating().forget("1")).resolves.toBeUndefined();
});

test("the next create reads a list again that failed", async () => {
  const { create } = creating();
  const list = lists(failed("server-error"), []);
  await expect(create({ list })).rejects.toThrow("It failed.");
  await expect(create({ list })).resolves.toEqual(pipe("1"));
});

test("creates of one name run one after the other, of different names at once", async () => {
  const { create } = creating();
  const started: string[] = [];
  const waiting: (() => void)[] = [];
  const post = (name: string, id: string) => () => {
    started.push(id);
    return new Promise<Identified>((resolve) =>
      waiting.push(() => {
        resolve(pipe(id, { name }));
      }),
    );
  };
  const all = [
    create({ body: { ...body, name: "a" }, post: post("a", "1") }),
    create({ body: { ...body, name: "A " }, post: post("A ", "2") }),
    create({ body: { ...body, name: "b" }, post: post("b", "3") }),
  ];
  await new Promise(setImmediate);
  expect(started).toEqual(["1", "3"]);
  for (const _ of ["1 and 3", "2"]) {
    for (const answer of waiting.splice(0)) answer();
    await new Promise(setImmediate);
  }
  expect((await Promise.all(all)).map(({ id }) => id)).toEqual(["1", "2", "3"]);
});

test("a request that never arrived is refused without another list", async () => {
  const refusal = failed("connection", { arrived: false });
  const list = lists([], new Error("a second list"));
  await expect(creating().create({ post: posts(refusal), list })).rejects.toBe(refusal);
});

test.each<[when: string, steps: Create]>([
  ["the request is sent", { post: posts(BUG) }],
  ["the list is read before", { list: lists(BUG) }],
  ["it is looked for", { post: posts(failed("connection")), list: lists([], BUG) }],
  ["it is looked for after a refusal", { post: posts(failed("bad-request")), list: lists([], BUG) }],
  [
    "it is looked for after the repeat",
    { post: posts(failed("connection"), pipe("2")), list: lists(...NEVER_FOUND, BUG) },
  ],
])("passes on an error of another package unchanged when %s", async (_, steps) => {
  await expect(creating().create(steps)).rejects.toThrow(BUG);
});

describe("a pipe that another provider instance of the run has claimed", () => {
  const claim = (id: string): boolean => id !== "theirs";
  const lost = failed("connection");

  test("is not taken after a lost answer: the request is sent again", async () => {
    const { create } = creating();
    const { post, sent } = counted(posts(lost, pipe("mine")));
    const list = lists([], [pipe("theirs")]);
    expect(await create({ post, list, run: { claim } })).toMatchObject({ id: "mine" });
    expect(sent()).toBe(2);
  });

  test("is an error where the API returns it", async () => {
    const { create } = creating();
    await expect(create({ post: posts(pipe("theirs")), run: { claim } })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("already manages the pipe theirs") as string,
    });
  });
});

test("the replaced pipe earns no warning of a second pipe", async () => {
  const { create, lines } = creating();
  await create({ post: posts(pipe("new")), list: lists([pipe("OLD")]), run: { replaced: "old" } });
  expect(lines).toEqual([]);
  await create({ post: posts(pipe("newer")), list: lists([pipe("OLD")]) });
  expect(lines).toHaveLength(1);
});
