import type { Change } from "./changes";
import type { Declared } from "./definition";
import { canonical, identical } from "./equality";
import type { PropertyMap, PropertyValue } from "./property-value";

/** What a diff has found about a resource that exists. */
export interface Diffed {
  readonly id: string;
  /** Its outputs in the state, kept only where a replacement may need them. */
  readonly olds?: PropertyMap;
  readonly changes: readonly Change[];
  /** The changes that would need a replacement, which the policy refuses. */
  readonly refused: readonly Change[];
}

/** A resource of the program, as far as this run of the engine has asked about it. */
export interface ProgramResource {
  readonly key: string;
  /** The policy in the state; undefined for a resource that is not in the stack. */
  readonly stored?: Pick<Declared, "deletionPolicy">;
  /** The policy of the program. */
  deletionPolicy: PropertyValue;
  diffed?: Diffed;
  /** The id that the program names to adopt, where this is no adoption any more. */
  adopt?: unknown;
  /** Another resource of the service takes the place of the one that exists. */
  isReplaced: boolean;
}

/** What no logical name begins with. */
const UNNAMED = "\u0000";

const idKey = (id: string): string => id.toLowerCase();
const textOf = (inputs: PropertyMap): string => JSON.stringify(canonical(undefined, inputs));

/**
 * What one run of the engine does with the resources of one type: which of them are in the program, and which ids they hold. The
 * engine does not say so itself: it asks about each resource, and deletes at the end what the program no longer has.
 */
export class RunRecord {
  readonly #resources = new Map<string, ProgramResource>();
  /** The last check of a resource that exists: the engine's diff of the same resource follows it. */
  readonly #awaitingDiff = new Map<ProgramResource, PropertyMap>();
  readonly #awaitingCreate = new Map<string, ProgramResource[]>();
  /** Ids by who has them: adopted, created or kept in this run. */
  readonly #claimed = new Map<string, string>();
  readonly #made = new Map<string, string>();
  readonly #kept = new Map<string, string>();
  /** Ids that a replacement deletes, each with the key of the resource that holds it. */
  readonly #replaced = new Map<string, string>();
  readonly #deleted = new Map<string, string | undefined>();
  readonly #read = new Set<string>();
  /** Keys of resources whose class gave none, by their arguments, which may hold secrets. */
  readonly #unnamed = new Map<string, string>();

  /** The key of this run for a resource whose class gave none. */
  unnamedKey(inputs: PropertyMap): string {
    const text = textOf(inputs);
    const key = this.#unnamed.get(text) ?? `${UNNAMED}${this.#unnamed.size}`;
    this.#unnamed.set(text, key);
    return key;
  }

  /** The key as the state may hold it: one that only this run knows says nothing to the next. */
  storedKeyOf = ({ key }: ProgramResource): string | undefined => (key.startsWith(UNNAMED) ? undefined : key);

  /** The name by which a person knows a resource of the program. */
  nameOf = (key: string): string =>
    key.startsWith(UNNAMED) ? "another resource" : JSON.stringify(key.slice(key.lastIndexOf("/") + 1));

  /** A check of a resource that is in the stack. */
  existing(key: string, olds: Declared, inputs: Declared): void {
    const { deletionPolicy } = inputs;
    const stored: ProgramResource["stored"] = { deletionPolicy: olds.deletionPolicy };
    const resource: ProgramResource = { key, stored, deletionPolicy, isReplaced: false };
    this.#resources.set(key, resource);
    this.#awaitingDiff.set(resource, inputs);
  }

  /** The resource in the stack that was checked before under this key, when the engine checks it again without its state. */
  replacedBy(key: string, { deletionPolicy }: Declared): ProgramResource | undefined {
    const resource = this.#resources.get(key);
    if (resource?.stored === undefined) return undefined;
    this.#awaitingDiff.delete(resource);
    resource.isReplaced = true;
    resource.deletionPolicy = deletionPolicy;
    if (resource.diffed !== undefined) this.#release(resource.diffed.id, key);
    return resource;
  }

  /** A check of a resource that is not in the stack, or that the user wants replaced. */
  fresh(key: string, { deletionPolicy }: Declared): ProgramResource {
    const resource: ProgramResource = { key, deletionPolicy, isReplaced: false };
    this.#resources.set(key, resource);
    return resource;
  }

  /** The create that follows is that of this resource. */
  expectCreate(resource: ProgramResource, inputs: PropertyMap): void {
    const text = textOf(inputs);
    this.#awaitingCreate.set(text, [...(this.#awaitingCreate.get(text) ?? []), resource]);
  }

  /** The resource whose create has these inputs. */
  created(inputs: PropertyMap): ProgramResource | undefined {
    const text = textOf(inputs);
    const [first, ...rest] = this.#awaitingCreate.get(text) ?? [];
    if (rest.length > 0) this.#awaitingCreate.set(text, rest);
    else this.#awaitingCreate.delete(text);
    return first;
  }

  /**
   * The resource that a diff is about; undefined where the engine only tries what would become of one. Of several with the same
   * arguments it is the one that made what the state has.
   */
  diffedBy(news: PropertyMap, madeBy: string | undefined): ProgramResource | undefined {
    const same = this.#awaiting((inputs) => identical(inputs, news));
    // Where something is not known yet, nothing is identical.
    const resources = same.length > 0 ? same : this.#awaitingText(textOf(news));
    const resource = resources.find(({ key }) => key === madeBy) ?? resources[0];
    if (resource !== undefined) this.#awaitingDiff.delete(resource);
    return resource;
  }

  #awaiting(isMeant: (inputs: PropertyMap) => boolean): readonly ProgramResource[] {
    return [...this.#awaitingDiff].filter(([, inputs]) => isMeant(inputs)).map(([resource]) => resource);
  }

  #awaitingText(text: string): readonly ProgramResource[] {
    return this.#awaiting((inputs) => textOf(inputs) === text);
  }

  /** Notes who keeps an id; the key of another resource that has it already. */
  keep(id: string, key: string): string | undefined {
    const other = this.ownerOf(id);
    if (other !== undefined && other !== key) return other;
    this.#kept.set(idKey(id), key);
    return undefined;
  }

  /** Notes whose replacement deletes an id; the key of another resource that has it. */
  replaceAndDelete(id: string, key: string): string | undefined {
    const other = this.ownerOf(id);
    this.#replaced.set(idKey(id), key);
    return other === key ? undefined : other;
  }

  /** Notes who adopts an id; the key of another resource that has it already. */
  claim(id: string, key: string): string | undefined {
    const other = this.ownerOf(id) ?? this.#replaced.get(idKey(id));
    if (other !== undefined && other !== key) return other;
    this.#claimed.set(idKey(id), key);
    return undefined;
  }

  recordCreated(id: string, key: string): void {
    this.#made.set(idKey(id), key);
  }

  /** Who of the program holds an id: such an id is never deleted. */
  ownerOf(id: string): string | undefined {
    const key = idKey(id);
    return this.#made.get(key) ?? this.#claimed.get(key) ?? this.#kept.get(key);
  }

  /** The policy of the program for what exists under an id, where the program still has a resource for it. */
  policyFor(id: string, madeBy: string | undefined): Pick<Declared, "deletionPolicy"> | undefined {
    for (const resource of this.#resources.values())
      if (resource.isReplaced && resource.diffed && idKey(resource.diffed.id) === idKey(id)) return resource;
    const maker = madeBy === undefined ? undefined : this.#resources.get(madeBy);
    // A resource that was checked without its state is one that the user wants replaced (`--replace`), or a new one of the same name:
    // its policy can keep what was to be deleted, and never delete what was to be kept.
    return maker?.stored === undefined && maker?.deletionPolicy !== "delete" ? maker : undefined;
  }

  /** Notes an id that the program reads without managing it. */
  recordRead(id: string): void {
    this.#read.add(idKey(id));
  }

  isRead = (id: string): boolean => this.#read.has(idKey(id));

  /** Notes what this run has deleted, and which resource had made it. */
  recordDeleted(id: string, madeBy: string | undefined): void {
    this.#deleted.set(idKey(id), madeBy);
    this.#made.delete(idKey(id));
  }

  isDeleted = (id: string): boolean => this.#deleted.has(idKey(id));

  /** Whether this run has deleted what a resource adopted, in order to replace that very resource. */
  isReplacementOf(id: string, key: string | undefined): boolean {
    const madeBy = this.#deleted.get(idKey(id));
    return this.isDeleted(id) && (madeBy === undefined || madeBy === key || !this.#resources.has(madeBy));
  }

  #release(id: string, key: string): void {
    if (this.#kept.get(idKey(id)) === key) this.#kept.delete(idKey(id));
  }
}
