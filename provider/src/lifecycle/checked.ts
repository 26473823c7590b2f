import { idKey } from "../values/uuid";
import type { Change } from "./changes";
import type { PolicyInputs } from "./definition";
import type { PropertyMap, PropertyValue } from "./property-value";

/** The result of a diff of a resource in the stack. */
export interface Diffed {
  readonly id: string;
  /** The key in the state: an alias may have given the resource another name. */
  readonly formerKey: string | undefined;
  /** Its outputs in the state, if it has changed: a replacement may need them. */
  readonly state?: PropertyMap;
  readonly changes: readonly Change[];
  /** The changes that need a replacement, which the policy refuses. */
  readonly refused: readonly Change[];
}

/** What the engine has told of a resource in this run. */
export interface Checked {
  /** The deletionPolicy of the program. */
  readonly declared: PropertyValue;
  /** The deletionPolicy in the state; undefined for a resource that was checked without its state. */
  readonly stored?: Pick<PolicyInputs, "deletionPolicy">;
  readonly diffed?: Diffed;
}

/**
 * The deletionPolicy of what the engine deletes: of a resource that the program still declares, because it is
 * replaced, the one of the program. `key` is the one in the state.
 */
export function deletionPolicyOf(
  checked: ReadonlyMap<string, Checked>,
  id: string,
  key: string | undefined,
  stored: PropertyValue,
): PropertyValue {
  // Several resources can have the ID of a service.
  const diffed = [...checked].find(
    ([name, one]) =>
      one.diffed !== undefined &&
      idKey(one.diffed.id) === idKey(id) &&
      (key === undefined || [name, one.diffed.formerKey].includes(key)),
  );
  if (diffed !== undefined) return diffed[1].declared;
  const { declared } = checked.get(key ?? "") ?? { declared: stored };
  // A resource that `--replace` names was not compared with its state: the program can only retain what the state
  // deletes.
  return declared === "delete" ? stored : declared;
}
