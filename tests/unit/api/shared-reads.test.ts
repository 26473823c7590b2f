import { SharedReads } from "../../../provider/src/api/shared-reads";
import { ManualClock } from "../../../testkit/manual-clock";

/** Reads of a number that goes up by one each millisecond; each takes 100 ms, and is sent when the limiter lets it. */
function reading(limiterMs = 0) {
  const clock = new ManualClock();
  const sent: number[] = [];
  const reads = new SharedReads(clock, async (noteSent) => {
    await clock.sleep(limiterMs);
    noteSent();
    sent.push(clock.now());
    const value = clock.now();
    await clock.sleep(100);
    return value;
  });
  const taken: Record<string, number> = {};
  /** Takes a read at a time. */
  const takeAt = async (at: number, name: string, delay = 0, earliest = delay): Promise<void> => {
    if (at > 0) await clock.sleep(at);
    taken[name] = await reads.take({ delay, earliest });
  };
  return { clock, sent, taken, takeAt };
}

test("reads that wait for the rate limiter share one request, and a read after it was sent has its own", async () => {
  const { clock, sent, taken, takeAt } = reading(500);
  const asked = { first: 0, waits: 200, "waits, too": 499, after: 501, "long after": 599 };
  for (const [name, at] of Object.entries(asked)) void takeAt(at, name);
  await clock.run(5_000);
  // The second is sent a second after the first, as the limiter lets it.
  expect(sent).toEqual([500, 2_000]);
  expect(taken).toEqual({ first: 500, waits: 500, "waits, too": 500, after: 2_000, "long after": 2_000 });
});

test("a read is not taken before its time, and that of another caller only when it is late enough", async () => {
  const { clock, sent, taken, takeAt } = reading();
  void takeAt(0, "in 8 s", 8_000, 2_000);
  void takeAt(0, "in 30 s", 30_000);
  void takeAt(1_000, "too early for others");
  void takeAt(2_500, "in time for the first");
  await clock.run(29_999);
  expect(taken).toEqual({ "too early for others": 1_000, "in time for the first": 2_500, "in 8 s": 2_500 });
  await clock.run(31_000);
  expect([taken["in 30 s"], sent]).toEqual([30_000, [1_000, 2_500, 30_000]]);
});

test("a read that fails fails those that share it, and the next one is sent", async () => {
  const clock = new ManualClock();
  let times = 0;
  const reads = new SharedReads(clock, (noteSent) => {
    times += 1;
    return Promise.resolve()
      .then(noteSent)
      .then(() => (times === 1 ? Promise.reject(new Error("lost")) : "read"));
  });
  const both = Promise.allSettled([reads.take(), reads.take()]);
  await clock.run(10);
  expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const next = reads.take();
  await clock.run(2_000);
  expect([await next, times]).toEqual(["read", 2]);
});
