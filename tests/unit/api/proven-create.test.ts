import { DoubledPipeError, ProvenCreate, type CreateSteps } from "../../../provider/src/api/proven-create";
import { ServerClock } from "../../../provider/src/api/server-clock";
import type { Identified } from "../../../provider/src/api/wire";
import { DatapipesError, type DatapipesErrorCode } from "../../../provider/src/errors";
import { SwiftClock } from "../../support/swift-clock";

const scope = { organizationId: "o", serviceId: "s" };
const body = { name: "orders", destination: { table: "t" } };
const pipe = (id: string, more: object = {}): Identified => ({ ...body, ...more, id });
const failed = (code: DatapipesErrorCode, answer: DatapipesError["answer"] = {}): DatapipesError =>
  new DatapipesError(code, "It failed.", answer);

/** Answers in their order; the last one for ever. An error is thrown. */
const inTurn =
  <T>(...answers: readonly (T | Error)[]) =>
  (): Promise<T> => {
    const [answer, ...rest] = answers;
    if (rest.length > 0) answers = rest;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as T);
  };

class WatchedClock extends SwiftClock {
  readonly sleeps: number[] = [];

  override sleep(milliseconds: number): Promise<void> {
    this.sleeps.push(milliseconds);
    return super.sleep(milliseconds);
  }
}

function creating() {
  const clock = new WatchedClock();
  const lines: string[] = [];
  const inform = (line: string): void => {
    lines.push(line);
  };
  const creates = new ProvenCreate({ clock, serverClock: new ServerClock(clock), inform, maxRetries: 0 });
  const create = (steps: Partial<CreateSteps>): Promise<Identified> =>
    creates.create({ scope, body, post: inTurn(pipe("1")), list: inTurn<Identified[]>([]), ...steps });
  return { creates, create, clock, lines };
}

test.each<[what: string, error: DatapipesError, longest: number]>([
  ["no answer in time", failed("timeout"), 30_000],
  ["a gateway that did not wait", failed("server-error", { status: 504 }), 30_000],
  ["another failure of the server", failed("server-error", { status: 500 }), 15_000],
  ["a connection that was cut", failed("connection"), 15_000],
])("after %s it is looked for, and sent three times in all", async (_, error, longest) => {
  const { create, clock, lines } = creating();
  const failure = await create({ post: inTurn<Identified>(error) }).catch((reason: unknown) => reason);
  const settled = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
  const looks = longest === 15_000 ? settled : [...settled, longest];
  expect(clock.sleeps).toEqual([...looks, ...looks, ...looks]);
  expect(failure).toMatchObject({
    code: error.code,
    message: expect.stringContaining("sent 3 times") as string,
  });
  const told = [
    `create pipe "orders": ${error.code}; looking for it in the list`,
    'create pipe "orders": not in the list, so not created; sending the request again',
  ];
  expect(lines).toEqual([...told, ...told, told[0]]);
});

test("a pipe that is like one of before is announced, with the id of that one", async () => {
  const { create, lines } = creating();
  await create({ list: inTurn([pipe("7"), pipe("8", { name: "other" }), pipe("9")]) });
  expect(lines).toEqual([
    'warning: the service already has a pipe of the name "orders" for the same table (7, 9). The new pipe runs beside it; if ' +
      "both load the same data, the data is there twice. To take over the existing pipe, name its id as adopt.",
  ]);
});

test("nothing is said where there is none like it", async () => {
  const { create, lines } = creating();
  await create({ list: inTurn([pipe("8", { name: "other" })]) });
  expect(lines).toEqual([]);
});

test("an answer that names a pipe of before is not believed", async () => {
  const { create, lines } = creating();
  await create({ post: inTurn(pipe("7"), pipe("2")), list: inTurn([pipe("7")]) });
  expect(lines[1]).toBe(
    'create pipe "orders": an answer that names an older pipe; looking for it in the list',
  );
});

test("a pipe that was deleted meanwhile is none of before", async () => {
  const { creates, create, lines } = creating();
  const list = inTurn([pipe("7", { name: "other" })]);
  await create({ post: inTurn(pipe("1")), list });
  await creates.forget(scope, "7");
  expect((await create({ post: inTurn(pipe("7")), list })).id).toBe("7");
  expect(lines).toHaveLength(1);
});

test("to forget what was never known is nothing", async () => {
  await expect(creating().creates.forget(scope, "1")).resolves.toBeUndefined();
});

test("a look that failed is taken again by the next create", async () => {
  const { create } = creating();
  const list = inTurn<Identified[]>(failed("server-error"), []);
  await expect(create({ list })).rejects.toThrow("It failed.");
  await expect(create({ list })).resolves.toEqual(pipe("1"));
});

test("two of one name take turns, two of different names do not", async () => {
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
  waiting.splice(0).forEach((answer) => {
    answer();
  });
  await new Promise(setImmediate);
  waiting.splice(0).forEach((answer) => {
    answer();
  });
  expect((await Promise.all(all)).map(({ id }) => id)).toEqual(["1", "2", "3"]);
});

test("a refusal of what never arrived needs no look", async () => {
  const { create } = creating();
  let looks = 0;
  const list = (): Promise<Identified[]> => Promise.resolve((looks += 1) > 1 ? [pipe("9")] : []);
  const refusal = failed("connection", { arrived: false });
  await expect(create({ post: inTurn<Identified>(refusal), list })).rejects.toBe(refusal);
  expect(looks).toBe(1);
});

test("a second pipe that shows after the repeat is an error that has the first", async () => {
  const { create } = creating();
  const none: Identified[] = [];
  const failure = (await create({
    post: inTurn<Identified>(failed("connection"), pipe("2")),
    list: inTurn<Identified[]>(none, none, none, none, none, none, none, [pipe("1"), pipe("2")]),
  }).catch((reason: unknown) => reason)) as DoubledPipeError;
  expect(failure).toBeInstanceOf(DoubledPipeError);
  expect([failure.code, failure.answer, failure.pipe]).toEqual([
    "conflict",
    { operation: "createPipe" },
    pipe("2"),
  ]);
  expect(failure.message).toBe(
    'create pipe "orders" was sent again, because its first answer was lost and the list did not show the pipe. Now another one of the ' +
      "name is there too: 1. Both load the same data. The pipe in the stack is 2. If 1 belongs to no other client, remove it in the " +
      "service's console.",
  );
});

test("where nobody can look after the repeat, the user is told to", async () => {
  const { create, lines } = creating();
  const none: Identified[] = [];
  const unread = failed("server-error");
  await create({
    post: inTurn<Identified>(failed("connection"), pipe("2")),
    list: inTurn<Identified[]>(none, none, none, none, none, none, none, unread),
  });
  expect(lines.at(-1)).toBe(
    'warning: pipe "orders" was created with a repeated request, and the list cannot be read (server-error). Look in the service\'s ' +
      "console whether the first request has made a second one.",
  );
});

test.each<[when: string, steps: Partial<CreateSteps>]>([
  ["the request is sent", { post: inTurn<Identified>(new TypeError("a bug")) }],
  ["the list is read before", { list: inTurn<Identified[]>(new TypeError("a bug")) }],
  [
    "it is looked for",
    {
      post: inTurn<Identified>(failed("connection")),
      list: inTurn<Identified[]>([], new TypeError("a bug")),
    },
  ],
  [
    "it is looked for after a refusal",
    {
      post: inTurn<Identified>(failed("bad-request")),
      list: inTurn<Identified[]>([], new TypeError("a bug")),
    },
  ],
  [
    "it is looked for after the repeat",
    {
      post: inTurn<Identified>(failed("connection"), pipe("2")),
      list: inTurn<Identified[]>([], [], [], [], [], [], [], new TypeError("a bug")),
    },
  ],
])("an error that is none of this package passes as it is when %s", async (_, steps) => {
  await expect(creating().create(steps)).rejects.toThrow(new TypeError("a bug"));
});
