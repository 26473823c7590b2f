import { idKey } from "../values/uuid";
import type { Change } from "./changes";
import type { PolicyInputs } from "./definition";
import type { PropertyMap, PropertyValue } from "./property-value";

/** The result of a diff of a resource in the stack. */
export interface Diffed {
  readonly id: string;
  /** Its outputs in the state, stored only if a replacement may need them. */
  readonly state?: PropertyMap;
  readonly changes: readonly Change[];
  /** The changes that need a replacement, which the policy refuses. */
  readonly refused: readonly Change[];
}

export interface CheckedResource {
  readonly key: string;
  /** The policy in the state; undefined for a resource that is not in the stack. */
  readonly stored?: Pick<PolicyInputs, "deletionPolicy">;
  /** The policy in the program. */
  deletionPolicy: PropertyValue;
  diffed?: Diffed;
  /** The id in `adopt`, if the resource replaces the adopted one. */
  adopt?: unknown;
  isReplaced: boolean;
}

/** What the engine has said in this run of the resources of one type, by their keys. */
export class CheckedResources {
  /** Some states do not say which key created them, and no resource has the key `undefined`. */
  readonly #resources = new Map<string | undefined, CheckedResource>();

  /**
   * The resource of a call. Undefined before the engine has checked it: of some it asks for a diff to find the dependents of a
   * resource that it replaces, and it leaves out those that `--target` or `--exclude` does not choose.
   */
  checked = (key: string | undefined): CheckedResource | undefined => this.#resources.get(key);

  checkedInStack(key: string, oldInputs: PolicyInputs, inputs: PolicyInputs): void {
    const stored: CheckedResource["stored"] = { deletionPolicy: oldInputs.deletionPolicy };
    this.#resources.set(key, { ...this.checkedNew(key, inputs), stored });
  }

  /** The resource in the stack that a check without state replaces. */
  markReplaced(key: string, { deletionPolicy }: PolicyInputs): CheckedResource | undefined {
    const resource = this.#resources.get(key);
    if (resource?.stored === undefined) return undefined;
    resource.isReplaced = true;
    resource.deletionPolicy = deletionPolicy;
    return resource;
  }

  /** Records the check of a resource that is not in the stack, or that `--replace` names. */
  checkedNew(key: string, { deletionPolicy }: PolicyInputs): CheckedResource {
    const resource: CheckedResource = { key, deletionPolicy, isReplaced: false };
    this.#resources.set(key, resource);
    return resource;
  }

  /** The program's policy for an id, if the program still has a resource for it. */
  policyFor(id: string, createdBy: string | undefined): Pick<PolicyInputs, "deletionPolicy"> | undefined {
    for (const resource of this.#resources.values())
      if (resource.isReplaced && idKey(resource.diffed?.id ?? "") === idKey(id)) return resource;
    const creator = this.#resources.get(createdBy);
    // A resource that was checked without its state is named by `--replace`, or is a new one of the same name: its policy can only
    // retain, never delete.
    return creator?.stored === undefined && creator?.deletionPolicy !== "delete" ? creator : undefined;
  }
}
