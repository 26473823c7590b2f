import { Client } from "../../../provider/src/api/client";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { Lifecycle, PartialFailure, type ResourceDefinition } from "../../../provider/src/core/resource";
import type { Connection } from "../../../provider/src/resources/connection";
import { newSimulator, type SimulatorOptions, type Simulator } from "../../support/simulator";

/** The life of a resource against a simulator, without the engine. */
export interface Online {
  simulator: Simulator;
  lifecycle: Lifecycle;
  /** What the user was told. */
  lines: string[];
  /** How long it slept, in ms, each time. The simulator's clock moves along. */
  sleeps: number[];
  /** Called after each sleep with their number so far: what somebody else does meanwhile. */
  meanwhile: (sleeps: number) => void;
}

export async function online(
  define: (connection: Connection) => ResourceDefinition,
  options: SimulatorOptions = {},
): Promise<Online> {
  const simulator = await newSimulator(options);
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = simulator.account;
  const lines: string[] = [];
  const inform = (line: string): void => {
    lines.push(line);
  };
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
  const client = new Client({
    baseUrl: simulator.url,
    apiKeyId,
    apiKeySecret,
    rateLimit: "off",
    requestTimeoutSeconds: 5,
    maxRetries: 0,
    userAgent: "pulumi-datapipes/test",
    inform,
    clock,
  });
  const lifecycle = new Lifecycle(define({ client: () => client, inform, clock }), {
    configurationProblems: () => [],
    defaults: () => ({ organizationId, serviceId: serviceIds[0] }),
    inform,
  });
  const test: Online = { simulator, lifecycle, lines, sleeps: [], meanwhile: () => undefined };
  return test;
}

/** What `up` does with a program that declares one resource: checks, then creates it, or updates what it left behind. */
export async function up({ lifecycle }: Online, args: object, before?: Standing): Promise<Standing> {
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
