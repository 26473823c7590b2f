import type { Simulator } from "../../simulator/src/index";
import { canary } from "../../tests/support/canary";
import type { Deployment } from "../../tests/support/deployment";
import { declaration } from "../../tests/support/program";
import type { Act, Phase } from "./act";
import { declared, type Declared } from "./declared";
import { timesOf, type Trouble } from "./trouble";

/** How often each operation was asked for. */
export type Counts = Readonly<Record<string, number>>;

/** What is there for an act. */
export interface Present {
  /** The ids of what the service has. */
  readonly existing: readonly string[];
  /** The id in the state of the stack. */
  readonly stored: string | undefined;
  /** Whether the service has what the program declares. */
  readonly asDeclared: boolean;
}

/** The id of the service of a scene. */
export const serviceIdOf = (number: number): string =>
  `0a1b2c3d-0000-4000-9000-${String(number).padStart(12, "0")}`;

/** One trouble with a service and resources of its own, so that many troubles share one run of the CLI. */
export class Scene {
  readonly serviceId: string;

  constructor(
    readonly number: number,
    readonly trouble: Trouble,
    private readonly simulator: Simulator,
  ) {
    this.serviceId = serviceIdOf(number);
    if (trouble.profile !== undefined)
      simulator.control.setBehaviour({ profiles: [trouble.profile] }, this.serviceId);
  }

  /** What nobody may ever see. */
  get secrets(): readonly string[] {
    return [this.password(1), this.password(2)];
  }

  nameOf({ resource }: Pick<Act, "resource">): string {
    return `${resource ?? "function"}-${this.number}`;
  }

  isPlayed({ reads }: Act): boolean {
    // A read has no effect: whether the server works it out before it fails is all the same.
    return !(reads && "processed" in this.trouble.fault);
  }

  /** The next requests of these operations meet the trouble. */
  arm(acts: readonly Act[]): void {
    const { serviceId, trouble } = this;
    for (const { operationId } of acts.filter((act) => this.isPlayed(act))) {
      this.simulator.control.fault({ ...trouble.fault, ...timesOf(trouble), operationId, serviceId });
    }
  }

  counts({ counted }: Act): Counts {
    const requests = this.simulator.control.requests().filter(({ path }) => path.includes(this.serviceId));
    return Object.fromEntries(
      counted.map((name) => [name, requests.filter(({ operationId }) => operationId === name).length]),
    );
  }

  present(act: Act, version: number, deployment: Deployment): Present {
    const name = this.nameOf({ resource: act.resource ?? "pipe" });
    const stored = deployment.resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
    const { pipes, endpoints, service } = this.owned();
    const { isPipe, isService } = this.declared(version);
    if (act.resource === "endpoint") {
      return { existing: endpoints.map(({ id }) => id), stored, asDeclared: endpoints.length > 0 };
    }
    if (act.resource === "settings") {
      return { existing: [this.serviceId], stored, asDeclared: service !== undefined && isService(service) };
    }
    const asDeclared = pipes.some((pipe) => pipe.id === stored && isPipe(pipe));
    return { existing: pipes.map(({ id }) => id), stored, asDeclared };
  }

  /** Takes away what nobody manages, so that the next act begins with one of each. */
  tidy(deployment: Deployment): void {
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

  /** The text that declares all of the scene. */
  program({ version, asks }: Pick<Phase, "version" | "asks">): string {
    const { serviceId } = this;
    const { pipe, settings } = this.declared(version);
    const endpoint = { serviceId, type: "VPC_ENDPOINT_SERVICE", description: `endpoint ${this.number}` };
    return [
      declaration("Pipe", `pipe-${this.number}`, { serviceId, ...pipe }),
      declaration("ReversePrivateEndpoint", `endpoint-${this.number}`, endpoint),
      declaration("ServiceSettings", `settings-${this.number}`, { serviceId, ...settings }),
      ...(asks ? [`ask(datapipes.getPipes({ serviceId: ${JSON.stringify(serviceId)} }))`] : []),
    ].join(";\n");
  }

  private declared(version: number): Declared {
    return declared(version, (ofVersion) => this.password(ofVersion), this.trouble.profile);
  }

  private password(version: number): string {
    return canary(`password-${this.number}-${version}`);
  }
}
