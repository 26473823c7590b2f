import { ServerClock, type Span } from "../../../provider/src/api/server-clock";

const SECOND = Date.parse("2026-01-31T12:00:00Z");
const date = (moment: number): string => new Date(moment).toUTCString();

/** A server whose clock is so much ahead of ours, and what it answers to a request that takes 40 ms. */
function serverAhead(ahead: number, now = 0) {
  const ours = { now: () => now };
  const clock = new ServerClock(ours);
  return {
    clock,
    wait: (milliseconds: number): void => void (now += milliseconds),
    answer: (headers: Record<string, unknown> = {}): void => {
      const sentAt = now;
      now += 20;
      const shown = { date: date(now + ahead), ...headers };
      now += 20;
      clock.learn({ sentAt, answeredAt: now, headers: shown });
    },
  };
}

const width = (span: Span | undefined): number => (span === undefined ? NaN : span.to - span.from);
const spanOf = (span: Span | undefined): Span => span ?? { from: NaN, to: NaN };

test.each([
  ["as late", SECOND],
  ["8 minutes ahead", SECOND + 480_123],
  ["8 minutes behind", SECOND - 480_456],
])(
  "one answer shows, within little more than a second, the time of a server's clock that is %s",
  (_, ahead) => {
    const { clock, answer } = serverAhead(ahead);
    answer();
    const span = spanOf(clock.at(40));
    expect(span.from).toBeLessThanOrEqual(40 + ahead);
    expect(span.to).toBeGreaterThanOrEqual(40 + ahead);
    expect(width(span)).toBeLessThan(1_200);
  },
);

test("has no time before the first answer, and none for earlier moments", () => {
  const { clock, answer, wait } = serverAhead(SECOND);
  expect([clock.at(0), clock.untilTelling()]).toEqual([undefined, 0]);
  wait(500);
  answer();
  expect(clock.at(499)).toBeUndefined();
  expect(clock.at(500)).toBeDefined();
});

test("answers around a change of the server's second make the clock precise", () => {
  const { clock, answer, wait } = serverAhead(SECOND + 777);
  answer();
  for (let count = 0; count < 6; count += 1) {
    wait(clock.untilTelling());
    answer();
  }
  const span = spanOf(clock.at(0));
  expect(width(span)).toBeLessThan(250);
  expect(span.from).toBeLessThanOrEqual(SECOND + 777);
  expect(span.to).toBeGreaterThanOrEqual(SECOND + 777);
});

test.each([{ date: undefined }, { date: "nonsense" }, { age: "5" }])(
  "reads no time from an answer with %j",
  (headers) => {
    const { clock, answer } = serverAhead(SECOND);
    answer(headers);
    expect(clock.at(40)).toBeUndefined();
  },
);

test("two machines whose clocks differ by more than a second make the clock less certain", () => {
  const { clock, answer } = serverAhead(SECOND);
  answer();
  const before = width(clock.at(40));
  answer({ date: date(SECOND + 2_500) });
  expect(width(clock.at(100))).toBeGreaterThan(before + 1_000);
});

test("has no time for moments before a server's clock was set", () => {
  const { clock, answer, wait } = serverAhead(SECOND);
  answer();
  wait(1_000);
  answer({ date: date(SECOND + 600_000) });
  expect(clock.at(500)).toBeUndefined();
  expect(spanOf(clock.at(1_080)).from).toBeGreaterThan(SECOND + 590_000);
});

/** What the clock knows after answers, each with its moment of ours and the second that it shows, relative to SECOND. */
function afterAnswers(...answers: readonly (readonly [sentAt: number, shown: number])[]): ServerClock {
  const clock = new ServerClock({ now: () => 0 });
  for (const [sentAt, shown] of answers)
    clock.learn({ sentAt, answeredAt: sentAt, headers: { date: date(SECOND + shown) } });
  return clock;
}

test("keeps all that the clocks of several machines say, and the largest difference between them", () => {
  // The clocks say 0 to 1100, then 3000 to 4100: 1900 apart, so that either may be right.
  const clock = afterAnswers([0, 0], [0, 3000]);
  expect(clock.at(0)).toEqual({ from: SECOND - 1900, to: SECOND + 4100 + 1900 });
});

test("a difference of more than two seconds is a clock that was set", () => {
  // 4000 is 2900 after the end of the first span.
  expect(afterAnswers([0, 0], [0, 4000]).at(0)).toEqual({ from: SECOND + 4000, to: SECOND + 5100 });
});

test.each([
  ["100 ms", 0, 0],
  ["101 ms", 1, 950.5],
])("knows the time to %s, and waits for the next second unless that is precise", (_, sentAt, wait) => {
  const clock = afterAnswers([0, 0], [sentAt, 1000]);
  expect(clock.untilTelling()).toBeCloseTo(wait, 2);
});
