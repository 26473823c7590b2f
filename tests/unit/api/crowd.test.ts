import { COUNTS, type CountName, type HeadersName } from "./crowd/servers";
import { meanOf, simulate, type Figures } from "./crowd/simulation";

const SEEDS = [1, 2, 3, 4];

/** The mean figures of clients with 15 pipes each that go up at the same time with one key. */
async function figuresOf(clients: number, count: CountName, headers: HeadersName): Promise<Figures> {
  const runs: Figures[] = [];
  for (const seed of clients < 100 ? SEEDS : [1, 2])
    runs.push(await simulate({ clients, pipes: 15, count, headers, seed }));
  return meanOf(runs);
}

const counts = Object.keys(COUNTS) as CountName[];

test.each(counts)("a client alone loses nothing and is never refused, with a count in %s", async (count) => {
  // Ten requests at once, and six a window later: 10.4 of the 16 seconds that the limit gives.
  for (const headers of ["none", "and X-RateLimit-Remaining, -Reset"] as const) {
    const { time, refusals, served } = await figuresOf(1, count, headers);
    expect([refusals, served]).toEqual([0, 1]);
    expect(time).toBeLessThan(0.67);
  }
});

/** The most time and refusals for each served request. */
test.each<[clients: number, headers: HeadersName, count: CountName, time: number, refusals: number]>([
  [5, "none", "fixed windows", 1.3, 0.4],
  [5, "none", "a rolling window", 1.4, 0.45],
  [5, "none", "a token bucket", 1.2, 0.4],
  [8, "none", "fixed windows", 1.3, 0.55],
  [8, "none", "a rolling window", 1.4, 0.6],
  [8, "none", "a token bucket", 1.3, 0.5],
  [8, "Retry-After", "fixed windows", 1.3, 0.45],
  [8, "Retry-After", "a rolling window", 1.4, 0.55],
  [8, "Retry-After", "a token bucket", 1.3, 0.5],
  [5, "and RateLimit of the IETF draft", "fixed windows", 1.25, 0.25],
  [5, "and RateLimit of the IETF draft", "a rolling window", 1.3, 0.3],
  [5, "and RateLimit of the IETF draft", "a token bucket", 1.1, 0.2],
  // A client is served once in three minutes.
  [200, "none", "a rolling window", 1.6, 1.8],
])("%i clients that see the headers %j share one key of %s, and none fails", async (...row) => {
  const [clients, headers, count, time, refusals] = row;
  const figures = await figuresOf(clients, count, headers);
  expect([figures.failed, figures.served]).toEqual([0, 1]);
  expect(figures.time).toBeLessThan(time);
  expect(figures.refusals).toBeLessThan(refusals);
  expect(figures.unfairness).toBeLessThan(1.8);
});
