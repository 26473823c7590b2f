import { DEFAULT_ACCOUNT } from "../../../simulator/src/index";
import { canary, leaks } from "../../kit/canary";
import { valueAt, type StoredResource } from "../../kit/deployment";
import { errorsOf } from "../messages";
import { withValues, type JsonObject } from "../../kit/json";
import { minimal } from "../../kit/pipes";
import { declaration } from "../../kit/program";
import { newSimulator, type LoggedRequest, type Simulator } from "../../kit/simulator";
import { newStack, type TestStack } from "../../kit/stack";
import { COMMANDS, FAULTS, RESOURCES, ROWS } from "./rows";
import type { Command, Outcome, Resource, Row } from "./rows";

/** What the run with the fault did, and the next run without it. */
interface Ran {
  readonly during: Outcome;
  /** The error that the user saw; undefined if the operation succeeded. */
  readonly error: string | undefined;
  readonly next: Omit<Outcome, "sent">;
  /** Whether the preview after that shows no change of the resource. */
  readonly isPreviewEmpty: boolean;
}

const KEY_SECRET = canary("api-key-secret");
const PASSWORDS = [canary("password-1"), canary("password-2")];

const serviceIdOf = (resource: Resource, index: number): string =>
  `0a1b2c3d-0000-4000-9000-${RESOURCES.indexOf(resource)}${String(index).padStart(11, "0")}`;

const nameOf = (resource: Resource, index: number): string => `${resource}-${index}`;

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
  readonly results = new Map<string, Ran>();
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

  async #command(command: Command): Promise<void> {
    const version = command === "create" ? 1 : 2;
    await this.stack.write(programOf(version));
    const { control } = this.simulator;
    const rows = ROWS.filter(({ operation }) => operation.command === command);
    for (const { operation, fault } of rows) {
      const serviceId = serviceIdOf(operation.resource, FAULTS.indexOf(fault));
      control.fault({ ...fault.kind, operationId: operation.request, serviceId });
    }
    const during = await this.#run(command);
    const next = await this.#run(command);
    const preview = await this.stack.preview();
    this.outputs.push(next.output, preview.output);
    this.texts[command] = [during.output, next.output, preview.output].join("\n");
    this.texts[`state after ${command}`] = await this.stack.storedText();
    for (const row of rows) {
      const name = nameOf(row.operation.resource, FAULTS.indexOf(row.fault));
      const { sent: _sent, ...afterwards } = this.#outcomeOf(row, next, version);
      this.results.set(row.title, {
        during: this.#outcomeOf(row, during, version),
        error: during.errors.get(name),
        next: afterwards,
        isPreviewEmpty: !preview.output.includes(` ${name} `),
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

  #outcomeOf({ operation: { resource, request }, fault }: Row, ended: Ended, version: number): Outcome {
    const index = FAULTS.indexOf(fault);
    const name = nameOf(resource, index);
    const serviceId = serviceIdOf(resource, index);
    const existing = ended.existing[resource].filter((one) => valueAt(one, "serviceId") === serviceId);
    const id = ended.stored.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
    const managed = existing.find((one) => valueAt(one, "id") === id);
    return {
      succeeds: !ended.errors.has(name),
      sent: ended.requests.filter(
        ({ operationId, path }) => operationId === request && path.includes(serviceId),
      ).length,
      isManaged: managed !== undefined,
      existing: existing.length,
      isAsDeclared: managed !== undefined && isAsDeclared(resource, managed, version),
    };
  }
}

function isAsDeclared(resource: Resource, present: object, version: number): boolean {
  if (resource === "pipe") return valueAt(present, "source.kafka.iamRole") === roleOf(version);
  return resource === "endpoint" || valueAt(present, "name") === titleOf(version);
}
