import { Fresh } from "../../../provider/src/values/fresh";

/** A value whose requests a test sends and answers. */
function fresh() {
  const clock = { now: 0 };
  const requests: { send: () => void; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const value = new Fresh(
    () => clock.now,
    (send) => new Promise<string>((answer, fail) => requests.push({ send, answer, fail })),
  );
  return { clock, requests, value };
}

type Test = ReturnType<typeof fresh>;

/** Lets all that can happen without a request happen. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Sends the last request at a moment, and answers it with a value. */
async function answerAt({ clock, requests }: Test, now: number, value: string): Promise<void> {
  await settled();
  clock.now = now;
  requests.at(-1)?.send();
  requests.at(-1)?.answer(value);
  await settled();
}

test("one request runs at a time, and all that need a newer value share the next one", async () => {
  const given = fresh();
  const first = given.value.read();
  await settled();
  given.requests[0]?.send();
  given.clock.now = 5;
  const later = [0, 4, 5].map((after) => given.value.read(after));
  await settled();
  expect(given.requests).toHaveLength(1);
  given.requests[0]?.answer("a");
  await answerAt(given, 8, "b");
  expect(await first).toEqual("a");
  expect(await Promise.all(later)).toEqual(Array(3).fill("b"));
  expect(given.requests).toHaveLength(2);
});

test("a repeated request is as new as its last attempt", async () => {
  const given = fresh();
  const first = given.value.read();
  await settled();
  given.requests[0]?.send();
  await answerAt(given, 60, "a");
  expect(await first).toEqual("a");
  expect(await given.value.read(59)).toEqual("a");
});

test("a failure is not that of the next request, which waits for it", async () => {
  const given = fresh();
  const failed = expect(given.value.read()).rejects.toThrow("away");
  await settled();
  given.requests[0]?.send();
  const next = given.value.read(0);
  given.requests[0]?.fail(new Error("away"));
  await failed;
  await answerAt(given, 3, "a");
  expect(await next).toEqual("a");
  expect(await given.value.read(2)).toEqual("a");
  expect(given.requests).toHaveLength(2);
});
