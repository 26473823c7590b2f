import fc from "fast-check";
import { Limiter } from "../../provider/src/api/http/rate-limiter";
import { ManualClock } from "../kit/clock";
import { holds } from "./parameters";

/** One request of a caller, and its time after the request before. */
interface Call {
  readonly gap: number;
  /** The duration of its request. */
  readonly takes: number;
  /** When the server counts it, as a fraction of its duration. */
  readonly counted: number;
  /** The pause in ms that the server asks for in its answer. */
  readonly pause: number;
}

interface Request {
  readonly caller: number;
  readonly came: number;
  readonly start: number;
  readonly counted: number;
}

const END = 1_000_000_000;

async function requestsOf(limiter: Limiter, clock: ManualClock, calls: readonly Call[]) {
  const requests: Request[] = [];
  const pauses: { readonly from: number; readonly to: number }[] = [];
  const send = async (caller: number, { takes, counted, pause }: Call): Promise<void> => {
    const came = clock.now();
    const finish = await limiter.start();
    const start = clock.now();
    requests.push({ caller, came, start, counted: start + takes * counted });
    await clock.sleep(takes);
    if (pause > 0) pauses.push({ from: clock.now(), to: clock.now() + pause });
    finish(pause > 0 ? { askedMs: pause } : "served");
  };
  let time = 0;
  for (const [caller, call] of calls.entries()) {
    await clock.run((time += call.gap));
    void send(caller, call);
  }
  await clock.run(time + END);
  return { requests, pauses };
}

const often = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 0, max }));

const calls = (takes: fc.Arbitrary<number>, pause: fc.Arbitrary<number>): fc.Arbitrary<Call[]> =>
  fc.array(fc.record({ gap: often(12_000), takes, counted: fc.constantFrom(0, 0.25, 0.5, 1), pause }), {
    minLength: 1,
    maxLength: 40,
  });

const TEN = { requests: 10, seconds: 10 };
const anyLimit = fc.oneof(
  fc.constant(TEN),
  fc.record({ requests: fc.integer({ min: 1, max: 5 }), seconds: fc.integer({ min: 1, max: 10 }) }),
);

/** The most moments in any window of the length, its far edge included. */
const mostIn = (window: number, moments: readonly number[]): number =>
  Math.max(...moments.map((at) => moments.filter((other) => other >= at && other <= at + window).length));

describe.each<[what: string, takes: fc.Arbitrary<number>, pause: fc.Arbitrary<number>]>([
  ["requests that are answered at once", fc.constant(0), fc.constant(0)],
  ["requests that end late", often(30_000), fc.constant(0)],
  ["requests that end late, and pauses that the server asks for", often(30_000), often(20_000)],
])("for any arrivals of %s", (_what, takes, pause) => {
  const law = (assertion: (limit: typeof TEN, all: Awaited<ReturnType<typeof requestsOf>>) => void) =>
    holds(
      fc.asyncProperty(anyLimit, calls(takes, pause), async (limit, list) => {
        const clock = new ManualClock();
        const all = await requestsOf(new Limiter(limit, clock), clock, list);
        expect(all.requests.map(({ caller }) => caller)).toEqual(list.map((_, index) => index));
        assertion(limit, all);
      }),
    );

  test.each([
    ["starts than allowed, as the caller sees them", "start"],
    ["requests than allowed as the server counts them, whenever they arrive", "counted"],
  ] as const)("no window has more %s", (_most, moment) =>
    law(({ requests: most, seconds }, { requests }) => {
      const moments = requests.map((request) => request[moment]);
      expect(mostIn(seconds * 1000, moments)).toBeLessThanOrEqual(most);
    }),
  );

  test("no request starts before its call or during a pause, and the first starts at once", () =>
    law((_limit, { requests, pauses }) => {
      const isEarly = ({ came, start }: Request) =>
        start < came || pauses.some(({ from, to }) => start > from && start < to);
      expect(requests.filter(isEarly)).toEqual([]);
      expect(requests[0]?.start).toBe(requests[0]?.came);
    }));
});
