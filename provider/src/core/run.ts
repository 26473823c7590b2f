import type { Change } from "./changes";
import type { Declared } from "./definition";
import type { PropertyMap, PropertyValue } from "./property-value";

/** The result of a diff of a resource in the stack. */
export interface Diffed {
  readonly id: string;
  /** Its outputs in the state, stored only if a replacement may need them. */
  readonly olds?: PropertyMap;
  readonly changes: readonly Change[];
  /** The changes that need a replacement, which the policy refuses. */
  readonly refused: readonly Change[];
}

export interface ProgramResource {
  readonly key: string;
  /** The policy in the state; undefined for a resource that is not in the stack. */
  readonly stored?: Pick<Declared, "deletionPolicy">;
  /** The policy in the program. */
  deletionPolicy: PropertyValue;
  diffed?: Diffed;
  /** The id in `adopt`, if the resource replaces the adopted one. */
  adopt?: unknown;
  isReplaced: boolean;
}

/** The keys of the resources that use an id in this run. */
interface IdUse {
  created?: string;
  adopted?: string;
  /** The resource has the id in the state and keeps it. */
  kept?: string;
  /** The resource has the id in the state; its replacement deletes what has the id. */
  replaced?: string;
  /** The program reads the id with `get`. */
  isRead?: boolean;
  /** This run deleted what had the id; `createdBy` is in its state. */
  deleted?: { readonly createdBy: string | undefined };
}

/**
 * The resources of one type in one run of the engine, and the ids that they use. The engine deletes removed resources at the end of the
 * run, so the provider has to record what the others use.
 */
export class RunRecord {
  /** By their keys. Some states do not say which key created them, and no resource has the key `undefined`. */
  readonly #resources = new Map<string | undefined, ProgramResource>();
  readonly #ids = new Map<string, IdUse>();

  /**
   * The resource of a call. Undefined before the engine has checked it: of some it asks for a diff to find the dependents of a
   * resource that it replaces, and it leaves out those that `--target` or `--exclude` does not choose.
   */
  checked = (key: string | undefined): ProgramResource | undefined => this.#resources.get(key);

  /** Records the check of a resource in the stack. */
  checkedInStack(key: string, olds: Declared, inputs: Declared): void {
    const stored: ProgramResource["stored"] = { deletionPolicy: olds.deletionPolicy };
    this.#resources.set(key, { ...this.checkedNew(key, inputs), stored });
  }

  /** The resource in the stack that a check without state replaces. */
  replacedBy(key: string, { deletionPolicy }: Declared): ProgramResource | undefined {
    const resource = this.#resources.get(key);
    if (resource?.stored === undefined) return undefined;
    resource.isReplaced = true;
    resource.deletionPolicy = deletionPolicy;
    return resource;
  }

  /** The resource that had the id no longer uses it. */
  giveUp(id: string): void {
    const use = this.idUse(id);
    delete use.kept;
    delete use.adopted;
  }

  /** Whether the resource that the engine deletes was checked without its state, and its replacement would adopt what is deleted. */
  isReplacedAdoption(id: string, createdBy: string | undefined): boolean {
    const { adopted, created } = this.idUse(id);
    const isOwn = adopted !== undefined && adopted === createdBy && created === undefined;
    return isOwn && this.checked(adopted)?.stored === undefined;
  }

  /** Records the check of a resource that is not in the stack, or that `--replace` names. */
  checkedNew(key: string, { deletionPolicy }: Declared): ProgramResource {
    const resource: ProgramResource = { key, deletionPolicy, isReplaced: false };
    this.#resources.set(key, resource);
    return resource;
  }

  idUse(id: string): IdUse {
    const key = id.toLowerCase();
    const use = this.#ids.get(key) ?? {};
    this.#ids.set(key, use);
    return use;
  }

  /** The key of the resource that has an id now. */
  ownerOf(id: string): string | undefined {
    const { created, adopted, kept } = this.idUse(id);
    return created ?? adopted ?? kept;
  }

  /** Records that a resource uses an id; returns the key of another resource that already does. */
  use(id: string, how: "adopted" | "kept" | "replaced", key: string): string | undefined {
    const use = this.idUse(id);
    const owner = this.ownerOf(id) ?? (how === "replaced" ? undefined : use.replaced);
    const isOthers = owner !== undefined && owner !== key;
    // What another resource keeps is not deleted, even if the program is refused for it.
    if (!isOthers || (how === "kept" && owner === use.replaced)) use[how] = key;
    return isOthers ? owner : undefined;
  }

  /** The program's policy for an id, if the program still has a resource for it. */
  policyFor(id: string, createdBy: string | undefined): Pick<Declared, "deletionPolicy"> | undefined {
    for (const resource of this.#resources.values())
      if (resource.isReplaced && resource.diffed?.id.toLowerCase() === id.toLowerCase()) return resource;
    const creator = this.#resources.get(createdBy);
    // A resource that was checked without its state is named by `--replace`, or is a new one of the same name: its policy can only
    // retain, never delete.
    return creator?.stored === undefined && creator?.deletionPolicy !== "delete" ? creator : undefined;
  }

  recordDeleted(id: string, createdBy: string | undefined): void {
    const use = this.idUse(id);
    use.deleted = { createdBy };
    delete use.created;
  }

  /** Whether this run deleted what has the id in order to replace the resource with this key. */
  isReplacementOf(id: string, key: string | undefined): boolean {
    const { deleted } = this.idUse(id);
    if (deleted === undefined) return false;
    const { createdBy } = deleted;
    return createdBy === key || !this.#resources.has(createdBy);
  }
}
