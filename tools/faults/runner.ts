import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, leaks, type Leak } from "../../testkit/canary";
import type { Deployment } from "../../testkit/deployment";
import { newSimulator, writes, type LoggedRequest, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";
import { messagesOf, type Message } from "./messages";
import { KINDS, operations, RUNS, type Kind, type Operation, type RunName } from "./operations";
import { isAsDeclared, nameOf, passwordOf, programOf, serviceIdOf } from "./program";
import { MAX_RETRIES, REQUEST_TIMEOUT_SECONDS, type Scenario } from "./scenarios";

/** What one run of the CLI did for one operation. */
export interface Outcome {
  /** The error that the user saw; undefined when it ended well. */
  readonly failure: string | undefined;
  /** The other lines that the user saw. */
  readonly lines: readonly string[];
  /** The requests that the simulator got, by the names of the API's operations. */
  readonly requests: readonly string[];
  /** The ids of what exists in the service. */
  readonly existing: readonly string[];
  /** The id in the state of the stack. */
  readonly stored: string | undefined;
  /** Whether the service has what the program declares. */
  readonly asDeclared: boolean;
}

/** One operation of one scenario: the run with the fault, and the next one without it. */
export interface Row {
  readonly operation: Operation;
  readonly scenario: Scenario;
  readonly during: Outcome;
  readonly next: Outcome;
  /** How many updates `pulumi up` sends after a refresh, which may find what a service normalized. */
  readonly corrections: number;
  /** Whether the preview that follows shows no change. */
  readonly previewIsEmpty: boolean;
  /** Places where a secret of this scenario is shown or stored. */
  readonly leaks: readonly Leak[];
}

/** Far more requests than a client sends. */
const EVERY_TIME = 50;

/** A run of many scenarios takes minutes on a busy machine. */
const OPTIONS = { expectFailure: "either", seconds: 900 } as const;

const KEY_SECRET = canary("api-key-secret");

/** Runs scenarios on one stack of the real engine. */
export async function* runScenarios(
  scenarios: readonly Scenario[],
  runs: readonly RunName[] = RUNS,
): AsyncGenerator<Row> {
  const services = scenarios.flatMap(({ profile, ...scenario }) =>
    KINDS.map((kind) => ({ id: serviceIdOf(scenario, kind), profiles: [profile ?? []].flat() })),
  );
  const serviceIds = services.map(({ id }) => id);
  const simulator = await newSimulator({
    accounts: [{ ...DEFAULT_ACCOUNT, apiKeySecret: KEY_SECRET, serviceIds }],
  });
  for (const { id, profiles } of services) simulator.control.setBehaviour({ profiles }, id);
  const config = { maxRetries: `${MAX_RETRIES}`, requestTimeoutSeconds: `${REQUEST_TIMEOUT_SECONDS}` };
  const runner = new Runner(await newStack({ simulator, config }), simulator, scenarios);
  for (const name of runs) yield* await runner.run(name);
}

/** All that is known when a command has ended. */
interface Ended {
  readonly output: string;
  readonly messages: readonly Message[];
  readonly requests: readonly LoggedRequest[];
  readonly resources: Deployment["resources"];
  /** What the services have, by kind. */
  readonly present: Readonly<Record<Kind, readonly Present[]>>;
}

interface Present {
  readonly id: string;
  readonly serviceId: string;
}
type Pair = readonly [Scenario, Operation];

class Runner {
  constructor(
    private readonly stack: TestStack,
    private readonly simulator: Simulator,
    private readonly scenarios: readonly Scenario[],
  ) {}

  /** Runs a command under the faults, then without them. */
  async run(name: RunName): Promise<readonly Row[]> {
    const { control } = this.simulator;
    const pairs = operations
      .filter(({ run }) => run === name)
      .flatMap((operation) => this.scenarios.map((scenario): Pair => [scenario, operation]))
      // A read has no effect: it makes no difference whether the server processes it.
      .filter(([{ fault }, { request }]) => request !== "listPipes" || !("processed" in fault));
    await this.stack.write(programOf(this.scenarios, name));
    for (const [scenario, { request: operationId, kind }] of pairs) {
      const times = scenario.persistent ? EVERY_TIME : 1;
      control.fault({ ...scenario.fault, operationId, serviceId: serviceIdOf(scenario, kind), times });
    }
    const during = await this.runOnce(name, pairs);
    control.clearFaults();
    const next = await this.runOnce(name, pairs);
    control.clearRequests();
    if (name === "refresh") await this.stack.up(OPTIONS);
    const updates = writes(this.simulator);
    const preview = await this.stack.preview({ ...OPTIONS, expectNoChanges: true });
    this.deleteUnmanaged((await this.stack.export()).resources);
    const texts = { during: during.output, next: next.output, stored: await this.stack.storedText() };
    return pairs.map(([scenario, operation]) => ({
      ...{ operation, scenario },
      during: outcomeOf([scenario, operation], during),
      next: outcomeOf([scenario, operation], next),
      corrections: updates.filter(({ path }) => path.includes(serviceIdOf(scenario, operation.kind))).length,
      previewIsEmpty: preview.code === 0 || !preview.output.includes(` ${nameOf(scenario, operation.kind)} `),
      leaks: leaks(texts, [passwordOf(scenario, 1), passwordOf(scenario, 2), KEY_SECRET]),
    }));
  }

  private async runOnce(name: RunName, pairs: readonly Pair[]): Promise<Ended> {
    const { control } = this.simulator;
    control.clearRequests();
    const { code, output } =
      name === "refresh"
        ? await this.stack.refresh(OPTIONS)
        : await this.stack.up({ ...OPTIONS, flags: ["--continue-on-error"] });
    const requests = control.requests();
    const { resources } = await this.stack.export();
    const { pipes, endpoints, services } = control.state();
    const settings = services.map((service) => ({ ...service, serviceId: service.id }));
    const present = { pipe: pipes, endpoint: endpoints, settings };
    const ended = { output, messages: messagesOf(output), requests, resources, present };
    const failed = pairs.some((pair) => outcomeOf(pair, ended).failure !== undefined);
    if (failed !== (code !== 0))
      throw new Error(
        `${name}: exit code ${code}, while ${failed ? "an" : "no"} operation failed:\n${output}`,
      );
    if (/AxiosError|^\s+at .+:\d+:\d+/m.test(output))
      throw new Error(`${name}: the output shows the stack of an error:\n${output}`);
    return ended;
  }

  /** Deletes what no resource manages, so that the next run begins with one of each. */
  private deleteUnmanaged(resources: Deployment["resources"]): void {
    const { control } = this.simulator;
    const isUnmanaged = ({ id }: { id: string }): boolean => !resources.some((one) => one.id === id);
    const { pipes, endpoints } = control.state();
    for (const { id } of pipes.filter(isUnmanaged)) control.deletePipe(id);
    for (const { id } of endpoints.filter(isUnmanaged)) control.deleteEndpoint(id);
  }
}

function outcomeOf([scenario, operation]: Pair, { messages, requests, resources, present }: Ended): Outcome {
  const { kind, run } = operation;
  const [name, serviceId] = [nameOf(scenario, kind), serviceIdOf(scenario, kind)];
  const things = present[kind].filter((thing) => thing.serviceId === serviceId);
  const existing = things.map(({ id }) => id);
  const stored = resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
  const isOurs = (text: string): boolean =>
    [serviceId, `${name}"`, ...existing].some((part) => text.includes(part));
  const failures = messages
    .filter((one) => one.isError && (run === "function" ? isOurs(one.text) : one.resource === name))
    .map(({ text }) => text);
  const others = messages.filter(({ isError }) => !isError).flatMap(({ text }) => text.split("\n"));
  return {
    failure: failures.length === 0 ? undefined : failures.join("\n"),
    lines: others.filter(isOurs),
    requests: requests.flatMap(({ path, operationId }) =>
      path.includes(serviceId) ? (operationId ?? []) : [],
    ),
    ...{ existing, stored },
    asDeclared: things.some((thing) => thing.id === stored && isAsDeclared(scenario, operation, thing)),
  };
}
