import { AxiosError, AxiosHeaders } from "axios";
import { listPipes } from "../../../../provider/src/api/document/operations";
import { quotaOf } from "../../../../provider/src/api/http/quota";
import { Limiter } from "../../../../provider/src/api/http/rate-limiter";
import { pauseOf, withRetries } from "../../../../provider/src/api/http/retry";
import { ManualClock } from "../../../../testkit/manual-clock";
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
 * served request, the time of the slowest client divided by the mean, clients that failed, and served requests for
 * each that is needed.
 */
const FIGURES = ["time", "refusals", "unfairness", "failed", "served"] as const;
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

const operation = listPipes({ organizationId: "organization", serviceId: "service" });

/** Runs the clients with the limiter and the retries of the provider, on a clock that does not wait. */
export async function simulate({ clients, pipes, count, headers, seed }: Crowd): Promise<Figures> {
  const mathRandom = Math.random;
  const random = randomOf(seed);
  // The backoff uses it.
  Math.random = random;
  try {
    const clock = new ManualClock();
    const server = serverOf(count, headers, LIMIT);
    const all = Array.from({ length: clients }, () => runClient({ clock, server, random, pipes }));
    await clock.run(1_000_000_000, Infinity);
    const runs = await Promise.all(all);
    const sum = (figure: keyof Run): number => runs.reduce((total, run) => total + run[figure], 0);
    const needed = clients * (pipes + 1);
    const slowest = Math.max(...runs.map(({ time }) => time));
    return {
      time: slowest / ((needed * LIMIT.seconds * 1000) / LIMIT.requests),
      refusals: sum("refused") / sum("served"),
      unfairness: slowest / (sum("time") / clients),
      failed: sum("failed"),
      served: sum("served") / needed,
    };
  } finally {
    Math.random = mathRandom;
  }
}

type Run = Readonly<Record<"time" | "served" | "refused" | "failed", number>>;

type Client = Readonly<{ clock: ManualClock; server: Server; random: () => number; pipes: number }>;

/** A run of one stack: a list of pipes, then all creates at once. */
async function runClient(client: Client): Promise<Run> {
  const { clock, random, pipes } = client;
  await clock.sleep(random() * STARTS_MS);
  const start = clock.now();
  const limiter = new Limiter(LIMIT, clock, random);
  let failed = 0;
  const send = (): Promise<void> => sendRequest(limiter, client).catch(() => void (failed = 1));
  await send();
  await Promise.all(Array.from({ length: pipes }, send));
  const { served, refused } = limiter.shared;
  return { time: clock.now() - start, served, refused, failed };
}

/** A request with its retries. */
function sendRequest(limiter: Limiter, client: Client): Promise<void> {
  const [clock, shared] = [client.clock, limiter.shared];
  const limits = { attemptsMs: () => 0, maxRetries: 0, rateLimitTimeoutMs: RATE_LIMIT_TIMEOUT_MS };
  const pause = (delay: number): Promise<void> => clock.sleep(delay);
  const context = { operation, clock, shared, pause, log: () => undefined, ...limits };
  return withRetries(context, () => attempt(limiter, client));
}

/** One attempt, as the transport makes it. */
async function attempt(limiter: Limiter, client: Client): Promise<void> {
  const { clock, server, random } = client;
  const transfer = (): Promise<void> => clock.sleep(MIN_LATENCY_MS * (1 + 3 * random()));
  const finish = await limiter.start();
  const start = clock.now();
  await transfer();
  const { isServed, headers } = server(clock.now());
  await transfer();
  if (isServed) limiter.shared.serves(quotaOf(headers));
  else limiter.shared.refuses(start, pauseOf(429, headers) ?? 0, RATE_LIMIT_TIMEOUT_MS);
  finish();
  if (!isServed) throw refusalOf(headers);
}

function refusalOf(headers: Readonly<Record<string, string>>): AxiosError {
  const config = { headers: new AxiosHeaders() };
  const response = { status: 429, statusText: "", data: "", headers: { ...headers }, config };
  return new AxiosError("refused", undefined, config, undefined, response);
}

/** Repeatable random numbers. */
function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 2 ** 32;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}
