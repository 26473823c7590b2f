import { Limiter } from "../../../provider/src/api/limiter";
import { MovedClock } from "../../support/moved-clock";

interface Start {
  readonly caller: number;
  readonly at: number;
}

/** Lets callers come at the given times and tells when each may start. */
async function startsOf(limiter: Limiter, clock: MovedClock, arrivals: readonly number[]): Promise<Start[]> {
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

test("ten may start at once, the eleventh after the window", async () => {
  const clock = new MovedClock();
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
  const clock = new MovedClock();
  const starts = await startsOf(new Limiter({ requests: 2, seconds: 1 }, clock), clock, [0, 900, 1100, 1100]);
  expect(starts.map(({ at }) => at)).toEqual([0, 900, 1100, 1901]);
});

test("who comes when there is room starts at once", async () => {
  const clock = new MovedClock();
  const arrivals = [0, 500, 1000, 1500].map((time) => time * 10);
  const starts = await startsOf(new Limiter({ requests: 1, seconds: 4 }, clock), clock, arrivals);
  expect(starts.map(({ at }) => at)).toEqual(arrivals);
});

test.each([["off" as const], [{ requests: 10, seconds: 10 }]])(
  "a pause holds everybody back, with a limit of %j",
  async (limit) => {
    const clock = new MovedClock();
    const limiter = new Limiter(limit, clock);
    limiter.pause(5000);
    limiter.pause(1000);
    const starts = await startsOf(limiter, clock, [0, 100, 6000]);
    expect(starts.map(({ at }) => at)).toEqual([5000, 5000, 6000]);
  },
);

test("a pause that is asked for while somebody waits holds that one back too", async () => {
  const clock = new MovedClock();
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

test("without a limit, everybody starts at once", async () => {
  const clock = new MovedClock();
  const starts = await startsOf(new Limiter("off", clock), clock, Array<number>(100).fill(0));
  expect(starts).toHaveLength(100);
  expect(starts.every(({ at }) => at === 0)).toBe(true);
});

test("a request counts until a window after its end, for nobody knows when it arrived", async () => {
  const clock = new MovedClock();
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

test("a wait of more than five seconds is told, a shorter one is not", async () => {
  const clock = new MovedClock();
  const lines: string[] = [];
  const limiter = new Limiter({ requests: 1, seconds: 6 }, clock, (line) => lines.push(line));
  await startsOf(limiter, clock, [0, 3000, 10_000]);
  expect(lines).toEqual([]);
  await startsOf(limiter, clock, [2_000_000_000, 2_000_000_000]);
  expect(lines).toEqual(["waiting 7 s before the next request (rate limit of the API, datapipes:rateLimit)"]);
});
