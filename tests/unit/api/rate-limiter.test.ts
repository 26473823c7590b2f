import { Limiter, type Outcome } from "../../../provider/src/api/http/rate-limiter";
import { InstantClock, ManualClock } from "../../kit/clock";

/** Starts a request at each of the given times, each of which takes so long, and returns when each may start. */
async function startsOf(
  limiter: Limiter,
  clock: ManualClock,
  arrivals: readonly number[],
  { takes = 0 }: { readonly takes?: number } = {},
): Promise<number[]> {
  const starts: number[] = [];
  for (const at of arrivals) {
    await clock.run(at);
    void limiter.start().then(async (finish) => {
      starts.push(clock.now());
      if (takes > 0) await clock.sleep(takes);
      finish("served");
    });
  }
  await clock.run((arrivals.at(-1) ?? 0) + 1_000_000_000);
  return starts;
}

/** A request that ends so, at once. */
async function request(limiter: Limiter, outcome: Outcome): Promise<void> {
  (await limiter.start())(outcome);
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
  ["all requests start at once if it is off", "off", 0, times(100, 0), times(100, 0)],
  ["a request counts until a window after its end", ONE, 700, [0, 0], [0, 1701]],
])("within a limit, %s", async (_, limit, takes, arrivals, starts) => {
  const clock = new ManualClock();
  expect(await startsOf(new Limiter(limit, clock), clock, arrivals, { takes })).toEqual(starts);
});

test.each([["off" as const], [OFTEN]])("a pause delays all requests, with a limit of %j", async (limit) => {
  const clock = new ManualClock();
  const limiter = new Limiter(limit, clock, () => 0);
  await request(limiter, { askedMs: 5000 });
  const [first = 0, ...others] = await startsOf(limiter, clock, [0, 100, 7000]);
  expect(first).toBe(5000);
  for (const start of others) expect(start).toBeGreaterThan(5000);
});

test("tells a wait once, and again when the service asks for a longer one or was calm", async () => {
  const limiter = new Limiter(OFTEN, new InstantClock(), () => 0.5);
  const told: unknown[] = [];
  const demands = [2000, 2000, 5000, 2000, 0];
  for (const askedMs of demands) told.push((await limiter.start())({ askedMs })?.askedMs);
  expect(told).toEqual([2000, undefined, 5000, undefined, undefined]);
  for (let count = 0; count < 8; count += 1) await request(limiter, "served");
  expect((await limiter.start())({ askedMs: 2000 })).toEqual({ askedMs: 2000, pauseMs: 3000 });
});

test("after a refusal the interval doubles, and each served request makes it shorter", async () => {
  const clock = new ManualClock();
  const limiter = new Limiter(OFTEN, clock, () => 0.5);
  await request(limiter, { askedMs: 0 });
  const starts = await startsOf(limiter, clock, times(7, 0));
  const gaps = starts.map((start, index) => start - (starts[index - 1] ?? 0));
  expect(gaps).toEqual([2000, 1600, 1334, 1143, 0, 0, 0]);
});

test("says for how long the service has refused every request", async () => {
  const clock = new ManualClock();
  await clock.run(5000);
  const limiter = new Limiter("off", clock);
  await request(limiter, { askedMs: 0 });
  await clock.run(7000);
  expect(limiter.refusedForMs()).toBe(2000);
});

test("refusals of requests that started together are one", async () => {
  const clock = new ManualClock();
  const limiter = new Limiter("off", clock, () => 0.5);
  for (let count = 0; count < 3; count += 1) await request(limiter, "served");
  const together = await Promise.all([limiter.start(), limiter.start(), limiter.start()]);
  await clock.run(100);
  for (const finish of together) {
    finish({ askedMs: 0 });
    await clock.run(clock.now() + 1);
  }
  expect(await startsOf(limiter, clock, [clock.now()])).toEqual([2102]);
});

test("refusals in a row lengthen the interval, up to three windows, until a request is served", async () => {
  const clock = new ManualClock();
  const limiter = new Limiter(OFTEN, clock, () => 0.5);
  const starts: number[] = [];
  void (async () => {
    while (limiter.refusedForMs() < 600_000) {
      const finish = await limiter.start();
      starts.push(clock.now());
      finish({ askedMs: 0 });
    }
  })();
  await clock.run(10_000_000);
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  expect(gaps.slice(0, 5)).toEqual([2000, 4000, 8000, 16_000, 30_000]);
  expect(Math.max(...gaps)).toBe(30_000);
  await request(limiter, "served");
  expect(limiter.refusedForMs()).toBe(0);
});

test("a limit of more than a thousand requests is kept", async () => {
  const clock = new ManualClock();
  const limiter = new Limiter({ requests: 1_200, seconds: 10 }, clock);
  const starts = await startsOf(limiter, clock, times(1_300, 0));
  expect(starts.filter((at) => at < 10_000)).toHaveLength(1_200);
});
