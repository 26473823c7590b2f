import { idKey, isSameId } from "../../values/uuid";
import type { Change } from "../comparison/changes";
import { HIDDEN_INPUTS } from "../state/hidden-inputs";
import { isTakenOver, storedKey } from "../state/private-state";
import type { PropertyMap, PropertyValue } from "../comparison/property-value";

/** The inputs that the lifecycle itself uses. */
export interface PolicyInputs extends PropertyMap {
  readonly adopt?: PropertyValue;
  readonly deletionPolicy?: PropertyValue;
  readonly replacementPolicy?: PropertyValue;
}

/** What a run does with a resource of the program. `replace` creates a second one. */
export type Step = "create" | "adopt" | "update" | "replace";

/** A resource of the stack, as the engine compared it with the program. */
export interface Comparison {
  readonly id: string;
  /** Its outputs. */
  readonly state: PropertyMap;
  /** Those of the program, which a policy may have changed after the check. */
  readonly inputs: PolicyInputs;
  readonly changes: readonly Change[];
}

/** What a request of this run has created, adopted or changed. */
interface Written {
  readonly id: string;
  /** Created or adopted, not changed. */
  readonly isNew: boolean;
  /** What the last answer said of it. */
  readonly current: PropertyMap;
}

/** A resource of the program: what the engine passed last, and what this process has done for it. */
export interface Declaration {
  /** See `resourceKey`. */
  readonly key: string;
  readonly type: string;
  /**
   * The key in the state, which stays if an alias gives the resource another one: dynamic resources hold it in an input,
   * and a preview would show the change.
   */
  readonly token: string;
  readonly inputs: PolicyInputs;
  /** Whether the program has no other provider instance; undefined if the program does not tell. */
  readonly isAlone?: boolean | undefined;
  /** Those in the state. The engine passes none for a resource that `--replace` names. */
  readonly oldInputs?: PolicyInputs | undefined;
  readonly step: Step;
  readonly comparison?: Comparison | undefined;
  /** `refused`: the run neither creates nor changes it. `started`: its write may be under way. */
  readonly status: "declared" | "refused" | "started";
  readonly written?: Written | undefined;
}

type Given = Pick<Declaration, "key" | "type" | "inputs" | "isAlone">;

/** What the program wants in this run, and what this process has done for it. */
export class Program {
  readonly #declarations = new Map<string, Declaration>();
  /** The keys of the resources by their tokens. */
  readonly #keys = new Map<string, string>();
  /** The states of the resources that a refresh did not find. The stack has them until the run has ended. */
  readonly #lost = new Map<string, PropertyMap>();
  /** What was read without a state: the program did not declare its inputs. */
  readonly #imported = new Set<string>();
  /** Both the engine and the create of a replacement may ask to delete the same; `false` was not deleted. */
  readonly #deleted = new Map<string, boolean>();

  /**
   * The engine checks or creates a resource with these inputs. It passes those in the state only with the first check
   * of a resource that the stack has. After that, it asks for a diff, or checks the resource again to replace it.
   */
  declare(given: Given, oldInputs?: PolicyInputs): Declaration {
    const present = this.of(given.key);
    const declaration: Declaration = {
      ...given,
      ...stepOf(given.inputs, oldInputs, present),
      token: present?.token ?? this.#newToken(given.key, oldInputs?.[HIDDEN_INPUTS.key]),
      isAlone: given.isAlone ?? present?.isAlone,
      status: "declared",
      written: present?.written,
    };
    this.#declarations.set(given.key, declaration);
    return declaration;
  }

  /** The engine compares a checked resource with its state. */
  compare(key: string, comparison: Comparison, isReplaced: boolean): void {
    this.edit(key, { inputs: comparison.inputs, comparison, step: isReplaced ? "replace" : "update" });
  }

  /** Changes what is known of a resource that the engine has checked. */
  edit(key: string, more: Partial<Declaration>): void {
    const present = this.of(key);
    if (present !== undefined) this.#declarations.set(key, { ...present, ...more });
  }

  /** A request has created, adopted or changed a resource. */
  recordWrite(key: string, written: Written): void {
    const isNew = written.isNew || this.of(key)?.written?.isNew === true;
    this.edit(key, { written: { ...written, isNew } });
  }

  /** `isDeleted`: or another resource uses it. */
  recordDeletion(type: string, id: string, isDeleted: boolean): void {
    this.#deleted.set(idName(type, id), isDeleted);
  }

  /** A refresh did not find a resource of the stack. */
  recordLoss(type: string, id: string, state: PropertyMap): void {
    this.#lost.set(idName(type, id), state);
  }

  recordImport(type: string, id: string): void {
    this.#imported.add(idName(type, id));
  }

  /** The key of a resource by its token. Without a check in this run, the token is the key. */
  keyOf = (token: string): string => this.#keys.get(token) ?? token;

  of = (key: string): Declaration | undefined => this.#declarations.get(key);

  all = (type: string): readonly Declaration[] =>
    [...this.#declarations.values()].filter((one) => one.type === type);

  /** The IDs that resources have, or will have, as `idKey` returns them. */
  heldIds = (type: string): ReadonlySet<string> => new Set(this.all(type).flatMap(idsOf));

  /** A resource that has an ID, or will have it, or that may not adopt it in this run. */
  holder = (type: string, id: string): Declaration | undefined =>
    this.all(type).find((one) => holds(one, id) || adopts(one, id));

  /** The resource beside one that has an ID, or will have it, or deletes it with its replacement. */
  otherHolder = (type: string, id: string, key: string): Declaration | undefined =>
    this.all(type).find((one) => one.key !== key && (holds(one, id) || deletes(one, id)));

  /** Whether this run has created or adopted an ID. */
  isMade = (type: string, id: string): boolean => this.all(type).some((one) => isSameId(madeId(one), id));

  isDeleted = (type: string, id: string): boolean => this.#deleted.get(idName(type, id)) === true;

  /** Whether the engine has asked for its deletion before. */
  isDeletionDone = (type: string, id: string): boolean => this.#deleted.has(idName(type, id));

  isImported = (type: string, id: string): boolean => this.#imported.has(idName(type, id));

  isLost = (type: string, id: string): boolean => this.#lost.has(idName(type, id));

  /** Whether a resource was imported or adopted before. */
  wasTakenOver(key: string): boolean {
    const lost = [...this.#lost.values()].find((state) => storedKey(state) === key);
    return isTakenOver(lost ?? this.of(key)?.comparison?.state ?? {});
  }

  /**
   * The deletionPolicy of what the engine deletes: of a resource that the program still declares, because it is
   * replaced, the one of the program. `key` is the one in the state: an alias may have given the resource another one.
   */
  deletionPolicyOf(type: string, id: string, key: string | undefined, stored: PropertyValue): PropertyValue {
    // Several resources can have the ID of a service.
    const compared = this.all(type).find(
      ({ key: present, comparison }) =>
        isSameId(comparison?.id, id) &&
        (key === undefined || [present, storedKey(comparison?.state ?? {})].includes(key)),
    );
    if (compared?.comparison !== undefined) return compared.comparison.inputs.deletionPolicy;
    const declared = this.of(key ?? "");
    // A resource that `--replace` names was not compared with its state: the program can only retain what the state
    // deletes.
    return declared === undefined || declared.inputs.deletionPolicy === "delete"
      ? stored
      : declared.inputs.deletionPolicy;
  }

  /** Another resource of the program may have the former name now. */
  #newToken(key: string, stored: PropertyValue): string {
    const candidates = [stored, key].filter((one) => typeof one === "string");
    const token = candidates.find((one) => (this.#keys.get(one) ?? key) === key) ?? `${key} (2)`;
    this.#keys.set(token, key);
    return token;
  }
}

function stepOf(
  { adopt }: PolicyInputs,
  oldInputs: PolicyInputs | undefined,
  present: Declaration | undefined,
): Pick<Declaration, "step" | "oldInputs" | "comparison"> {
  if (oldInputs !== undefined) return { step: "update", oldInputs };
  if (present?.oldInputs !== undefined)
    return { step: "replace", oldInputs: present.oldInputs, comparison: present.comparison };
  return { step: adopt === undefined ? "create" : "adopt" };
}

const idName = (type: string, id: string): string => `${type} ${idKey(id)}`;

/** The ID that this run has created or adopted for a resource. */
const madeId = ({ written }: Declaration): string | undefined =>
  written?.isNew === true ? written.id : undefined;

/** The IDs that a resource has, or will have. What its replacement leaves, it has no longer. */
function idsOf(declaration: Declaration): readonly string[] {
  const { step, inputs, comparison, status } = declaration;
  const kept = step === "update" ? comparison?.id : step === "adopt" ? inputs.adopt : undefined;
  const ids = [madeId(declaration), status === "refused" ? undefined : kept];
  return ids.filter((id) => typeof id === "string").map(idKey);
}

const holds = (declaration: Declaration, id: string): boolean => idsOf(declaration).includes(idKey(id));

const adopts = ({ step, inputs }: Declaration, id: string): boolean =>
  step === "adopt" && isSameId(inputs.adopt, id);

const deletes = ({ step, comparison }: Declaration, id: string): boolean =>
  step === "replace" && comparison?.inputs.deletionPolicy === "delete" && isSameId(comparison.id, id);
