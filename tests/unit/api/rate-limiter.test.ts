import { Limiter, limiterFor } from "../../../provider/src/api/rate-limiter";
import { ManualClock } from "../../../testkit/manual-clock";

interface Start {
  readonly caller: number;
  readonly at: number;
}

/** Starts a request at each of the given times, and returns when each may start. */
async function startsOf(
  limiter: Pick<Limiter, "start">,
  clock: ManualClock,
  arrivals: readonly number[],
): Promise<Start[]> {
  const starts: Start[] = [];
  for (const [caller, at] of arrivals.entries()) {
    await clock.run(at);
    void limiter.start().then((finish) => {
      starts.push({ caller, at: clock.now() });
      finish();
    });
  }
  await clock.run((arrivals.at(-1) ?? 0) + 1_000_000_000);
  return starts;
}

test("ten requests start at once, the eleventh after the window", async () => {
  const clock = new ManualClock();
  const starts = await startsOf(
    new Limiter({ requests: 10, seconds: 10 }, clock),
    clock,
    Array<number>(25).fill(0),
  );
  expect(starts.slice(0, 10).every(({ at }) => at === 0)).toBe(true);
  expect(starts.slice(10, 20).every(({ at }) => at === 10_001)).toBe(true);
  expect(starts.slice(20).every(({ at }) => at === 20_002)).toBe(true);
});

test("the window rolls: late starts are not forgotten at its edge", async () => {
  const clock = new ManualClock();
  const starts = await startsOf(new Limiter({ requests: 2, seconds: 1 }, clock), clock, [0, 900, 1100, 1100]);
  expect(starts.map(({ at }) => at)).toEqual([0, 900, 1100, 1901]);
});

test("a request starts at once while the window has room", async () => {
  const clock = new ManualClock();
  const arrivals = [0, 500, 1000, 1500].map((time) => time * 10);
  const starts = await startsOf(new Limiter({ requests: 1, seconds: 4 }, clock), clock, arrivals);
  expect(starts.map(({ at }) => at)).toEqual(arrivals);
});

test.each([["off" as const], [{ requests: 10, seconds: 10 }]])(
  "a pause delays all requests, with a limit of %j",
  async (limit) => {
    const clock = new ManualClock();
    const limiter = new Limiter(limit, clock);
    limiter.pause(5000);
    limiter.pause(1000);
    const starts = await startsOf(limiter, clock, [0, 100, 6000]);
    expect(starts.map(({ at }) => at)).toEqual([5000, 5000, 6000]);
  },
);

test("a pause also delays a request that already waits", async () => {
  const clock = new ManualClock();
  const limiter = new Limiter({ requests: 1, seconds: 1 }, clock);
  const starts: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    void limiter.start().then((finish) => {
      starts.push(clock.now());
      finish();
    });
  }
  await clock.run(500);
  limiter.pause(3000);
  await clock.run(10_000);
  expect(starts).toEqual([0, 3500]);
});

test("without a limit, all requests start at once", async () => {
  const clock = new ManualClock();
  const starts = await startsOf(new Limiter("off", clock), clock, Array<number>(100).fill(0));
  expect(starts).toHaveLength(100);
  expect(starts.every(({ at }) => at === 0)).toBe(true);
});

test("a request counts until a window after its end, because its arrival is unknown", async () => {
  const clock = new ManualClock();
  const limiter = new Limiter({ requests: 1, seconds: 1 }, clock);
  const starts: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    void limiter.start().then(async (finish) => {
      starts.push(clock.now());
      await clock.sleep(700);
      finish();
    });
  }
  await clock.run(10_000);
  expect(starts).toEqual([0, 1701]);
});

describe("a wait of more than five seconds is logged", () => {
  const lines: string[] = [];
  const line = (said: string): void => {
    lines.push(said);
  };
  let clock: ManualClock;
  beforeEach(() => {
    lines.length = 0;
    clock = new ManualClock();
  });
  const linesOf = async (limiter: Limiter, arrivals: readonly number[]): Promise<string[]> => {
    await startsOf({ start: () => limiter.start(line) }, clock, arrivals);
    return lines;
  };

  test("and a shorter one is not", async () => {
    const limiter = new Limiter({ requests: 1, seconds: 6 }, clock);
    expect(await linesOf(limiter, [0, 3000, 10_000])).toEqual([]);
    expect(await linesOf(limiter, [2_000_000_000, 2_000_000_000])).toEqual([
      "waiting 7 s before the next request (rate limit of the API)",
    ]);
  });

  test("also when it is made of many short ones, but not each of them", async () => {
    const limiter = new Limiter({ requests: 1, seconds: 1 }, clock);
    const lines = await linesOf(limiter, Array<number>(21).fill(0));
    const others = [16, 11, 6].map((count) => `; ${count} requests are waiting`);
    expect(lines).toEqual(
      [...others, ""].map(
        (waiting) => `waiting 2 s before the next request (rate limit of the API${waiting})`,
      ),
    );
  });
});

test("clients with the same key and address share one limit, as on the server", () => {
  const clock = new ManualClock();
  const limit = { requests: 1, seconds: 1 };
  const one = limiterFor("https://a key", limit, clock);
  expect(limiterFor("https://a key", { ...limit }, clock)).toBe(one);
  expect(limiterFor("https://a other", limit, clock)).not.toBe(one);
  expect(limiterFor("https://a key", "off", clock)).not.toBe(one);
  expect(limiterFor("https://a key", limit, new ManualClock())).not.toBe(one);
});
