import type { Declared, DiffResult, ResourceDefinition, RunFlags } from "./definition";
import { adoptsAnother } from "./private-state";
import { programIds } from "./program-ids";
import type { PropertyMap } from "./property-value";
import { nameInKey } from "./resource-key";
import type { RunRecord } from "./run";
import type { Failure } from "./validation";

/** A resource of the program that uses an id. */
export interface IdUser {
  /** Undefined if it belongs to another provider. */
  readonly name?: string;
  /** The engine leaves it out of the run, because of `--target` or `--exclude`. */
  readonly isLeftOut?: boolean;
}

/** Refuses that two resources of a program manage one id, also through different providers. */
export class ManagedIds {
  /** By id: the keys in the states of the resources that the engine has deleted in this run. */
  readonly #deletedKeys = new Map<string, Set<string | undefined>>();

  constructor(
    private readonly definition: ResourceDefinition,
    private readonly run: RunRecord,
    private readonly runFlags: RunFlags | undefined,
  ) {}

  /** The failure of an adoption of an id that another resource manages; otherwise records the adoption. */
  adoptionFailures(adopt: string, key: string): readonly Failure[] {
    const manager = this.#managerOf(adopt, "adopted", key);
    if (manager !== undefined) return [{ path: ["adopt"], reason: managedBy(adopt, manager) }];
    this.runFlags?.set(adoptionFlag(adopt));
    return [];
  }

  /** Records that a resource of the stack has an id, unless its replacement gives the id up. */
  record(id: string, key: string, { replaces, deleteBeforeReplace }: DiffResult): void {
    if (this.definition.sharesId) return;
    const isReplaced = replaces.length > 0;
    if (isReplaced && !deleteBeforeReplace) return;
    const other = this.#managerOf(id, isReplaced ? "replaced" : "kept", key);
    if (other === undefined) return;
    throw new Error(
      `Two resources of this program manage ${this.definition.type} ${id}: ${other} and ${nameInKey(key)}. Remove one of them from the program; ` +
        `the other one keeps it.`,
    );
  }

  /** A resource of the stack adopts nothing, but the advice to take it out of the stack would not help if another one manages the id. */
  refuseSecondAdoption(id: string, key: string, olds: PropertyMap, { adopt }: Declared): void {
    if (!adoptsAnother(id, olds, adopt)) return;
    const other = this.run.use(adopt, "adopted", key);
    if (other !== undefined) throw new Error(`adopt ${managedBy(adopt, nameInKey(other))}`);
  }

  /** A replacement gives the id up: another resource may adopt it, and the engine may delete it. */
  giveUp(id: string): void {
    this.run.giveUp(id);
    this.runFlags?.clear(adoptionFlag(id));
    this.runFlags?.release(id);
  }

  /** What uses an id that the engine deletes. `createdBy` is the key in the state of the deleted resource. */
  userOf(id: string, createdBy: string | undefined): IdUser | undefined {
    const owner = this.run.ownerOf(id);
    if (owner !== undefined) return { name: nameInKey(owner) };
    if (this.run.idUse(id).isRead === true || this.#isUsedElsewhere(id)) return {};
    const leftOut = this.#leftOutUser(id, createdBy);
    return leftOut === undefined ? undefined : { name: nameInKey(leftOut), isLeftOut: true };
  }

  /** Whether a resource of another provider adopts, reads or keeps the id. */
  #isUsedElsewhere(id: string): boolean {
    const { runFlags } = this;
    return runFlags !== undefined && (runFlags.has(adoptionFlag(id)) || runFlags.isKeptElsewhere(id));
  }

  /**
   * The key of a resource that adopts or has an id in the program, but that the engine leaves out of this run. It may be the deleted
   * one: `pulumi destroy --run-program` checks none.
   */
  #leftOutUser(id: string, createdBy: string | undefined): string | undefined {
    if (this.runFlags === undefined) return undefined;
    const deleted = this.#deletedKeys.get(id.toLowerCase()) ?? new Set();
    this.#deletedKeys.set(id.toLowerCase(), deleted.add(createdBy));
    const uses = programIds(this.runFlags, this.definition.type, id);
    const isDeleted = (key: string): boolean =>
      deleted.has(key) ||
      uses.some((use) => use.key === key && use.inStack !== undefined && deleted.has(use.inStack.createdBy));
    return uses.find(({ key }) => this.run.checked(key) === undefined && !isDeleted(key))?.key;
  }

  /** Records that a resource uses an id; returns what else in the program manages it. */
  #managerOf(id: string, how: "adopted" | "kept" | "replaced", key: string): string | undefined {
    const other = this.run.use(id, how, key);
    if (other !== undefined) return nameInKey(other);
    // Another provider may adopt what a replacement gives up.
    if (how === "replaced") return undefined;
    if (this.runFlags?.isKeptElsewhere(id) === true) return "a resource of another provider";
    this.runFlags?.keep(id);
    return undefined;
  }
}

const managedBy = (id: string, manager: string): string =>
  `names ${id}, which ${manager} of this program already manages. Only one resource can manage it: remove the other resource from the program, or adopt a different id.`;

/** Shows another provider instance that a resource of this run adopts or reads an id. */
export const adoptionFlag = (id: string): string => `adopt ${id.toLowerCase()}`;
