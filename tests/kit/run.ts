import type { Clock } from "../../provider/src/api/http/clock";
import { HIDDEN_INPUTS } from "../../provider/src/lifecycle/state/hidden-inputs";
import { Lifecycle } from "../../provider/src/lifecycle/program/lifecycle";
import { WriteFailure } from "../../provider/src/lifecycle/state/write-failure";
import { PRIVATE_STATE, privateStateOf } from "../../provider/src/lifecycle/state/private-state";
import type { PropertyMap } from "../../provider/src/lifecycle/comparison/property-value";
import { describeFailure } from "../../provider/src/lifecycle/comparison/validation";
import { connect, rejection, renderFailure, type Place } from "./client";
import {
  apiOf,
  runContext,
  stackWithState,
  type Define,
  type DeployedResource,
  type ReadState,
} from "./lifecycle";
import { InstantClock } from "./clock";
import { newSimulator, type Simulator, type SimulatorOptions } from "./simulator";

interface RunOptions {
  readonly maxRetries?: number;
  readonly requestTimeoutSeconds?: number;
}

/** The runs of a program with one kind of resource, against a service. */
export class Runs {
  readonly lines: string[];
  readonly #newLifecycle: () => Lifecycle;
  #lasting: Lifecycle | undefined;

  /** Returns what `pulumi stack export` prints; by default, a stack without a state. */
  readState: ReadState = () => Promise.resolve(undefined);

  constructor(define: Define, place: Place, clock: Clock, options: RunOptions = {}) {
    const { client, scope, lines, ...output } = connect(place, {
      requestTimeoutSeconds: 30,
      ...options,
      clock,
    });
    this.lines = lines;
    this.#newLifecycle = () => {
      const stack = stackWithState(() => this.readState());
      const context = { ...runContext(), ...output, stack, defaults: () => ({ ...scope }) };
      return new Lifecycle(define({ ...context, ...apiOf(() => client, clock, context.program) }), context);
    };
  }

  /** In the plugin process of one run: a new one at each access, until `nextRun` keeps one. */
  get lifecycle(): Lifecycle {
    return this.#lasting ?? this.#newLifecycle();
  }

  nextRun(): void {
    this.#lasting = this.#newLifecycle();
  }
}

/** A clock that moves that of a simulator along, and does not wait. */
class SimulatorClock extends InstantClock {
  /** Acts as another client after each sleep; gets the number of sleeps. */
  otherClient = (_sleeps: number): void => undefined;

  constructor(private readonly simulator: Simulator) {
    super();
  }

  override async sleep(milliseconds: number): Promise<void> {
    await super.sleep(milliseconds);
    this.simulator.control.advance(milliseconds / 1000);
    this.otherClient(this.slept.length);
  }
}

/** Runs against a simulator of their own, whose time passes as they sleep. */
export class ResourceRun extends Runs {
  readonly control: Simulator["control"];

  constructor(
    define: Define,
    readonly simulator: Simulator,
    readonly clock: SimulatorClock,
    options: RunOptions,
  ) {
    super(define, simulator, clock, options);
    this.control = simulator.control;
  }

  /** How long it slept, in ms, each time. */
  get sleeps(): number[] {
    return this.clock.slept;
  }

  set otherClient(act: (sleeps: number) => void) {
    this.clock.otherClient = act;
  }
}

export async function newRun(
  define: Define,
  options: SimulatorOptions = {},
  runOptions: RunOptions = {},
): Promise<ResourceRun> {
  const simulator = await newSimulator(options);
  return new ResourceRun(define, simulator, new SimulatorClock(simulator), runOptions);
}

/** A resource that an earlier run deployed: `before` is its state, and the requests and lines of that run are gone. */
export async function deployResource(
  define: Define,
  args: object,
  options: SimulatorOptions = {},
  runOptions: RunOptions = {},
) {
  const run = await newRun(define, options, runOptions);
  const before = await up(run, args);
  run.control.clearRequests();
  run.lines.length = 0;
  run.sleeps.length = 0;
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
  const failures = [...result.failures, ...(await lifecycle.checkAgainstOthers(result))];
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
  const error = await rejection(renderFailure(work, "pipe"));
  if (!(error instanceof WriteFailure) || error.stored === undefined) throw error;
  return { ...error.stored, message: error.message };
}
