import { DEFAULT_ACCOUNT } from "../../../simulator/src/index";
import { canary, leaks } from "../../../testkit/canary";
import type { Deployment } from "../../../testkit/deployment";
import { newSimulator, writes, type Simulator } from "../../../testkit/simulator";
import { newStack, type TestStack } from "../../../testkit/stack";
import { messagesOf } from "../../../testkit/messages";
import { isAsDeclared, nameOf, passwordOf, programOf, serviceIdOf } from "./program";
import { casesOf, COMMANDS, KINDS, MAX_RETRIES, REQUEST_TIMEOUT_SECONDS } from "./scenarios";
import type { Case, Command, Scenario } from "./scenarios";

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

/** A case, what the run with the fault did, and what the next run without it did. */
export type Row = Awaited<ReturnType<typeof rowsOfCommand>>[number];

/** Far more requests than a client sends, which repeats those that the rate limit refuses while others are served. */
const EVERY_TIME = 10_000;

const OPTIONS = { expectFailure: "either" } as const;

const KEY_SECRET = canary("api-key-secret");

interface Target {
  readonly stack: TestStack;
  readonly simulator: Simulator;
}

/** Stacks that run at the same time, because most of their time is waiting, and the scenarios of the smallest. */
const [MOST_STACKS, FEWEST_SCENARIOS] = [4, 10];

/** Runs all commands of scenarios on a few stacks of the real engine. */
export async function runScenarios(scenarios: readonly Scenario[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const stacks = Math.min(MOST_STACKS, Math.ceil(scenarios.length / FEWEST_SCENARIOS));
  const runPart = async (part: number): Promise<void> => {
    for await (const row of rowsOfStack(scenarios.filter((_, index) => index % stacks === part)))
      rows.push(row);
  };
  await Promise.all(Array.from({ length: stacks }, (_, part) => runPart(part)));
  return rows;
}

async function* rowsOfStack(scenarios: readonly Scenario[]): AsyncGenerator<Row> {
  const services = scenarios.flatMap(({ profile, ...scenario }) =>
    KINDS.map((kind) => ({ id: serviceIdOf(scenario, kind), profiles: [profile ?? []].flat() })),
  );
  const account = {
    ...DEFAULT_ACCOUNT,
    apiKeySecret: KEY_SECRET,
    serviceIds: services.map(({ id }) => id),
  };
  const simulator = await newSimulator({ accounts: [account] });
  for (const { id, profiles } of services) simulator.control.setBehaviour({ profiles }, id);
  const config = {
    maxRetries: `${MAX_RETRIES}`,
    requestTimeoutSeconds: `${REQUEST_TIMEOUT_SECONDS}`,
    rateLimitTimeoutSeconds: "8",
  };
  const stack = await newStack({ simulator, config });
  for (const command of COMMANDS) {
    await stack.write(programOf(scenarios, command));
    const cases = casesOf(scenarios).filter(({ operation }) => operation.command === command);
    if (cases.length > 0) yield* await rowsOfCommand({ stack, simulator }, command, cases);
  }
}

/** Runs a command under the faults, then without them. */
async function rowsOfCommand(target: Target, command: Command, cases: readonly Case[]) {
  const { stack, simulator } = target;
  const { control } = simulator;
  for (const { scenario, operation } of cases) {
    const where = { operationId: operation.request, serviceId: serviceIdOf(scenario, operation.kind) };
    control.fault({ ...scenario.fault, ...where, times: scenario.persistent ? EVERY_TIME : 1 });
  }
  const during = await runOnce(target, command, cases);
  control.clearFaults();
  // While they exist, the next run would refuse to create a second one.
  if (command === "create") deleteRefused(simulator, cases);
  const next = await runOnce(target, command, cases);
  control.clearRequests();
  if (command === "refresh") await stack.up(OPTIONS);
  const updates = writes(simulator);
  const preview = await stack.preview({ ...OPTIONS, expectNoChanges: true });
  deleteUnmanaged(simulator, (await stack.export()).resources);
  const texts = { during: during.output, next: next.output, stored: await stack.storedText() };
  return cases.map(({ scenario, operation }) => ({
    ...{ scenario, operation },
    during: outcomeOf({ scenario, operation }, during),
    next: outcomeOf({ scenario, operation }, next),
    /** How many updates `pulumi up` sends after a refresh, which may find what a service normalized. */
    corrections: updates.filter(({ path }) => path.includes(serviceIdOf(scenario, operation.kind))).length,
    previewIsEmpty: preview.code === 0 || !preview.output.includes(` ${nameOf(scenario, operation.kind)} `),
    leaks: leaks(texts, [passwordOf(scenario, 1), passwordOf(scenario, 2), KEY_SECRET]),
  }));
}

/** All that is known when a command has ended. */
type Ended = Awaited<ReturnType<typeof execute>>;

async function execute({ stack, simulator: { control } }: Target, command: Command) {
  control.clearRequests();
  const { code, output } =
    command === "refresh"
      ? await stack.refresh(OPTIONS)
      : await stack.up({ ...OPTIONS, flags: ["--continue-on-error"] });
  const requests = control.requests();
  const { resources } = await stack.export();
  const { pipes, endpoints, services } = control.state();
  const settings = services.map(({ id, ...service }) => ({ ...service, id, serviceId: id }));
  const existing = { pipe: pipes, endpoint: endpoints, settings };
  return { code, output, messages: messagesOf(output), requests, resources, existing };
}

async function runOnce(target: Target, command: Command, cases: readonly Case[]): Promise<Ended> {
  const ended = await execute(target, command);
  const { code, output } = ended;
  const failed = cases.some((one) => outcomeOf(one, ended).failure !== undefined);
  if (failed !== (code !== 0))
    throw new Error(
      `${command}: exit code ${code}, while ${failed ? "an" : "no"} operation failed:\n${output}`,
    );
  if (/AxiosError|^\s+at .+:\d+:\d+/m.test(output))
    throw new Error(`${command}: the output shows the stack of an error:\n${output}`);
  return ended;
}

/** Deletes the pipes that the service created although it refused the requests. */
function deleteRefused({ control }: Simulator, cases: readonly Case[]): void {
  const refused = cases.filter(({ scenario }) => scenario.nature === "refused" && scenario.takesEffect);
  const services = refused.map(({ scenario }) => serviceIdOf(scenario, "pipe"));
  for (const { id, serviceId } of control.state().pipes)
    if (services.includes(serviceId)) control.deletePipe(id);
}

/** Deletes what no resource manages, so that the next command begins with one of each. */
function deleteUnmanaged({ control }: Simulator, resources: Deployment["resources"]): void {
  const isUnmanaged = ({ id }: { id: string }): boolean => !resources.some((one) => one.id === id);
  const { pipes, endpoints } = control.state();
  for (const { id } of pipes.filter(isUnmanaged)) control.deletePipe(id);
  for (const { id } of endpoints.filter(isUnmanaged)) control.deleteEndpoint(id);
}

function outcomeOf({ scenario, operation }: Case, ended: Ended): Outcome {
  const { kind, command } = operation;
  const [name, serviceId] = [nameOf(scenario, kind), serviceIdOf(scenario, kind)];
  const entries = ended.existing[kind].filter((entry) => entry.serviceId === serviceId);
  const existing = entries.map(({ id }) => id);
  const stored = ended.resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
  const names = [serviceId, `${name}"`, ...existing];
  const isOurs = (text: string): boolean => names.some((part) => text.includes(part));
  const failures = ended.messages
    .filter((one) => one.isError && (command === "function" ? isOurs(one.text) : one.resource === name))
    .map(({ text }) => text);
  const others = ended.messages.filter(({ isError }) => !isError).flatMap(({ text }) => text.split("\n"));
  const requests = ended.requests.filter(({ path }) => path.includes(serviceId));
  return {
    failure: failures.length === 0 ? undefined : failures.join("\n"),
    lines: others.filter(isOurs),
    requests: requests.flatMap(({ operationId }) => operationId ?? []),
    ...{ existing, stored },
    asDeclared: entries.some((entry) => entry.id === stored && isAsDeclared({ scenario, operation }, entry)),
  };
}
