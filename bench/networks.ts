import path from "node:path";
import { callsOf } from "./bytes";
import { VariantStack, linesOf, type Sample } from "./variant-stack";
import type { BenchOptions } from "./options";
import { pairRatios, spreadOf, type Spread } from "./statistics";

/** Creates over a slow network. */
export interface SlowCreates {
  /** The engine's option `--parallel`; undefined is its default. */
  readonly parallel: number | undefined;
  readonly rateLimit: string;
  readonly creates: number;
  /** The largest number of unanswered create calls of the engine at one time. */
  readonly callsAtOnce: number;
  /** The largest number of unanswered requests at one time. */
  readonly atOnce: number;
  /** The median time of a create without its request, in ms: the wait for the limit, and the provider's own time. */
  readonly ownMs: number;
  /** From the first start to the last answer, in seconds. */
  readonly seconds: number;
  /** The shortest possible time, in seconds: by the limit, or by the number of requests at one time. */
  readonly leastSeconds: number;
  /** How many requests started in each ten seconds. */
  readonly startsPerTenSeconds: readonly number[];
}

/** What networks and limits cost. */
export interface Networks {
  readonly creates: readonly SlowCreates[];
  /** A refresh under the default limit as a multiple of one without. */
  readonly limitedRefresh: {
    readonly pipes: number;
    readonly wall: Spread | undefined;
    readonly requests: number;
  };
}

const LATENCY_MS = 200;
const CREATES = 50;
const DEFAULT_LIMIT = "10/10s";
const ROUNDS = 3;

/** Measures creates with a latency, and refreshes with a limit. */
export async function measureNetworks({ sizes, rounds = ROUNDS }: BenchOptions): Promise<Networks> {
  return {
    creates: [
      await middleOf(rounds, () => slowCreates(undefined, "off")),
      await middleOf(rounds, () => slowCreates(CREATES, "off")),
      // The limit makes each of them last a minute, whatever else the machine does.
      await slowCreates(undefined, DEFAULT_LIMIT),
    ],
    limitedRefresh: await limitedRefresh(Math.max(...sizes), rounds),
  };
}

/** The run of median time. */
async function middleOf(rounds: number, run: () => Promise<SlowCreates>): Promise<SlowCreates> {
  const first = await run();
  const runs = [first];
  while (runs.length < rounds) runs.push(await run());
  return runs.sort((a, b) => a.seconds - b.seconds)[Math.floor(rounds / 2)] ?? first;
}

async function slowCreates(parallel: number | undefined, rateLimit: string): Promise<SlowCreates> {
  const variant = await VariantStack.start("ours", { latencyMs: LATENCY_MS });
  await variant.declare(CREATES);
  const flags = parallel === undefined ? [] : ["--parallel", String(parallel)];
  const log = path.join(variant.stack.project, "grpc.jsonl");
  await variant.measure((options) => variant.stack.up({ ...options, flags }), {
    env: { DATAPIPES_RATE_LIMIT: rateLimit, PULUMI_DEBUG_GRPC: log },
  });
  const requests = variant.simulator.control
    .requests()
    .map(({ at, durationMs }) => ({ from: at, to: at + durationMs }));
  const calls = callsOf("Create", await linesOf(log));
  const first = Math.min(...requests.map(({ from }) => from));
  const atOnce = mostAtOnce(requests);
  return {
    parallel,
    rateLimit,
    creates: CREATES,
    callsAtOnce: mostAtOnce(calls),
    atOnce,
    ownMs: medianLength(calls) - medianLength(requests),
    seconds: (Math.max(...requests.map(({ to }) => to)) - first) / 1000,
    leastSeconds: leastSeconds(rateLimit, requests.length, atOnce),
    startsPerTenSeconds: startsPerTenSeconds(requests, first),
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const mostAtOnce = (spans: readonly Span[]): number =>
  Math.max(...spans.map(({ from }) => spans.filter((span) => span.from <= from && span.to > from).length));

const medianLength = (spans: readonly Span[]): number =>
  spreadOf(spans.map(({ from, to }) => to - from))?.median ?? 0;

function startsPerTenSeconds(spans: readonly Span[], first: number): number[] {
  const windows = spans.map(({ from }) => Math.floor((from - first) / 10_000));
  return Array.from(
    { length: Math.max(...windows) + 1 },
    (_, window) => windows.filter((one) => one === window).length,
  );
}

/** The list before all creates is one more request. */
const leastSeconds = (rateLimit: string, requests: number, atOnce: number): number =>
  rateLimit === "off"
    ? ((1 + Math.ceil((requests - 1) / atOnce)) * LATENCY_MS) / 1000
    : Math.floor((requests - 1) / 10) * 10 + LATENCY_MS / 1000;

async function limitedRefresh(pipes: number, rounds: number) {
  const variant = await VariantStack.start("ours");
  await variant.declare(pipes);
  await variant.run("up");
  const [limited, free]: [Sample[], Sample[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    limited.push(await variant.run("refresh", { env: { DATAPIPES_RATE_LIMIT: DEFAULT_LIMIT } }));
    free.push(await variant.run("refresh"));
  }
  const walls = (samples: readonly Sample[]) => samples.map(({ wallMs }) => wallMs);
  const requests = Object.values(limited[0]?.requests ?? {}).reduce((sum, count) => sum + count, 0);
  return { pipes, wall: spreadOf(pairRatios(walls(limited), walls(free))), requests };
}
