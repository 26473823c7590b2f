import { changesOf, withCurrentValue, type Change } from "../comparison/changes";
import type { DiffResult, ResourceDefinition } from "./definition";
import type { Field } from "../comparison/fields";
import { observedOf } from "../state/outputs";
import type { Comparison, PolicyInputs } from "./program";
import { containsUnknown, UNKNOWN } from "../comparison/property-value";
import { shortened } from "../../messages/quoted";
import type { StoredResource } from "./stack";
import type { Failure } from "../comparison/validation";

/** What the program allows: whether a replacement may happen, and whether it deletes the old resource. */
export interface Policy {
  readonly deletes: boolean;
  readonly mayReplace: boolean;
}

export function policyOf(fields: readonly Field[], inputs: PolicyInputs): Policy {
  const { deletionPolicy, replacementPolicy } = inputs;
  // A type without the policy loses nothing by a replacement.
  const hasPolicy = fields.some(({ name }) => name === "replacementPolicy");
  // An unknown policy refuses nothing; the next check knows it.
  const mayReplace = !hasPolicy || replacementPolicy === "allow" || replacementPolicy === UNKNOWN;
  return { deletes: deletionPolicy === "delete", mayReplace };
}

/** A refused replacement must be certain; the next check knows what is unknown now. */
const certainReplacements = (changes: readonly Change[]): readonly Change[] =>
  changesOf("replace", changes).filter(({ after }) => !containsUnknown(after));

export function replacementPlan(changes: readonly Change[], { mayReplace, deletes }: Policy) {
  const replacing = mayReplace ? changesOf("replace", changes) : certainReplacements(changes);
  return { replaces: replacing.map(({ path }) => path), deleteBeforeReplace: deletes };
}

/**
 * The result of a diff without a check: the engine deletes at once the dependents of a replaced resource that may
 * need a replacement. So an unknown value is no change until it is known.
 */
export const withoutUncertainChanges = (
  result: DiffResult,
  { mayReplace }: Policy,
  inputs: PolicyInputs,
): DiffResult => ({
  ...result,
  changed: result.changed && !containsUnknown(inputs),
  replaces: mayReplace ? result.replaces : [],
});

const allowing = ({ noun }: ResourceDefinition): string =>
  `set replacementPolicy: "allow", which creates a second ${noun}; the old one remains unless deletionPolicy is "delete".`;

/** Why the policy refuses changes: one failure for each field that cannot be changed in place. */
export const refusedChanges = (
  definition: ResourceDefinition,
  { state, changes }: Comparison,
): readonly Failure[] =>
  certainReplacements(changes)
    .map((change) => withCurrentValue(change, observedOf(state)))
    .map((change) => ({
      path: change.field.path,
      reason: `${differenceOf(definition, change)}, or ${allowing(definition)}`,
    }));

/** Why the policy refuses a replacement that no change requires, and that the engine makes all the same. */
export function refusedReplacement(
  definition: ResourceDefinition,
  comparison: Comparison | undefined,
  stored: StoredResource | undefined,
): readonly Failure[] {
  const { noun } = definition;
  const { id, changes = [], inputs } = comparison ?? {};
  if (stored?.isPendingReplacement === true && inputs?.deletionPolicy === "delete") {
    const again = `To create it, run \`pulumi up --replace ${JSON.stringify(stored.urn)}\`.`;
    return [
      {
        path: [],
        reason: `An earlier run deleted the ${noun}, and did not create its replacement. ${again}`,
      },
    ];
  }
  const unfinished = "a replacement that an earlier run did not finish";
  const cause =
    changes.length > 0
      ? `changed, so Pulumi would replace the ${noun} (replaceOnChanges, or ${unfinished}).`
      : `Pulumi would replace the ${noun}, because of another provider, replaceWith, replacementTrigger, replaceOnChanges, or ${unfinished}.`;
  const keep = `If an earlier run failed, run \`pulumi state delete <URN of the resource>\` and set adopt: "${id}" to keep the ${noun}. Otherwise, undo`;
  const reason = `${cause} ${id === undefined ? "Undo" : keep} that change, or ${allowing(definition)}`;
  const paths = changes.length > 0 ? changes.map(({ field }) => field.path) : [[]];
  return paths.map((path) => ({ path, reason }));
}

/** What differs, and how to undo it. */
function differenceOf(definition: ResourceDefinition, change: Change): string {
  const { field, path, before, after } = change;
  if (field.variant === true || (field.writeOnly && field.secret))
    return "cannot be changed in place, and differs from the value in the state. Undo the change";
  const shown = (value: unknown): string => shownOf(field, value, definition.secretNames);
  return (
    `cannot be changed in place: the service has ${shown(before)}, ` +
    `the program declares ${shown(after)}. ` +
    `Declare what the service has (or keep it with ignoreChanges: ["${path}"])`
  );
}

export const shownOf = (field: Field, value: unknown, secretNames: ReadonlySet<string>): string =>
  field.secret && value !== undefined ? "[secret]" : shownValue(value, secretNames);

/** The longest value that a message shows, in characters. */
const MAX_SHOWN = 120;

export function shownValue(value: unknown, secretNames: ReadonlySet<string>): string {
  if (value === undefined) return "nothing";
  const hide = (name: string, member: unknown): unknown => (secretNames.has(name) ? "[secret]" : member);
  const text = (JSON.stringify(value, hide) as string | undefined) ?? "a value that is not known yet";
  return shortened(text, MAX_SHOWN);
}
