import type { Change } from "./changes";
import type { Declared } from "./definition";
import { canonical } from "./equality";
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

/** Begins the keys of resources whose class gave none. A logical name cannot begin with it. */
const UNNAMED = "\u0000";

const textOf = (inputs: PropertyMap): string => JSON.stringify(canonical(undefined, inputs));

/**
 * The resources of one type in one run of the engine, and the ids that they use. The engine does not name the resource in its calls,
 * and it deletes removed resources at the end of the run, so the provider has to record them.
 */
export class RunRecord {
  /** By their keys. Some states do not say which key created them, and no resource has the key `undefined`. */
  readonly #resources = new Map<string | undefined, ProgramResource>();
  /** Checked resources of the stack, with their inputs as text: a diff with the same inputs follows. */
  readonly #awaitingDiff = new Map<ProgramResource, string>();
  /** Checked resources by their inputs as text: a create with the same inputs follows. */
  readonly #awaitingCreate = new Map<string, ProgramResource[]>();
  readonly #ids = new Map<string, IdUse>();
  /** Keys of resources whose class gave none, by their inputs, which may hold secrets. */
  readonly #unnamed = new Map<string, string>();

  /** A key for a resource whose class gave none. */
  unnamedKey(inputs: PropertyMap): string {
    const text = textOf(inputs);
    const key = this.#unnamed.get(text) ?? `${UNNAMED}${this.#unnamed.size}`;
    this.#unnamed.set(text, key);
    return key;
  }

  /** The key to store in the state: a key of this run alone means nothing to the next. */
  storedKeyOf = ({ key }: ProgramResource): string | undefined => (key.startsWith(UNNAMED) ? undefined : key);

  nameOf = (key: string): string =>
    key.startsWith(UNNAMED) ? "another resource" : JSON.stringify(key.slice(key.lastIndexOf("/") + 1));

  /** Whether the engine has checked the resource: it leaves out those that `--target` or `--exclude` does not choose. */
  isChecked = (key: string): boolean => this.#resources.has(key);

  /** Records the check of a resource in the stack. */
  checkedInStack(key: string, olds: Declared, inputs: Declared): void {
    const stored: ProgramResource["stored"] = { deletionPolicy: olds.deletionPolicy };
    const resource: ProgramResource = { ...this.checkedNew(key, inputs), stored };
    this.#resources.set(key, resource);
    this.#awaitingDiff.set(resource, textOf(inputs));
  }

  /** The resource in the stack that a check without state replaces. */
  replacedBy(key: string, { deletionPolicy }: Declared): ProgramResource | undefined {
    const resource = this.#resources.get(key);
    if (resource?.stored === undefined) return undefined;
    this.#awaitingDiff.delete(resource);
    resource.isReplaced = true;
    resource.deletionPolicy = deletionPolicy;
    if (resource.diffed !== undefined) delete this.idUse(resource.diffed.id).kept;
    return resource;
  }

  /** Records the check of a resource that is not in the stack, or that `--replace` names. */
  checkedNew(key: string, { deletionPolicy }: Declared): ProgramResource {
    const resource: ProgramResource = { key, deletionPolicy, isReplaced: false };
    this.#resources.set(key, resource);
    return resource;
  }

  expectCreate(resource: ProgramResource, inputs: PropertyMap): void {
    const text = textOf(inputs);
    this.#awaitingCreate.set(text, [...(this.#awaitingCreate.get(text) ?? []), resource]);
  }

  created = (inputs: PropertyMap): ProgramResource | undefined =>
    this.#awaitingCreate.get(textOf(inputs))?.shift();

  /**
   * The resource that a diff is for; undefined if the engine diffs without a check. Of several with the same inputs it is the one
   * that created what the state has.
   */
  diffedBy(news: PropertyMap, createdBy: string | undefined): ProgramResource | undefined {
    const text = textOf(news);
    const same = [...this.#awaitingDiff].flatMap(([resource, inputs]) => (inputs === text ? [resource] : []));
    const resource = same.find(({ key }) => key === createdBy) ?? same[0];
    if (resource !== undefined) this.#awaitingDiff.delete(resource);
    return resource;
  }

  /** The key of the resource that has an id in the state and in the program; undefined if several share the id. */
  keyInStack(id: string): string | undefined {
    const resources = [...this.#resources.values()].filter(({ diffed }) => diffed?.id === id);
    const [resource, ...others] = resources;
    return resource === undefined || others.length > 0 ? undefined : this.storedKeyOf(resource);
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
