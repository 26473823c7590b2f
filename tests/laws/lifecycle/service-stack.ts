import type { PropertyMap } from "../../../provider/src/core/property-value";
import type { Service } from "../../../simulator/src/index";
import type { ServiceDeed } from "./any-service-step";
import type { Program, Resource } from "./program";
import type { Stack } from "./life";
import type { Session } from "./session";

/** The name of the settings in the program. */
export const SETTINGS = "settings";

/** A program of a service's settings and of endpoints, and what its author knows. */
export class ServiceStack implements Stack<ServiceDeed> {
  readonly #program = new Map<string, PropertyMap>();
  /**
   * Whether a change of the settings got no clear answer. Nothing reads a service, so its author runs the same program
   * again until it goes through.
   */
  open = false;
  /** Endpoints that the author knows of and that the stack does not hold. */
  readonly outside = new Set<string>();
  /** Endpoints of the stack that somebody deleted; nobody can see that. */
  readonly gone = new Set<string>();
  /** What others have added to the lists of the service. */
  readonly others = { sources: new Set<string>(), endpointIds: new Set<string>() };

  constructor(readonly session: Session) {}

  get program(): Program {
    return new Map(
      [...this.#program].map(([name, args]) => [
        name,
        { type: name === SETTINGS ? "ServiceSettings" : "ReversePrivateEndpoint", args },
      ]),
    );
  }

  get service(): Service & { readonly releaseChannel: string } {
    const [service] = this.session.simulator.control.state().services;
    if (service === undefined) throw new Error("The simulator has no service.");
    return service;
  }

  get resources(): readonly Resource[] {
    return this.session.engine.state;
  }

  declared(name: string): PropertyMap | undefined {
    return this.#program.get(name);
  }

  heed(name: string, message: string): boolean {
    const args = this.#program.get(name);
    if (args === undefined || !message.includes('replacementPolicy: "allow"')) return false;
    this.#program.set(name, { ...args, replacementPolicy: "allow" });
    return true;
  }

  do(deed: ServiceDeed): void {
    switch (deed.do) {
      case "declare settings":
        if (!this.open) this.#program.set(SETTINGS, deed.args);
        return;
      case "remove settings":
        if (!this.open) this.#program.delete(SETTINGS);
        return;
      case "add by hand":
        this.#add(deed.sources, deed.endpointIds);
        return;
      case "declare endpoint":
        this.#program.set(deed.slot, deed.args);
        return;
      case "remove endpoint":
        this.#program.delete(deed.slot);
        return;
      case "delete endpoint by hand":
        this.#deleteEndpoint(deed.slot);
    }
  }

  #add(sources: readonly string[], endpointIds: readonly string[]): void {
    const { id, ipAccessList = [], privateEndpointIds = [] } = this.service;
    const newSources = sources.filter((source) => !ipAccessList.some((entry) => entry.source === source));
    const newIds = endpointIds.filter((endpointId) => !privateEndpointIds.includes(endpointId));
    this.session.simulator.control.editService(id, {
      ipAccessList: [...ipAccessList, ...newSources.map((source) => ({ source, description: "others" }))],
      privateEndpointIds: [...privateEndpointIds, ...newIds],
    });
    for (const source of newSources) this.others.sources.add(source);
    for (const endpointId of newIds) this.others.endpointIds.add(endpointId);
  }

  #deleteEndpoint(slot: string): void {
    const { control } = this.session.simulator;
    const id = this.resources.find(({ name, condemned }) => name === slot && !condemned)?.id;
    if (id === undefined || !control.state().endpoints.some((endpoint) => endpoint.id === id)) return;
    control.deleteEndpoint(id);
    this.gone.add(id);
  }
}
