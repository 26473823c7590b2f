import { systemClock, type Clock } from "../../provider/src/api/http/clock";
import { HIDDEN_INPUTS } from "../../provider/src/lifecycle/hidden-inputs";
import { Lifecycle, PartialFailure, type ResourceDefinition } from "../../provider/src/lifecycle/lifecycle";
import { PRIVATE_STATE, privateStateOf } from "../../provider/src/lifecycle/private-state";
import type { PropertyMap } from "../../provider/src/lifecycle/property-value";
import { describeFailure } from "../../provider/src/lifecycle/validation";
import type { RunContext } from "../../provider/src/resources/context";
import { connect, renderFailure, type Place } from "./client";
import { apiOf, runContext, stackWithState, type DeployedResource, type ReadState } from "./lifecycle";
import { newSimulator, type SimulatorOptions } from "./simulator";

interface RunOptions {
  readonly maxRetries?: number;
  readonly requestTimeoutSeconds?: number;
  /** Default: a stack without a state. */
  readonly readState?: ReadState;
}

const NO_STATE: ReadState = () => Promise.resolve(undefined);

export function runAgainst(
  define: (connection: RunContext) => ResourceDefinition,
  place: Place,
  clock: Clock,
  { maxRetries = 0, requestTimeoutSeconds = 30, readState = NO_STATE }: RunOptions = {},
) {
  const { client, scope, lines, ...output } = connect(place, { requestTimeoutSeconds, maxRetries, clock });
  const newLifecycle = () => {
    const stack = stackWithState(readState);
    const context = { ...runContext(), ...output, stack, defaults: () => ({ ...scope }) };
    return new Lifecycle(define({ ...context, ...apiOf(client, clock) }), context);
  };
  let lasting: Lifecycle | undefined;
  return {
    /** In the plugin process of one run: a new one at each access, until `nextRun` keeps one. */
    get lifecycle(): Lifecycle {
      return lasting ?? newLifecycle();
    },
    nextRun: (): void => {
      lasting = newLifecycle();
    },
    lines,
  };
}

export type ResourceRun = Awaited<ReturnType<typeof newRun>>;

export async function newRun(
  define: (connection: RunContext) => ResourceDefinition,
  options: SimulatorOptions = {},
  maxRetries = 0,
  requestTimeoutSeconds = 30,
) {
  const simulator = await newSimulator(options);
  let now = 1_000_000;
  const clock: Clock = {
    ...systemClock,
    now: () => now,
    sleep: (ms: number) => {
      now += ms;
      simulator.control.advance(ms / 1000);
      test.otherClient(test.sleeps.push(ms));
      return Promise.resolve();
    },
  };
  const more = {
    simulator,
    control: simulator.control,
    clock,
    readState: NO_STATE,
    /** How long it slept, in ms, each time. The simulator's clock moves along. */
    sleeps: [] as number[],
    /** Acts as another client after each sleep; gets the number of sleeps. */
    otherClient: (_sleeps: number): void => undefined,
  };
  // The lifecycle is a getter of the first object.
  const readState: ReadState = () => test.readState();
  const runOptions = { maxRetries, requestTimeoutSeconds, readState };
  const test = Object.assign(runAgainst(define, simulator, clock, runOptions), more);
  return test;
}

type Define = Parameters<typeof newRun>[0];

/** A resource that an earlier run deployed: `before` is its state, and the requests and lines of that run are gone. */
export async function deployResource(
  define: Define,
  args: object,
  options: SimulatorOptions = {},
  maxRetries = 0,
) {
  const run = await newRun(define, options, maxRetries);
  const before = await up(run, args);
  run.control.clearRequests();
  run.lines.length = run.sleeps.length = 0;
  return { run, control: run.control, before };
}

/** Runs `up` for a program with one resource: checks it, then creates, updates or replaces it. */
export async function up(
  { lifecycle }: Pick<ResourceRun, "lifecycle">,
  args: object,
  before?: DeployedResource,
) {
  // As the engine passes them on: plain JSON, made in this realm.
  const newInputs = JSON.parse(JSON.stringify({ [HIDDEN_INPUTS.key]: "resource", ...args })) as PropertyMap;
  const key = newInputs[HIDDEN_INPUTS.key] as string;
  const inputs = await checked(lifecycle, before?.outputs, newInputs);
  if (before === undefined) return lifecycle.create(inputs, key);
  const { id, outputs } = before;
  const { changed, replaces, deleteBeforeReplace } = lifecycle.diff(id, outputs, inputs, key);
  if (!changed) return before;
  if (replaces.length === 0) return { id, outputs: await lifecycle.update(id, outputs, inputs, key) };
  const fresh = await checked(lifecycle, undefined, newInputs);
  if (deleteBeforeReplace) await lifecycle.delete(id, outputs);
  const created = await lifecycle.create(fresh, key);
  if (!deleteBeforeReplace) await lifecycle.delete(id, outputs);
  return created;
}

async function checked(lifecycle: Lifecycle, oldInputs: PropertyMap | undefined, newInputs: PropertyMap) {
  const result = lifecycle.check(oldInputs, newInputs);
  const failures = [...result.failures, ...(await lifecycle.preview(result))];
  if (failures.length > 0) throw new CheckFailed(failures.map(describeFailure).join("\n"));
  return result.inputs;
}

export class CheckFailed extends Error {}

/** The state after a refresh; undefined without the resource. */
export async function stateAfterRefresh(
  { lifecycle }: Pick<ResourceRun, "lifecycle">,
  { id, outputs }: DeployedResource,
) {
  const read = await lifecycle.read(id, outputs);
  return read && { id, outputs: read.outputs };
}

/** The outputs after a read that finds no drift: without the private state that only the first read after a write needs. */
export function outputsAfterRead(outputs: PropertyMap): PropertyMap {
  const { written: _written, sent: _sent, former: _former, ...kept } = privateStateOf(outputs);
  return { ...outputs, [PRIVATE_STATE]: kept };
}

export async function partialFailureOf(
  work: Promise<unknown>,
): Promise<DeployedResource & { message: string }> {
  const error: unknown = await renderFailure(work, "pipe").then(
    () => "It did not fail.",
    (reason: unknown) => reason,
  );
  if (!(error instanceof PartialFailure)) throw error;
  return { id: error.id, outputs: error.properties, message: error.message };
}
