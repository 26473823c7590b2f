import type { PropertyMap } from "../../../provider/src/core/property-value";
import type { Service } from "../../../simulator/src/index";
import type { ServiceAction } from "./any-service-step";
import type { Program, Resource } from "./program";
import type { Stack } from "./steps";
import type { Session } from "./session";

/** A resource of the program. */
interface Declared {
  readonly type: "ServiceSettings" | "ReversePrivateEndpoint";
  readonly args: PropertyMap;
  /** Its earlier names. */
  readonly aliases: readonly string[];
}

export const isSettings = ({ type }: Pick<Declared, "type"> | Resource): boolean =>
  type === "ServiceSettings";

/** A program of a service's settings and endpoints, and what its user knows of the service. */
export class ServiceStack implements Stack<ServiceAction> {
  readonly #program = new Map<string, Declared>();
  /**
   * Whether a deletion of the settings had no clear answer. The engine keeps the old state, and the API cannot read a service, so the
   * user runs the same program until it succeeds.
   */
  open = false;
  /** Endpoints that the user knows and the state does not have. */
  readonly unmanaged = new Set<string>();
  /** Endpoints of the state that another client deleted, which the API does not show. */
  readonly gone = new Set<string>();
  /** Unmanaged entries in the lists of the service. */
  readonly others = { sources: new Set<string>(), endpointIds: new Set<string>() };

  constructor(readonly session: Session) {}

  get program(): Program {
    return new Map(
      [...this.#program].map(([name, { type, args }]) => [
        name,
        { type, args, aliases: this.namesOf(name).slice(1) },
      ]),
    );
  }

  /** The names under which the state may have a resource of the program. */
  namesOf(name: string): readonly string[] {
    const { aliases = [] } = this.#program.get(name) ?? {};
    return this.#program.has(name) ? [name, ...aliases.filter((alias) => !this.#program.has(alias))] : [];
  }

  /** The name by which the program declares a resource of the state. */
  nameOf(resource: Resource): string | undefined {
    return [...this.#program.keys()].find((name) => this.namesOf(name).includes(resource.name));
  }

  /** The name of the settings in the program. */
  get settingsName(): string | undefined {
    return [...this.#program].find(([, declared]) => isSettings(declared))?.[0];
  }

  get service(): Service & { readonly releaseChannel: string } {
    const [service] = this.session.simulator.control.state().services;
    if (service === undefined) throw new Error("The simulator has no service.");
    return service;
  }

  get resources(): readonly Resource[] {
    return this.session.engine.state;
  }

  declared(name: string | undefined): PropertyMap | undefined {
    return this.#program.get(name ?? "")?.args;
  }

  followAdvice(name: string, message: string): boolean {
    const declared = this.#program.get(name);
    if (declared === undefined) return false;
    const { adopt: _adopt, ...others } = declared.args;
    if (message.includes('replacementPolicy: "allow"'))
      this.#program.set(name, { ...declared, args: { ...declared.args, replacementPolicy: "allow" } });
    else if (message.includes("already manages")) this.#program.set(name, { ...declared, args: others });
    else if (message.includes("Two resources of this program manage")) this.#program.delete(name);
    else return false;
    return true;
  }

  apply(action: ServiceAction): void {
    switch (action.do) {
      case "declare settings":
        this.#declare(this.settingsName ?? "settings", "ServiceSettings", action.args);
        return;
      case "remove settings":
        if (!this.open) this.#program.delete(this.settingsName ?? "");
        return;
      case "add by hand":
        this.#add(action.sources, action.endpointIds);
        return;
      case "declare endpoint":
        this.#declare(action.slot, "ReversePrivateEndpoint", action.args);
        return;
      case "remove endpoint":
        this.#program.delete(action.slot);
        return;
      case "delete endpoint by hand":
        this.#deleteEndpoint(action.slot);
        return;
      default:
        this.#move(action);
    }
  }

  #declare(name: string, type: Declared["type"], args: PropertyMap): void {
    if (this.open && type === "ServiceSettings") return;
    const { aliases = [], args: old } = this.#program.get(name) ?? {};
    // An adopted endpoint stays adopted.
    const adopt = old?.["adopt"];
    this.#program.set(name, { type, args: { ...args, ...(adopt !== undefined && { adopt }) }, aliases });
  }

  #move(action: Extract<ServiceAction, { do: `rename ${string}` | "adopt endpoint" }>): void {
    if (action.do === "adopt endpoint") {
      this.#adopt(action.slot, action.nth, action.args);
      return;
    }
    if (action.do === "rename endpoint") this.#rename(action.slot, action.to, action.how);
    else if (!this.open)
      this.#rename(this.settingsName ?? "", action.to, action.alias ? "with alias" : "without alias");
  }

  /** Whether the program or the state has a resource of the name. */
  #isTaken = (name: string): boolean =>
    this.#program.has(name) || this.resources.some((resource) => resource.name === name);

  #rename(slot: string, to: string, how: "with alias" | "without alias" | "adopting"): void {
    const declared = this.#program.get(slot);
    if (declared === undefined || this.#isTaken(to)) return;
    const id = this.resources.find(({ name, pendingDelete }) => name === slot && !pendingDelete)?.id;
    const { type, args, aliases } = declared;
    this.#program.delete(slot);
    this.#program.set(to, {
      type,
      args: { ...args, ...(how === "adopting" && id !== undefined && { adopt: id }) },
      aliases: how === "with alias" ? [slot, ...aliases] : [],
    });
  }

  /** Adopts an unmanaged endpoint, or one of another resource, which the provider refuses unless that resource goes. */
  #adopt(slot: string, nth: number, args: PropertyMap): void {
    if (this.#isTaken(slot)) return;
    const held = this.resources.filter((resource) => !isSettings(resource)).map(({ id }) => id);
    const ids = [...new Set([...this.unmanaged, ...held])];
    const adopt = ids[nth % ids.length];
    if (adopt !== undefined) this.#declare(slot, "ReversePrivateEndpoint", { ...args, adopt });
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
    const id = this.resources.find(({ name, pendingDelete }) => name === slot && !pendingDelete)?.id;
    if (id === undefined || !control.state().endpoints.some((endpoint) => endpoint.id === id)) return;
    control.deleteEndpoint(id);
    this.gone.add(id);
  }
}
