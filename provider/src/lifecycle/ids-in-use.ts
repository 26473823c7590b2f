import { idKey } from "../values/uuid";
import { nameBeside, nameInKey } from "./resource-key";
import type { IdUse, RunFile } from "./run-file";
import { getOrAdd } from "../values/get-or-add";

interface TypedId {
  readonly type: string;
  readonly id: string;
}

/** An id that a resource uses, by the key of the resource. */
interface UsedId extends TypedId {
  readonly key: string;
}

/** Whether the engine has checked a resource with this key. */
type IsChecked = (key: string | undefined) => boolean;

/** `replaces`: the resource has the id in the stack, and its replacement deletes what has the id. */
type Management = "adopts" | "has" | "replaces";

/** A deletion of this run; `createdBy` is the key in the state of what it deleted. */
interface Deletion {
  readonly createdBy: string | undefined;
}

/** A resource of the program that uses an id. */
export interface IdUser {
  /** Undefined if it belongs to another provider. */
  readonly name?: string;
  /** The engine leaves it out of the run, because of `--target` or `--exclude`. */
  readonly isLeftOut?: boolean;
}

/**
 * The ids that the resources of a run use, in this process and, by their files, in the others. The engine deletes removed resources at
 * the end of the run, and does not compare ids: what another resource uses must stay.
 */
export class IdsInUse {
  readonly #managers = new Map<string, { readonly key: string; readonly how: Management }>();
  readonly #used = new Set<string>();
  readonly #deletions = new Map<string, Deletion>();
  /** The keys in the states of the resources that the engine deletes in this run. */
  readonly #leaving = new Map<string, Set<string | undefined>>();

  constructor(readonly file: RunFile) {}

  /** Records that a resource manages an id. Returns another resource that manages it already, and keeps it. */
  manage(used: UsedId, how: Management): IdUser | undefined {
    const present = this.#managers.get(textOf(used));
    const isReplaced = present?.how === "replaces";
    const isOthers = present !== undefined && present.key !== used.key && !(how === "replaces" && isReplaced);
    // What another resource has is not deleted, even if the program is refused for it.
    if (!isOthers || (how === "has" && isReplaced)) this.#managers.set(textOf(used), { key: used.key, how });
    if (isOthers) return { name: nameBeside(present.key, used.key) };
    // Another provider may adopt what a replacement gives up.
    if (how === "replaces") return undefined;
    if (this.#others(used).some(({ use }) => use === "adopts" || use === "has")) return {};
    this.file.add({ ...used, use: how });
    return undefined;
  }

  /** Why a resource cannot adopt an id. Otherwise records that it does. */
  adoptionFailures(used: UsedId): readonly string[] {
    const manager = this.manage(used, "adopts");
    if (manager === undefined) return [];
    const name = manager.name ?? OTHER;
    return [
      `names ${used.id}, which ${name} of this program already manages. Only one resource can manage it: remove the other resource from the program, or adopt a different id.`,
    ];
  }

  /** Records that a resource of the stack has an id, and throws if another resource has it, too. */
  requireOnlyManager(used: UsedId, how: Management): void {
    const { type, id, key } = used;
    const manager = this.manage(used, how);
    if (manager === undefined) return;
    const names = `${manager.name ?? OTHER} and ${nameInKey(key)}`;
    throw new Error(
      `Two resources of this program manage ${type} ${id}: ${names}. Remove one of them from the program; the other one keeps it.`,
    );
  }

  /** Takes `manage` back: another resource may adopt the id, and the engine may delete it. What a replacement deletes, no other may adopt. */
  release(used: UsedId): void {
    const present = this.#managers.get(textOf(used));
    if (present?.key !== used.key) return;
    if (present.how !== "replaces") this.#managers.delete(textOf(used));
    for (const use of ["adopts", "has"] as const) this.file.remove({ ...used, use });
  }

  /** Whether a resource of this process adopts the id. */
  isAdoptedBy = ({ key, ...id }: UsedId): boolean => {
    const manager = this.#managers.get(textOf(id));
    return manager?.how === "adopts" && manager.key === key;
  };

  /** Whether the program adopts the id. Only programs of the dynamic form record it. */
  isAdoptedByProgram = (id: TypedId): boolean =>
    this.file.ofProgram(idKey(id.id)).some((entry) => entry.use === "adopts" && isUseOf(id)(entry));

  /** Records that the program reads an id with `get`, or declares it as an entry of a list: several resources may. */
  use(id: TypedId, use: "reads" | "declares"): void {
    this.#used.add(textOf(id));
    this.file.add({ ...id, use });
  }

  isUsedHere = (id: TypedId): boolean => this.#used.has(textOf(id));

  isUsed = (id: TypedId): boolean => this.isUsedHere(id) || this.#others(id).length > 0;

  /** What uses an id that the engine deletes. `createdBy` is the key in the state of the deleted resource. */
  userOf(id: TypedId, createdBy: string | undefined, isChecked: IsChecked): IdUser | undefined {
    const manager = this.#managers.get(textOf(id));
    if (manager !== undefined && manager.how !== "replaces") return { name: nameInKey(manager.key) };
    if (this.isUsed(id)) return {};
    const leftOut = this.#leftOutUser(id, createdBy, isChecked);
    return leftOut === undefined ? undefined : { name: nameInKey(leftOut), isLeftOut: true };
  }

  /** Records that this run has deleted what had the id. */
  addDeletion(id: TypedId, createdBy: string | undefined): void {
    this.#deletions.set(textOf(id), { createdBy });
  }

  isDeleted = (id: TypedId): boolean => this.#deletions.has(textOf(id));

  /** Whether this run deleted what had the id in order to replace the resource. */
  isReplacementOf({ key, ...id }: UsedId, isChecked: IsChecked): boolean {
    const deletion = this.#deletions.get(textOf(id));
    return deletion !== undefined && (deletion.createdBy === key || !isChecked(deletion.createdBy));
  }

  /**
   * The key of a resource that adopts or has an id in the program, but that the engine leaves out of this run. It may be the deleted
   * one: `pulumi destroy --run-program` checks none.
   */
  #leftOutUser(id: TypedId, createdBy: string | undefined, isChecked: IsChecked): string | undefined {
    const leaving = getOrAdd(this.#leaving, textOf(id), () => new Set()).add(createdBy);
    const uses = this.file.ofProgram(idKey(id.id)).filter(isUseOf(id));
    const isLeaving = (key: string): boolean =>
      leaving.has(key) ||
      uses.some((use) => use.key === key && use.use === "has" && leaving.has(use.createdBy));
    return uses.map(({ key = "" }) => key).find((key) => !isChecked(key) && !isLeaving(key));
  }

  /** How resources of other provider instances use the id. */
  #others = (id: TypedId): readonly IdUse[] => this.file.others(idKey(id.id)).filter(isUseOf(id));
}

const isUseOf =
  ({ type, id }: TypedId) =>
  (entry: IdUse): boolean =>
    entry.type === type && entry.id === idKey(id);

const textOf = ({ type, id }: TypedId): string => `${type} ${idKey(id)}`;

const OTHER = "a resource of another provider";
