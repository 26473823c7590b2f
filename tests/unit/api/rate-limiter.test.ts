import { cancellableClock } from "../../../provider/src/api/http/clock";
import { Limiter, limiterFor } from "../../../provider/src/api/http/rate-limiter";
import type { Quota } from "../../../provider/src/api/http/quota";
import { ManualClock } from "../../../testkit/manual-clock";

/** Starts a request at each of the given times, each of which takes so long, and returns when each may start. */
async function startsOf(
  limiter: Pick<Limiter, "start" | "shared">,
  clock: ManualClock,
  arrivals: readonly number[],
  takes = 0,
  quota?: Quota,
): Promise<number[]> {
  const starts: number[] = [];
  for (const at of arrivals) {
    await clock.run(at);
    void limiter.start().then(async (finish) => {
      starts.push(clock.now());
      if (takes > 0) await clock.sleep(takes);
      limiter.shared.serves(quota);
      finish();
    });
  }
  await clock.run((arrivals.at(-1) ?? 0) + 1_000_000_000);
  return starts;
}

const times = (count: number, at: number): number[] => Array<number>(count).fill(at);

type Limit = ConstructorParameters<typeof Limiter>[0];

const OFTEN = { requests: 10, seconds: 10 };
const ONE = { requests: 1, seconds: 1 };
const TWO = { requests: 2, seconds: 1 };
const SPACED = [0, 5000, 10_000, 15_000];
const WINDOWS = [...times(10, 0), ...times(10, 10_001), ...times(5, 20_002)];

test.each<[what: string, limit: Limit, takes: number, arrivals: number[], starts: number[]]>([
  ["ten requests start at once, the eleventh after the window", OFTEN, 0, times(25, 0), WINDOWS],
  ["late starts count past an edge", TWO, 0, [0, 900, 1100, 1100], [0, 900, 1100, 1901]],
  ["a request starts at once while there is room", { requests: 1, seconds: 4 }, 0, SPACED, SPACED],
  ["without a limit, all requests start at once", "off", 0, times(100, 0), times(100, 0)],
  ["a request counts until a window after its end", ONE, 700, [0, 0], [0, 1701]],
])("%s", async (_, limit, takes, arrivals, starts) => {
  const clock = new ManualClock();
  expect(await startsOf(new Limiter(limit, clock), clock, arrivals, takes)).toEqual(starts);
});

test.each([["off" as const], [OFTEN]])("a pause delays all requests, with a limit of %j", async (limit) => {
  const clock = new ManualClock();
  const limiter = new Limiter(limit, clock, () => 0);
  limiter.shared.refuses(0, 5000);
  limiter.shared.refuses(0, 1000);
  const [first = 0, ...others] = await startsOf(limiter, clock, [0, 100, 7000]);
  expect(first).toBeGreaterThanOrEqual(5000);
  if (limit === "off") expect(others).toEqual([5000, 7000]);
});

test("the requests of a run start one after the other until answers come or a hundredth of a window has passed", async () => {
  const slow = new ManualClock();
  expect(await startsOf(new Limiter(OFTEN, slow), slow, times(4, 0), 5000)).toEqual([0, 100, 200, 300]);
  const fast = new ManualClock();
  const starts = await startsOf(new Limiter(OFTEN, fast), fast, times(8, 0), 30);
  expect(starts).toEqual([...[0, 30, 30], ...times(5, 60)]);
});

test("after a refusal the share of the last window is the interval, which gets shorter with each served request", async () => {
  const clock = new ManualClock();
  const limiter = new Limiter(OFTEN, clock, () => 0.5);
  for (let count = 0; count < 7; count += 1) limiter.shared.serves();
  limiter.shared.refuses(0, 0);
  const starts = await startsOf(limiter, clock, times(20, 0));
  const gaps = starts.map((start, index) => start - (starts[index - 1] ?? 0));
  expect(gaps.slice(0, 3)).toEqual([1000, 1000, 860]);
  expect(gaps.slice(1, 10)).toEqual([...gaps.slice(1, 10)].sort((a, b) => b - a));
});

test("refusals in a row make the interval longer, but try often before the timeout; the time without a served request counts", async () => {
  const clock = new ManualClock();
  const { shared } = new Limiter(OFTEN, clock, () => 0.5);
  const delays: number[] = [];
  while (shared.unservedFor < 570_000 && delays.length < 999) {
    shared.refuses(clock.now(), 0, 600_000);
    delays.push(shared.delay());
    await clock.run(clock.now() + shared.delay());
  }
  expect(delays.slice(0, 3).map(Math.round)).toEqual([7000, 8750, 10_938]);
  expect(Math.max(...delays)).toBeGreaterThan(25_000);
  expect(delays.at(-1)).toBeLessThan(2000);
  expect(shared.unservedFor).toBe(clock.now());
  expect([shared.refused, shared.served]).toEqual([delays.length, 0]);
  shared.serves();
  expect([shared.refusedInRow, shared.unservedFor]).toEqual([0, 0]);
});

test("requests spread over the time until the service counts anew, by what it states to be left", async () => {
  const left = (remaining: number): Promise<number[]> => {
    const clock = new ManualClock();
    const limiter = new Limiter(OFTEN, clock, () => 0.5);
    for (let count = 0; count < 3; count += 1) limiter.shared.serves();
    limiter.shared.refuses(0, 0);
    return startsOf(limiter, clock, times(2, 0), 0, { remaining, resetSeconds: 8 });
  };
  const [much = [], little = [], nothing = []] = await Promise.all([6, 3, 0].map(left));
  const gaps = [much, little, nothing].map(([first = 0, second = 0]) => Math.round((second - first) / 1000));
  expect(gaps).toEqual([2, 5, 9]);
  const clock = new ManualClock();
  const none = { remaining: 0, resetSeconds: 8 };
  const alone = await startsOf(new Limiter(OFTEN, clock), clock, [0, 0], 0, none);
  expect(alone).toEqual([0, 8000]);
});

test("work that a cancellation does not end learns of it, whenever it came", async () => {
  const [cancelled, ended] = [new AbortController(), new AbortController()];
  const clock = cancellableClock({ cancelled: cancelled.signal, ended: ended.signal });
  const learnt: string[] = [];
  const work = (what: string, end = (): void => undefined) =>
    clock.finish?.(
      () => Promise.resolve().then(end),
      () => learnt.push(what),
    );
  await work("before");
  await work("meanwhile", () => {
    cancelled.abort();
  });
  await work("after");
  expect(learnt).toEqual(["meanwhile", "after"]);
});

test("a wait of more than five seconds in all is logged, at most every 15 seconds, with how many wait and until when", async () => {
  const linesOf = async (requests: number, seconds: number, arrivals: readonly number[]) => {
    const clock = new ManualClock();
    const limiter = new Limiter({ requests, seconds }, clock);
    const lines: string[] = [];
    const start = () => limiter.start((line) => lines.push(line));
    await startsOf({ start, shared: limiter.shared }, clock, arrivals);
    return lines.map((line) => line.replace(/\d\d:\d\d:\d\d$/, "<time>"));
  };
  const waits = (limit: string, what: string): string =>
    `the setting rateLimit (${limit}): ${what}, until <time>`;
  expect(await linesOf(1, 6, [0, 3000, 10_000])).toEqual([]);
  expect(await linesOf(1, 6, [0, 0])).toEqual([waits("1/6s", "1 request waits for about 6 s")]);
  const lines = await linesOf(10, 10, times(200, 0));
  expect(lines[0]).toBe(waits("10/10s", "190 requests wait, the last one for about 3 min"));
  expect(lines.at(-1)).toMatch(/: \d+ requests wait, the last one for about \d\d s,/);
  // Nineteen windows of ten seconds.
  expect(lines.length).toBeLessThanOrEqual(13);
});

test("of many requests that the service refuses, one line says so, with how many wait", async () => {
  const clock = new ManualClock();
  const limiter = new Limiter("off", clock);
  const lines: string[] = [];
  for (const [at, seconds, name] of [
    [0, 10, "first"],
    [0, 20, "second"],
    [15_000, 10, "third"],
    [16_000, 10, "fourth"],
    [40_000, 10, "fifth"],
  ] as const) {
    await clock.run(at);
    void limiter.pause(seconds * 1000, `${name}: refused`, (line) => lines.push(line));
  }
  expect(lines).toEqual(["first: refused", "third: refused; 2 requests wait", "fifth: refused"]);
});

test("clients with the same key and address share one limit, as on the server", () => {
  const clock = new ManualClock();
  const one = limiterFor("https://a key", ONE, clock);
  expect(limiterFor("https://a key", { ...ONE }, clock)).toBe(one);
  expect(limiterFor("https://a other", ONE, clock)).not.toBe(one);
  expect(limiterFor("https://a key", "off", clock)).not.toBe(one);
  expect(limiterFor("https://a key", ONE, new ManualClock())).not.toBe(one);
});
