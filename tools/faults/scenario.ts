import type { Simulator } from "../../simulator/src/index";
import { canary } from "../../testkit/canary";
import type { Deployment } from "../../testkit/deployment";
import { declaration } from "../../testkit/program";
import type { Operation, Phase } from "./operation";
import { declared, type Declared } from "./declared";
import { timesOf, type FaultCase } from "./fault-case";

/** How many requests of each operation the simulator got. */
export type Counts = Readonly<Record<string, number>>;

/** What exists for an operation. */
export interface Present {
  /** The ids of what exists in the service. */
  readonly existing: readonly string[];
  /** The id in the state of the stack. */
  readonly stored: string | undefined;
  /** Whether the service has what the program declares. */
  readonly asDeclared: boolean;
}

/** The id of the service of a scenario. */
export const serviceIdOf = (number: number): string =>
  `0a1b2c3d-0000-4000-9000-${String(number).padStart(12, "0")}`;

/** A fault with a service and resources of its own, so that many faults share one run of the CLI. */
export class Scenario {
  readonly serviceId: string;

  constructor(
    readonly number: number,
    readonly faultCase: FaultCase,
    private readonly simulator: Simulator,
  ) {
    this.serviceId = serviceIdOf(number);
    if (faultCase.profile !== undefined)
      simulator.control.setBehaviour({ profiles: [faultCase.profile] }, this.serviceId);
  }

  /** The values that may not appear anywhere in the clear. */
  get secrets(): readonly string[] {
    return [this.password(1), this.password(2)];
  }

  nameOf({ resource }: Pick<Operation, "resource">): string {
    return `${resource ?? "function"}-${this.number}`;
  }

  isRun({ reads }: Operation): boolean {
    // A read has no effect: it makes no difference whether the server processes it.
    return !(reads && "processed" in this.faultCase.fault);
  }

  /** Makes the next requests of these operations fail. */
  addFaults(operations: readonly Operation[]): void {
    const { serviceId, faultCase } = this;
    for (const { operationId } of operations.filter((operation) => this.isRun(operation))) {
      this.simulator.control.fault({ ...faultCase.fault, ...timesOf(faultCase), operationId, serviceId });
    }
  }

  counts({ counted }: Operation): Counts {
    const requests = this.simulator.control.requests().filter(({ path }) => path.includes(this.serviceId));
    return Object.fromEntries(
      counted.map((name) => [name, requests.filter(({ operationId }) => operationId === name).length]),
    );
  }

  present(operation: Operation, version: number, deployment: Deployment): Present {
    const name = this.nameOf({ resource: operation.resource ?? "pipe" });
    const stored = deployment.resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
    const { pipes, endpoints, service } = this.owned();
    const { isPipe, isService } = this.declared(version);
    if (operation.resource === "endpoint") {
      return { existing: endpoints.map(({ id }) => id), stored, asDeclared: endpoints.length > 0 };
    }
    if (operation.resource === "settings") {
      return { existing: [this.serviceId], stored, asDeclared: service !== undefined && isService(service) };
    }
    const asDeclared = pipes.some((pipe) => pipe.id === stored && isPipe(pipe));
    return { existing: pipes.map(({ id }) => id), stored, asDeclared };
  }

  /** Deletes what no resource manages, so that the next operation begins with one of each. */
  deleteUnmanaged(deployment: Deployment): void {
    const ids = new Set(deployment.resources.map(({ id }) => id));
    const { control } = this.simulator;
    const { pipes, endpoints } = this.owned();
    for (const { id } of pipes.filter((pipe) => !ids.has(pipe.id))) control.deletePipe(id);
    for (const { id } of endpoints.filter((endpoint) => !ids.has(endpoint.id))) control.deleteEndpoint(id);
  }

  private owned() {
    const { pipes, endpoints, services } = this.simulator.control.state();
    const isOurs = ({ serviceId }: { serviceId: string }): boolean => serviceId === this.serviceId;
    return {
      pipes: pipes.filter(isOurs),
      endpoints: endpoints.filter(isOurs),
      service: services.find(({ id }) => id === this.serviceId),
    };
  }

  /** The part of the program that declares its resources. */
  program({ version, callsFunction }: Pick<Phase, "version" | "callsFunction">): string {
    const { serviceId } = this;
    const { pipe, settings } = this.declared(version);
    const endpoint = { serviceId, type: "VPC_ENDPOINT_SERVICE", description: `endpoint ${this.number}` };
    return [
      declaration("Pipe", `pipe-${this.number}`, { serviceId, ...pipe }),
      declaration("ReversePrivateEndpoint", `endpoint-${this.number}`, endpoint),
      declaration("ServiceSettings", `settings-${this.number}`, { serviceId, ...settings }),
      ...(callsFunction ? [`call(datapipes.getPipes({ serviceId: ${JSON.stringify(serviceId)} }))`] : []),
    ].join(";\n");
  }

  private declared(version: number): Declared {
    return declared(version, (ofVersion) => this.password(ofVersion), this.faultCase.profile);
  }

  private password(version: number): string {
    return canary(`password-${this.number}-${version}`);
  }
}
