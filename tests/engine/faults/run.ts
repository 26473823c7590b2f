import { DEFAULT_ACCOUNT } from "../../../simulator/src/index";
import { canary, leaks } from "../../kit/canary";
import { valueAt, type StoredResource } from "../../kit/deployment";
import { errorsOf } from "../messages";
import { withValues, type JsonObject } from "../../kit/json";
import { minimal } from "../../kit/pipes";
import { declaration } from "../../kit/program";
import { newSimulator, type LoggedRequest, type Simulator } from "../../kit/simulator";
import { newStack, type TestStack } from "../../kit/stack";
import { COMMANDS, FAULTS, OPERATIONS, RESOURCES, type Command, type Resource } from "./operations";

/** What a run has done. */
interface Outcome {
  readonly succeeds: boolean;
  /** How often it has sent the request. */
  readonly sent: number;
  /** How many objects exist. */
  readonly existing: number;
  /** Whether the state has the ID of an object that exists. */
  readonly isManaged: boolean;
  /** Whether that object is as the program declares it. */
  readonly isAsDeclared: boolean;
}

/** What the run with the fault did, and the next run without it. */
interface Result {
  readonly during: Outcome;
  /** The error that the user saw. */
  readonly error: string | undefined;
  /** With the preview after it. */
  readonly next: Omit<Outcome, "sent"> & { readonly isPreviewEmpty: boolean };
}

const KEY_SECRET = canary("api-key-secret");
const PASSWORDS = [canary("password-1"), canary("password-2")];

const serviceIdOf = (resource: Resource, index: number): string =>
  `0a1b2c3d-0000-4000-9000-${RESOURCES.indexOf(resource)}${String(index).padStart(11, "0")}`;

const nameOf = (resource: Resource, index: number): string => `${resource}-${index}`;

/** All operations with all faults. */
const CASES = OPERATIONS.flatMap((operation) =>
  FAULTS.map(({ fault, kind }, index) => ({
    ...operation,
    title: `${operation.request} ${fault}`,
    kind,
    name: nameOf(operation.resource, index),
    serviceId: serviceIdOf(operation.resource, index),
  })),
);

type Case = (typeof CASES)[number];

const roleOf = (version: number): string => `role-${version}`;
const titleOf = (version: number): string => `Shop ${version}`;

function programOf(version: 1 | 2): string {
  const credentials = { username: "loader", password: PASSWORDS[version - 1] ?? "" };
  const pipe = withValues(minimal.kafka, {
    "source.kafka.iamRole": roleOf(version),
    "source.kafka.credentials": credentials,
  });
  const endpoint = { type: "VPC_ENDPOINT_SERVICE", description: "to the broker" };
  const declared = (type: string, resource: Resource, index: number, args: JsonObject): string =>
    declaration(type, nameOf(resource, index), { serviceId: serviceIdOf(resource, index), ...args });
  return FAULTS.flatMap((_, index) => [
    declared("Pipe", "pipe", index, pipe),
    declared("ReversePrivateEndpoint", "endpoint", index, endpoint),
    declared("ServiceSettings", "settings", index, { name: titleOf(version) }),
  ]).join(";\n");
}

/** All that is known when a command has ended. */
interface Ended {
  readonly output: string;
  readonly errors: ReadonlyMap<string, string>;
  readonly requests: readonly LoggedRequest[];
  readonly stored: readonly StoredResource[];
  readonly existing: Readonly<Record<Resource, readonly object[]>>;
}

/** Runs each operation with each fault, then without it, on one stack of the real engine. */
export class FaultRun {
  readonly #results = new Map<string, Result>();
  /** What the user saw, and what is stored. */
  readonly texts: Record<string, string> = {};
  /** What the user saw of the runs without a fault. */
  readonly outputs: string[] = [];

  static async start(): Promise<FaultRun> {
    const services = RESOURCES.flatMap((resource) => FAULTS.map((_, index) => serviceIdOf(resource, index)));
    const account = { ...DEFAULT_ACCOUNT, apiKeySecret: KEY_SECRET, serviceIds: services };
    const simulator = await newSimulator({ accounts: [account] });
    const run = new FaultRun(simulator, await newStack({ simulator, config: { maxRetries: "2" } }));
    for (const command of COMMANDS) await run.#command(command);
    return run;
  }

  private constructor(
    private readonly simulator: Simulator,
    private readonly stack: TestStack,
  ) {}

  /** The secrets that a text shows. */
  get leaks() {
    return leaks(this.texts, [...PASSWORDS, KEY_SECRET]);
  }

  resultOf(request: string, fault: string): Result {
    const result = this.#results.get(`${request} ${fault}`);
    if (result === undefined) throw new Error(`nothing was run for ${request} with ${fault}`);
    return result;
  }

  async #command(command: Command): Promise<void> {
    const version = command === "create" ? 1 : 2;
    await this.stack.write(programOf(version));
    const cases = CASES.filter((one) => one.command === command);
    for (const { kind, request, serviceId } of cases)
      this.simulator.control.fault({ ...kind, operationId: request, serviceId });
    const during = await this.#run(command);
    const next = await this.#run(command);
    const preview = await this.stack.preview();
    this.outputs.push(next.output, preview.output);
    this.texts[command] = [during.output, next.output, preview.output].join("\n");
    this.texts[`state after ${command}`] = await this.stack.storedText();
    for (const one of cases) {
      const { sent: _sent, ...afterwards } = outcomeOf(one, next, version);
      this.#results.set(one.title, {
        during: outcomeOf(one, during, version),
        error: during.errors.get(one.name),
        next: { ...afterwards, isPreviewEmpty: !preview.output.includes(` ${one.name} `) },
      });
    }
  }

  async #run(command: Command): Promise<Ended> {
    const { control } = this.simulator;
    control.clearRequests();
    const options = { expectFailure: "either", flags: ["--parallel", "100"] } as const;
    const run =
      command === "refresh"
        ? await this.stack.refresh(options)
        : await this.stack.up({ ...options, flags: [...options.flags, "--continue-on-error"] });
    const errors = errorsOf(run);
    if (errors.size > 0 !== (run.code !== 0))
      throw new Error(`${command} ended with ${run.code}:\n${run.output}`);
    const { pipes, endpoints, services } = control.state();
    const settings = services.map((service) => ({ ...service, serviceId: service.id }));
    return {
      output: run.output,
      errors,
      requests: control.requests(),
      stored: (await this.stack.export()).resources,
      existing: { pipe: pipes, endpoint: endpoints, settings },
    };
  }
}

function outcomeOf({ resource, request, name, serviceId }: Case, ended: Ended, version: number): Outcome {
  const existing = ended.existing[resource].filter((one) => valueAt(one, "serviceId") === serviceId);
  const id = ended.stored.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
  const managed = existing.find((one) => valueAt(one, "id") === id);
  const isSent = ({ operationId, path }: LoggedRequest): boolean =>
    operationId === request && path.includes(serviceId);
  return {
    succeeds: !ended.errors.has(name),
    sent: ended.requests.filter(isSent).length,
    existing: existing.length,
    isManaged: managed !== undefined,
    isAsDeclared: managed !== undefined && isAsDeclared(resource, managed, version),
  };
}

function isAsDeclared(resource: Resource, present: object, version: number): boolean {
  if (resource === "pipe") return valueAt(present, "source.kafka.iamRole") === roleOf(version);
  return resource === "endpoint" || valueAt(present, "name") === titleOf(version);
}
