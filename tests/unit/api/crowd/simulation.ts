import { Limiter, type Outcome } from "../../../../provider/src/api/http/rate-limiter";
import { retryAfterMs } from "../../../../provider/src/api/http/retry-after";
import { ManualClock } from "../../../kit/clock";
import { serverOf, type CountName, type HeadersName, type Server } from "./servers";

/** Clients of one key that go up at the same time. */
interface Crowd {
  readonly clients: number;
  readonly pipes: number;
  readonly count: CountName;
  readonly headers: HeadersName;
  /** Makes everything random repeatable. */
  readonly seed: number;
}

/**
 * The figures of a run: the time of the slowest client as a multiple of what the limit demands, refusals for each
 * served request, clients that failed, and served requests for each that is needed.
 */
const FIGURES = ["time", "refusals", "failed", "served"] as const;
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

export const meanOf = (runs: readonly Figures[]): Figures =>
  Object.fromEntries(
    FIGURES.map((figure) => [figure, runs.reduce((sum, run) => sum + run[figure], 0) / runs.length]),
  ) as Figures;

const LIMIT = { requests: 10, seconds: 10 };
/** How far apart the clients start at most, and how long a request is on its way at least, in milliseconds. */
const STARTS_MS = 3_000;
const MIN_LATENCY_MS = 20;
const RATE_LIMIT_TIMEOUT_MS = 600_000;

/** Runs the clients with the limiter of the provider, on a clock that does not wait. */
export async function simulate({ clients, pipes, count, headers, seed }: Crowd): Promise<Figures> {
  const random = randomOf(seed);
  const clock = new ManualClock();
  const server = serverOf(count, headers, LIMIT);
  const all = Array.from({ length: clients }, () => runClient({ clock, server, random, pipes }));
  await clock.run(1_000_000_000, Infinity);
  const runs = await Promise.all(all);
  const sum = (figure: keyof Run): number => runs.reduce((total, run) => total + run[figure], 0);
  const needed = clients * (pipes + 1);
  return {
    time: Math.max(...runs.map(({ time }) => time)) / ((needed * LIMIT.seconds * 1000) / LIMIT.requests),
    refusals: sum("refused") / sum("served"),
    failed: sum("failed"),
    served: sum("served") / needed,
  };
}

type Run = Record<"time" | "served" | "refused" | "failed", number>;

type Client = Readonly<{ clock: ManualClock; server: Server; random: () => number; pipes: number }>;

/** A run of one stack: a list of pipes, then all creates at once. */
async function runClient(client: Client): Promise<Run> {
  const { clock, random, pipes } = client;
  await clock.sleep(random() * STARTS_MS);
  const start = clock.now();
  const limiter = new Limiter(LIMIT, clock, random);
  const run = { time: 0, served: 0, refused: 0, failed: 0 };
  await sendRequest(limiter, client, run);
  await Promise.all(Array.from({ length: pipes }, () => sendRequest(limiter, client, run)));
  return { ...run, time: clock.now() - start };
}

/** A request, again as long as the service refuses it. */
async function sendRequest(limiter: Limiter, client: Client, run: Run): Promise<void> {
  for (let outcome = await attempt(limiter, client); outcome !== "served";) {
    run.refused += 1;
    if (limiter.refusedForMs() >= RATE_LIMIT_TIMEOUT_MS) {
      run.failed = 1;
      return;
    }
    outcome = await attempt(limiter, client);
  }
  run.served += 1;
}

/** One attempt, as the transport makes it. */
async function attempt(limiter: Limiter, { clock, server, random }: Client): Promise<Outcome> {
  const transfer = (): Promise<void> => clock.sleep(MIN_LATENCY_MS * (1 + 3 * random()));
  const finish = await limiter.start();
  await transfer();
  const { isServed, headers } = server(clock.now());
  await transfer();
  const outcome = isServed ? "served" : { askedMs: retryAfterMs(429, headers) };
  finish(outcome);
  return outcome;
}

/** Repeatable random numbers. */
function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 2 ** 32;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}
