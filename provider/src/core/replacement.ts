import { certainReplacements, changesOf, type Change } from "./changes";
import type { Failure } from "./check";
import type { PropertyMap } from "./property-value";

/** What the program says of the old resource when another one is needed. */
export interface Policy {
  readonly deletes: boolean;
  readonly mayReplace: boolean;
}

/** The policy that the inputs of a resource state; without one nothing is deleted and nothing replaced. */
export function policyOf(inputs: PropertyMap): Policy {
  const deletes = inputs["deletionPolicy"] === "delete";
  return { deletes, mayReplace: deletes || inputs["replacementPolicy"] === "allow" };
}

/**
 * One failure for each change that would need a second resource while the first goes on. Where the policy allows that, nothing
 * is compared.
 */
export function refusals(changes: () => readonly Change[], { mayReplace }: Policy): readonly Failure[] {
  if (mayReplace) return [];
  return certainReplacements(changes()).map((change) => ({
    path: change.field.path,
    reason:
      `cannot be changed in place, and another one would be made while the first goes on. Undo the change ` +
      `(or keep what is there with ignoreChanges: ["${change.path}"]), or set deletionPolicy: "delete" to have the first ` +
      `deleted before, or replacementPolicy: "allow" to let both go on.`,
  }));
}

/** How the engine is to carry out the changes. */
export function replacementPlan(changes: readonly Change[], { mayReplace, deletes }: Policy) {
  // A replacement that may not happen cannot be what an unknown value leads to; it is checked again when it is known.
  const replacing = mayReplace ? changesOf("replace", changes) : certainReplacements(changes);
  return { replaces: replacing.map((change) => change.path), deleteBeforeReplace: deletes };
}
