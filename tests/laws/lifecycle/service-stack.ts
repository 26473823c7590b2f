import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";
import type { Service } from "../../../simulator/src/index";
import type { ServiceAction } from "./any-service-step";
import { isSettings, Stack, type Declared, type Handlers } from "./stack";

export class ServiceStack extends Stack<ServiceAction> {
  readonly manages = "endpoint";
  readonly operations = {
    create: "createReversePrivateEndpoint",
    delete: "deleteReversePrivateEndpoint",
  } as const;
  /**
   * Whether a request of the settings had no clear answer. The engine keeps the old state, and the API cannot read a service, so the user
   * runs the same program until it succeeds.
   */
  open = false;
  /** Endpoints of the state that another client deleted, which the API does not show. */
  readonly gone = new Set<string>();
  /** Unmanaged entries in the lists of the service. */
  readonly others = { sources: new Set<string>(), endpointIds: new Set<string>() };

  protected readonly handlers: Handlers<ServiceAction> = {
    "declare settings": ({ args }) => {
      if (!this.open) this.#declare(this.settingsName ?? "settings", "ServiceSettings", args);
    },
    "remove settings": () => !this.open && this.declarations.delete(this.settingsName ?? ""),
    "rename settings": ({ to, how }) => !this.open && this.rename(this.settingsName ?? "", to, how),
    "declare endpoint": ({ slot, args }) => this.#declare(slot, "ReversePrivateEndpoint", args),
    "add by hand": ({ sources, endpointIds }) => {
      const { id, ipAccessList = [], privateEndpointIds = [] } = this.service;
      const newSources = sources.filter((source) => !ipAccessList.some((entry) => entry.source === source));
      const newIds = endpointIds.filter((endpointId) => !privateEndpointIds.includes(endpointId));
      const entries = newSources.map((source) => ({ source, description: "others" }));
      this.control.editService(id, {
        ipAccessList: [...ipAccessList, ...entries],
        privateEndpointIds: [...privateEndpointIds, ...newIds],
      });
      for (const source of newSources) this.others.sources.add(source);
      for (const endpointId of newIds) this.others.endpointIds.add(endpointId);
    },
    "remove endpoint": ({ slot }) => this.declarations.delete(slot),
    "delete endpoint by hand": ({ slot }) => {
      const id = this.resources.find(({ name, pendingDelete }) => name === slot && !pendingDelete)?.id;
      if (id === undefined || !this.objects.has(id)) return;
      this.deleteObject(id);
      this.gone.add(id);
    },
    "rename endpoint": ({ slot, to, how }) => this.rename(slot, to, how),
    // The provider refuses an endpoint of another resource unless that resource goes.
    "adopt endpoint": ({ slot, nth, args }) => {
      const held = this.resources.filter((resource) => !isSettings(resource)).map(({ id }) => id);
      const ids = [...new Set([...this.unmanaged, ...held])];
      const adopt = ids[nth % ids.length];
      if (!this.isTaken(slot) && adopt !== undefined)
        this.#declare(slot, "ReversePrivateEndpoint", { ...args, adopt });
    },
  };

  get objects(): ReadonlyMap<string, string> {
    const { endpoints } = this.control.state();
    return new Map(endpoints.map(({ id, description = "" }) => [id, description]));
  }

  deleteObject(id: string): void {
    this.control.deleteEndpoint(id);
  }
  get settingsName(): string | undefined {
    return [...this.declarations].find(([, declared]) => isSettings(declared))?.[0];
  }

  get service(): Service & { readonly releaseChannel: string } {
    const [service] = this.control.state().services;
    if (service === undefined) throw new Error("The simulator has no service.");
    return service;
  }

  #declare(name: string, type: Declared["type"], args: PropertyMap): unknown {
    const { aliases = [], args: old } = this.declarations.get(name) ?? {};
    // An adopted endpoint stays adopted.
    const adopt = old?.["adopt"];
    const all: PropertyMap = adopt === undefined ? args : { ...args, adopt };
    return this.declarations.set(name, { type, args: all, aliases });
  }
}
