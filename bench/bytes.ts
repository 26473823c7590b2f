import path from "node:path";
import { rm } from "node:fs/promises";
import { VariantStack, linesOf } from "./variant-stack";
import { VARIANTS, type ByVariant, type VariantName } from "./variants";
import { OPERATIONS, type OperationName } from "./options";

/** The bytes that one variant sends and stores. */
export interface Bytes {
  /** The size of `__provider` in the state of every resource, 0 without one. */
  readonly provider: number;
  /** One resource as it is stored. */
  readonly statePerPipe: number;
  /** Request and answer of one call of the plugin, as JSON, on average. */
  readonly perCall: Readonly<Record<string, number>>;
  /** Requests to the API per operation, for all pipes of all services. */
  readonly requests: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** How many pipes, in how many services. */
export const COUNTED = { pipes: 10, services: 2 } as const;

/** Counts bytes with a log of all calls, which would distort a timed run. */
export async function countBytes(): Promise<ByVariant<Bytes>> {
  const counted: Partial<Record<VariantName, Bytes>> = {};
  for (const name of VARIANTS) counted[name] = await bytesOf(await VariantStack.start(name));
  return counted as ByVariant<Bytes>;
}

async function bytesOf(variant: VariantStack): Promise<Bytes> {
  await variant.declare(COUNTED.pipes, COUNTED.services);
  const log = path.join(variant.stack.project, "grpc.jsonl");
  await rm(log, { force: true });
  const requests: Partial<Record<OperationName, Readonly<Record<string, number>>>> = {};
  let stored: { provider: number; statePerPipe: number } = { provider: 0, statePerPipe: 0 };
  for (const operation of OPERATIONS) {
    const sample = await variant.run(operation, { env: { PULUMI_DEBUG_GRPC: log } });
    requests[operation] = sample.requests;
    if (operation === "refresh") stored = await storedBytes(variant);
  }
  return { ...stored, perCall: bytesPerCall(await linesOf(log)), requests };
}

async function storedBytes(variant: VariantStack) {
  const { resources } = await variant.export();
  // The stack and the providers have no provider themselves.
  const pipes = resources.filter(({ provider }) => provider !== undefined);
  const total = pipes.reduce((bytes, pipe) => bytes + Buffer.byteLength(JSON.stringify(pipe)), 0);
  const provider = pipes[0]?.outputs?.["__provider"];
  return {
    provider: provider === undefined ? 0 : Buffer.byteLength(JSON.stringify(provider)),
    statePerPipe: Math.round(total / pipes.length),
  };
}

interface LoggedCall {
  readonly method: string;
  readonly request: object;
  readonly response?: unknown;
  readonly progress?: string;
  readonly timestamp: string;
  /** In nanoseconds. */
  readonly duration?: number;
}

/** One call of the plugin. */
export interface PluginCall {
  readonly request: object;
  readonly bytes: number;
  /** When it began and ended, in ms. */
  readonly from: number;
  readonly to: number;
}

/** The calls of one method of the plugin, from the engine's own log. */
export const callsOf = (method: string, lines: readonly string[]): PluginCall[] =>
  lines
    .map((line) => JSON.parse(line) as LoggedCall)
    .filter((call) => call.method === `/pulumirpc.ResourceProvider/${method}`)
    .filter(({ progress }) => progress === "response_completed")
    .map(({ request, response = {}, timestamp, duration = 0 }) => {
      const to = Date.parse(timestamp);
      const bytes = Buffer.byteLength(JSON.stringify(request)) + Buffer.byteLength(JSON.stringify(response));
      return { request, bytes, from: to - duration / 1e6, to };
    });

/** The methods of which every resource has calls. */
const METHODS = ["Check", "Diff", "Create", "Read", "Update", "Delete"] as const;

/** The mean size of a call per method. */
export const bytesPerCall = (lines: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    METHODS.flatMap((method) => {
      const calls = callsOf(method, lines);
      const total = calls.reduce((sum, { bytes }) => sum + bytes, 0);
      return calls.length === 0 ? [] : [[method, Math.round(total / calls.length)]];
    }),
  );
