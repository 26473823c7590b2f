import { COUNTS, type CountName, type HeadersName } from "./crowd/servers";
import { meanOf, simulate, type Figures } from "./crowd/simulation";

const SEEDS = [1, 2, 3, 4];

/** The mean figures of clients with 15 pipes each that go up at the same time with one key. */
async function figuresOf(clients: number, count: CountName, headers: HeadersName): Promise<Figures> {
  const runs: Figures[] = [];
  for (const seed of SEEDS) runs.push(await simulate({ clients, pipes: 15, count, headers, seed }));
  return meanOf(runs);
}

const counts = Object.keys(COUNTS) as CountName[];

test.each(counts)("a client alone is never refused and loses nothing, with a count in %s", async (count) => {
  // Ten requests at once, and six a window later: 10.4 of the 16 seconds that the limit gives.
  const { time, refusals, served } = await figuresOf(1, count, "none");
  expect(refusals).toBe(0);
  expect(served).toBe(1);
  expect(time).toBeLessThan(0.67);
});

const ROWS = [2, 5, 8].flatMap((clients) =>
  (["none", "Retry-After"] as const).flatMap((headers) =>
    counts.map((count) => ({ clients, headers, count })),
  ),
);

test.each(ROWS)(
  "$clients clients share one key of $count with headers $headers, and none fails",
  async (row) => {
    const { clients, headers, count } = row;
    const { failed, served, refusals, time } = await figuresOf(clients, count, headers);
    expect(failed).toBe(0);
    expect(served).toBe(1);
    // A bucket states when it has one more request, and all clients come for it.
    const isContended = count === "a token bucket" && headers === "Retry-After";
    expect(refusals).toBeLessThan(isContended ? 3 : 1);
    expect(time).toBeLessThan(1.5);
  },
);
