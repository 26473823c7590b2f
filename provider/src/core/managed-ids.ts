import type { Declared, DiffResult, ResourceDefinition, RunFlags } from "./definition";
import { adoptsAnother } from "./private-state";
import type { PropertyMap } from "./property-value";
import type { RunRecord } from "./run";
import type { Failure } from "./validation";

/** Refuses that two resources of a program manage one id, also through different providers. */
export class ManagedIds {
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
      `Two resources of this program manage ${this.definition.type} ${id}: ${other} and ${this.run.nameOf(key)}. Remove one of them from the program; ` +
        `the other one keeps it.`,
    );
  }

  /** A resource of the stack adopts nothing, but the advice to take it out of the stack would not help if another one manages the id. */
  refuseSecondAdoption(id: string, key: string, olds: PropertyMap, { adopt }: Declared): void {
    if (!adoptsAnother(id, olds, adopt)) return;
    const other = this.run.use(adopt, "adopted", key);
    if (other !== undefined) throw new Error(`adopt ${managedBy(adopt, this.run.nameOf(other))}`);
  }

  /** Whether a resource of another provider adopts, reads or keeps the id. */
  isUsedElsewhere(id: string): boolean {
    const { runFlags } = this;
    return runFlags !== undefined && (runFlags.has(adoptionFlag(id)) || runFlags.isKeptElsewhere(id));
  }

  /** Records that a resource uses an id; returns what else in the program manages it. */
  #managerOf(id: string, how: "adopted" | "kept" | "replaced", key: string): string | undefined {
    const other = this.run.use(id, how, key);
    if (other !== undefined) return this.run.nameOf(other);
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
