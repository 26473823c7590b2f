import type { Identified } from "../../../provider/src/api/document/wire";
import type { DatapipesError } from "../../../provider/src/messages/errors";
import { body, creating, DELAYS, failed, NEVER_FOUND, pipe, type Creation } from "./creating";

const LOST = failed("connection");
const NO_ENVELOPE = failed("invalid-response", { status: 200 });
const BUG = new TypeError("a bug");

const looking = (reason: string): string =>
  `create pipe "orders": ${reason}; looking for the pipe in the list`;
const AGAIN = 'create pipe "orders": the list does not have the pipe; sending the request again';
const unread = (reason: string): string => `create pipe "orders": cannot read the list (${reason}); retrying`;
const notCreated = (times: string): string =>
  `It failed. The provider sent the request ${times}, and the list of the service has no new pipe of this name. Before the next run, check in ` +
  "the service's console that no such pipe has appeared since.";
const mayExist = (reason: string): string =>
  `It failed. The API may have created the pipe: the provider cannot read the list (${reason}). Check in the service's ` +
  "console whether it exists: if so, set adopt to its id.";

test.each<[times: "once" | "3 times", what: string, error: DatapipesError, delays: readonly number[]]>([
  ["3 times", "no response in time", failed("timeout"), [...DELAYS, 30_000]],
  ["3 times", "a gateway that did not wait", failed("server-error", { status: 504 }), [...DELAYS, 30_000]],
  ["3 times", "a gateway's 429", failed("rate-limited", { status: 429, isPage: true }), DELAYS],
  ["3 times", "another failure of the server", failed("server-error", { status: 500 }), DELAYS],
  ["3 times", "a request timeout", failed("unexpected-status", { status: 408 }), DELAYS],
  ["3 times", "a connection that was cut", LOST, DELAYS],
  ["once", "a redirect", failed("unexpected-status", { status: 302 }), [0]],
  ["once", "a redirect with 399", failed("unexpected-status", { status: 399 }), [0]],
  ["once", "a success without an envelope", NO_ENVELOPE, DELAYS],
  ["once", "an empty success", failed("invalid-response", { status: 204 }), DELAYS],
  ["once", "an envelope of an odd success", failed("unexpected-status", { status: 299 }), DELAYS],
])("sends the request %s and reads the list, after %s", async (times, _, error, delays) => {
  const sent = times === "once" ? 1 : 3;
  // No request follows the last one, so that its pipe gets all the time in which a list may be behind.
  const afterLast = delays === DELAYS ? [30_000] : [];
  const sleeps = [...Array<readonly number[]>(sent).fill(delays).flat(), ...afterLast];
  const lines = Array<string>(sent).fill(looking(error.reason)).join(`\n${AGAIN}\n`).split("\n");
  const failure = { code: error.code, message: notCreated(times) };
  expect(await creating().create({ posts: [error] })).toMatchObject({ sent, sleeps, lines, error: failure });
  const found = await creating().create({ posts: [error], lists: [[], [pipe("1")]] });
  expect(found).toMatchObject({ made: pipe("1"), sent: 1, sleeps: [0] });
});

test.each([0, 1, 5])("with maxRetries %i it repeats a request at most so often", async (maxRetries) => {
  const { error, sent } = await creating(maxRetries).create({ posts: [LOST] });
  expect([error, sent]).toMatchObject([{ code: "connection" }, 1 + Math.min(2, maxRetries)]);
});

test.each<[what: string, error: DatapipesError]>([
  ["has no connection", failed("connection", { arrived: false })],
  ["gets no response in time", failed("timeout")],
  ["is answered 500", failed("server-error", { status: 500 })],
  ["is turned away by the rate limit", failed("rate-limited", { status: 429 })],
  ["is refused by the rate limit", failed("rate-limited", { status: 429, isRateLimit: true })],
  ["is answered with a page", NO_ENVELOPE],
])("reads a list again that %s after a lost answer", async (_, error) => {
  const lists = [[], error, [], error, [pipe("1")]];
  const lines = [looking("connection"), unread(error.reason), unread(error.reason)];
  const outcome = { made: pipe("1"), sent: 1, lines };
  expect(await creating().create({ posts: [LOST], lists })).toMatchObject(outcome);
});

const refusedByLimit = failed("rate-limited", { status: 429, isRateLimit: true });
const similar = ["9", "10"].map((id) => pipe(id, { source: { kafka: { brokers: "other" } } }));
const withSource = { ...body, source: { kafka: { brokers: "b" } } };
const SIMILAR =
  "It failed. The list now has a similar pipe that this request may not have created: 9 (differs from the program), 10 (differs from the " +
  "program). The provider did not adopt it. Check it in the service's console: if it belongs to this program, set adopt to its id.";
const OWN_DELAYS = [...DELAYS, 30_000];
const duplicate = (id: string, others: string): string =>
  `create pipe "orders" (${id}): the provider sent the request again, because an earlier response was lost and the list did not have the pipe. The service now also has ` +
  `${others}, with the same name. All of them load the same data. Delete the others in the service's console, unless they belong to another ` +
  "client.";

const noAnswers = [LOST, failed("server-error")];
const withOffset = { ...body, source: { kafka: { offset: "12:00" } } };
const rewritten = { source: { kafka: { offset: "12:00:00Z" } } };
const secondRewritten = pipe("2", rewritten);
const bothRewritten = [pipe("1", rewritten), secondRewritten];
const SECOND = duplicate("2", "1");
const CREATE = { operation: "createPipe" };
const RETURNED = expect.stringMatching(/returned pipe 7.*sent the request once/) as string;
const MANAGED = expect.stringContaining("already manages the pipe theirs") as string;
const WARNING = expect.stringMatching(/^warning/) as string;
const NO_WARNING = expect.not.stringContaining("warning") as string;
const [one, both] = [[pipe("1")], [pipe("1"), pipe("2")]];

const OUTCOMES: Readonly<Record<string, readonly [asked: Creation, outcome: object]>> = {
  "sends nothing again when the last list fails, also after an earlier one without the pipe": [
    { posts: [LOST, pipe("2")], lists: [...NEVER_FOUND.slice(1), failed("timeout")] },
    { sent: 1, sleeps: DELAYS, error: { message: mayExist("timeout") } },
  ],
  "sends the request again when only the last list could be read": [
    { posts: [LOST, pipe("2")], lists: [[], ...Array<Error>(5).fill(failed("server-error")), []] },
    { made: pipe("2"), sent: 2 },
  ],
  "names the pipe that an earlier list has shown, when the last one fails": [
    { body: withSource, posts: [LOST], lists: [[], similar, failed("server-error")] },
    { error: { code: "conflict", message: SIMILAR } },
  ],
  "says that its first request may have created the pipe, though the rate limit refused the last": [
    { posts: [failed("server-error", { status: 504 }), refusedByLimit] },
    { sent: 2, error: { code: "rate-limited", message: notCreated("2 times") } },
  ],
  "refuses a response with an older pipe, and sends nothing again": [
    { posts: [pipe("7"), pipe("2")], lists: [[pipe("7")]] },
    { sent: 1, error: { message: RETURNED }, lines: [WARNING, looking("a response with an older pipe")] },
  ],
  "refuses without another list what never arrived": [
    { posts: [failed("connection", { arrived: false })], lists: [[], BUG] },
    { sent: 1, sleeps: [], error: { code: "connection" } },
  ],
  "does not take a pipe that another provider instance of the run has taken, and sends the request again": [
    { posts: [LOST, pipe("mine")], lists: [[], [pipe("theirs")]], run: { take: (id) => id !== "theirs" } },
    { made: pipe("mine"), sent: 2 },
  ],
  "refuses a pipe from the API that another provider instance of the run has taken": [
    { posts: [pipe("theirs")], run: { take: () => false } },
    { error: { code: "conflict", answer: CREATE, finding: "not-created", message: MANAGED } },
  ],
  "waits until the list shows the pipe of the repeat, and then finds that of the first request": [
    { posts: [LOST, pipe("2")], lists: [...NEVER_FOUND, [], [], both] },
    { error: { code: "conflict", answer: CREATE, pipe: pipe("2"), message: SECOND } },
  ],
  "reads the list for another minute when the repeat has no answer either": [
    { posts: noAnswers, lists: [...NEVER_FOUND, one] },
    { made: pipe("1"), sleeps: [...DELAYS, 0, ...OWN_DELAYS], lines: Array<string>(3).fill(NO_WARNING) },
  ],
  "names a second pipe also where the service has rewritten what the program requests": [
    { body: withOffset, posts: [LOST, secondRewritten], lists: [...NEVER_FOUND, bothRewritten] },
    { error: { message: SECOND } },
  ],
  "names a second pipe that only a later list shows, when the repeat has no answer either": [
    { posts: noAnswers, lists: [...NEVER_FOUND, one, one, both] },
    { error: { message: duplicate("1", "2") } },
  ],
};

test.each(Object.entries(OUTCOMES))("%s", async (_, [asked, outcome]) => {
  expect(await creating().create(asked)).toMatchObject(outcome);
});

test.each(["unauthorized", "forbidden", "not-found"] as const)("no list is read again: %s", async (code) => {
  const outcome = await creating().create({ posts: [LOST, pipe("2")], lists: [[], failed(code), []] });
  expect(outcome).toMatchObject({ sent: 1, sleeps: [0], error: { message: mayExist(code) } });
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

test("reads no list again after ten minutes", async () => {
  const { create, clock } = creating();
  let reads = 0;
  const lists = async (): Promise<Identified[]> => {
    reads += 1;
    if (reads === 1) return [];
    await clock.sleep(400_000);
    throw failed("timeout");
  };
  const { error } = await create({ posts: [LOST], lists });
  expect([error, reads]).toMatchObject([{ message: mayExist("timeout") }, 3]);
});

test.each<[when: string, asked: Creation]>([
  ["the request is sent", { posts: [BUG] }],
  ["the list is read before", { lists: [BUG] }],
  ["it is looked for", { posts: [LOST], lists: [[], BUG] }],
  ["it is looked for after a refusal", { posts: [failed("bad-request")], lists: [[], BUG] }],
  ["it is looked for after the repeat", { posts: [LOST, pipe("2")], lists: [...NEVER_FOUND, BUG] }],
])("passes on an error of another package unchanged when %s", async (_, asked) => {
  expect((await creating().create(asked)).error).toBe(BUG);
});

test("warns of older pipes that are like the new one, but not of the one that it replaces", async () => {
  const older = [pipe("7"), pipe("8", { name: "other" }), pipe("9")];
  const linesOf = async (lists: Identified[], run = {}) =>
    (await creating().create({ lists: [lists], run })).lines;
  expect(await linesOf(older)).toEqual([
    'warning: the service already has pipe "orders" (7) and pipe "orders" (9), which read the same source into the same table as the new ' +
      'pipe "orders": the data is loaded twice. To manage that one, set adopt to its id, run `pulumi state delete <URN of the resource>` ' +
      "and `pulumi up`, then delete the new one in the console.",
  ]);
  expect(await linesOf(older.slice(1, 2))).toEqual([]);
  expect(await linesOf([pipe("OLD")], { replaced: "old" })).toEqual([]);
});

test("a deleted pipe does not count as an older one, and an unknown one can be deleted", async () => {
  const { create, forget } = creating();
  await forget("7");
  await create({ lists: [[pipe("7", { name: "other" })]] });
  await forget("7");
  const { made, lines } = await create({ posts: [pipe("7")] });
  expect([made, lines]).toMatchObject([{ id: "7" }, { length: 1 }]);
});

test("the next create reads a list again that failed", async () => {
  const { create } = creating();
  expect(await create({ lists: [failed("server-error")] })).toMatchObject({ sent: 0 });
  expect(await create({ lists: [[]] })).toMatchObject({ made: pipe("1") });
});

test("creates of one name run one after the other, of different names at once", async () => {
  const { create } = creating();
  const [started, waiting]: [string[], (() => void)[]] = [[], []];
  const all = ["a", "A ", "b"].map((name) =>
    create({
      body: { ...body, name },
      posts: () => {
        started.push(name);
        return new Promise((resolve) =>
          waiting.push(() => {
            resolve(pipe(name, { name }));
          }),
        );
      },
    }),
  );
  const settled = () => new Promise(setImmediate);
  await settled();
  expect(started).toEqual(["a", "b"]);
  for (const _ of ["a and b", "A "]) {
    for (const answer of waiting.splice(0)) answer();
    await settled();
  }
  expect((await Promise.all(all)).map(({ made }) => made?.id)).toEqual(["a", "A ", "b"]);
});
