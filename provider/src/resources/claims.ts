import { idKey } from "../api/wire";
import type { PropertyMap } from "../core/property-value";
import { nameInKey, namesInKeys } from "../core/resource-key";
import type { OUTPUTS } from "./outputs";

/** A way to use an id that only one resource of a program may use. */
export interface Use {
  /** What the error says between the names of two resources and the id. */
  readonly conflict: string;
  readonly nextStep: string;
}

export const SETTINGS_OF_SERVICE: Use = {
  conflict: "are both for service",
  nextStep: "A program can have one ServiceSettings for each service: merge the two into one.",
};

export const ADOPTION: Use = {
  conflict: "both adopt",
  nextStep: "Only one resource can manage it: remove one of them from the program.",
};

/** The ids that resources of a program have claimed. */
export class Claims {
  /** By type, use and id: the key of the resource. */
  readonly #owners = new Map<string, string>();

  /** `claimForProcess` claims for all resources of this process; false if another process of the run has claimed before. */
  constructor(private readonly claimForProcess: (claim: string) => boolean = () => true) {}

  /** Claims an id for a resource. If another resource has claimed it, the reason why the program is wrong. `server` tells the ids of two servers apart. */
  conflict(type: string, key: string, use: Use, id: string, server?: string): string | undefined {
    const claim = JSON.stringify([type, use.conflict, server, idKey(id)]);
    const owner = this.#owners.get(claim) ?? key;
    const [name, other] = namesInKeys(key, owner);
    if (owner !== key) return `${type} ${name} and ${other} ${use.conflict} ${id}. ${use.nextStep}`;
    if (!this.claimForProcess(claim))
      return `${type} ${nameInKey(key)} and one of another provider ${use.conflict} ${id}. ${use.nextStep}`;
    this.#owners.set(claim, key);
    return undefined;
  }

  /** Claims the service of settings whose inputs are checked, as {@link conflict} does. The lifecycle itself tells of two adoptions. */
  conflictOfInputs(type: string, key: string, { serviceId }: PropertyMap): string | undefined {
    const isOfService = (type as keyof typeof OUTPUTS) === "ServiceSettings";
    return isOfService && typeof serviceId === "string"
      ? this.conflict(type, key, SETTINGS_OF_SERVICE, serviceId)
      : undefined;
  }
}
