import { Client } from "../../../provider/src/api/client";
import type { Clock } from "../../../provider/src/api/limiter";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { Lifecycle, PartialFailure, type ResourceDefinition } from "../../../provider/src/core/resource";
import type { Connection } from "../../../provider/src/resources/connection";
import { newSimulator, type SimulatorOptions, type Simulator } from "../../support/simulator";

/** The life of a resource against a simulator, without the engine. */
export interface Online {
  simulator: Simulator;
  lifecycle: Lifecycle;
  /** Begins the next run of the engine: a new plugin process, which remembers nothing of those before. */
  nextRun: () => void;
  /** What the user was told. */
  lines: string[];
  /** How long it slept, in ms, each time. The simulator's clock moves along. */
  sleeps: number[];
  /** Called after each sleep with their number so far: what somebody else does meanwhile. */
  meanwhile: (sleeps: number) => void;
}

/** An API server and an account of it. */
export type Place = Pick<Simulator, "url"> & {
  readonly account: Pick<Simulator["account"], "apiKeyId" | "apiKeySecret" | "organizationId" | "serviceIds">;
};

type Run = Pick<Online, "lifecycle" | "nextRun" | "lines">;

/** The life of a resource against any server. */
export function runAgainst(
  define: (connection: Connection) => ResourceDefinition,
  { url, account }: Place,
  clock: Clock,
): Run {
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = account;
  const lines: string[] = [];
  const inform = (line: string): void => {
    lines.push(line);
  };
  const client = new Client({
    baseUrl: url,
    apiKeyId,
    apiKeySecret,
    rateLimit: "off",
    requestTimeoutSeconds: 5,
    maxRetries: 0,
    userAgent: "pulumi-datapipes/test",
    inform,
    clock,
  });
  const newLifecycle = () =>
    new Lifecycle(define({ client: () => client, inform, clock }), {
      configurationProblems: () => [],
      defaults: () => ({ organizationId, serviceId: serviceIds[0] }),
      inform,
    });
  const run: Run = {
    lifecycle: newLifecycle(),
    nextRun: () => {
      run.lifecycle = newLifecycle();
    },
    lines,
  };
  return run;
}

export async function online(
  define: (connection: Connection) => ResourceDefinition,
  options: SimulatorOptions = {},
): Promise<Online> {
  const simulator = await newSimulator(options);
  let now = 1_000_000;
  const clock = {
    now: () => now,
    sleep: (ms: number) => {
      now += ms;
      simulator.control.advance(ms / 1000);
      test.sleeps.push(ms);
      test.meanwhile(test.sleeps.length);
      return Promise.resolve();
    },
  };
  const run = runAgainst(define, simulator, clock);
  const test: Online = Object.assign(run, { simulator, sleeps: [], meanwhile: () => undefined });
  return test;
}

/** What `up` does with a program that declares one resource: checks, then creates it, or updates what it left behind. */
export async function up(
  { lifecycle }: Pick<Online, "lifecycle">,
  args: object,
  before?: Standing,
): Promise<Standing> {
  // As the engine passes them on: plain JSON, made in this realm.
  const news = JSON.parse(JSON.stringify(args)) as PropertyMap;
  const { inputs, failures } = lifecycle.check(before?.outputs, news);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  if (before === undefined) return lifecycle.create(inputs);
  const { id, outputs } = before;
  if (!lifecycle.diff(id, outputs, inputs).changed) return before;
  return { id, outputs: await lifecycle.update(id, outputs, inputs) };
}

/** What the stack knows of a resource. */
export interface Standing {
  readonly id: string;
  readonly outputs: PropertyMap;
}

/** What the stack keeps of a resource whose operation failed, and what the user reads. */
export async function partOf(work: Promise<unknown>): Promise<Standing & { message: string }> {
  const error: unknown = await work.then(
    () => "It did not fail.",
    (reason: unknown) => reason,
  );
  if (!(error instanceof PartialFailure)) throw error;
  return { id: error.id, outputs: error.properties, message: error.message };
}
