import { changesOf, type Change } from "./changes";
import type { Checked } from "./checked";
import type { DiffResult, PolicyInputs, ResourceDefinition } from "./definition";
import type { Field } from "./fields";
import { containsUnknown, UNKNOWN } from "./property-value";
import { shortened } from "../messages/quoted";
import type { Failure } from "./validation";

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

export function replacementPlan(changes: readonly Change[], { mayReplace, deletes }: Policy) {
  // A refused replacement must be certain; the next check knows what is unknown now.
  const replacing = changesOf("replace", changes).filter(
    ({ after }) => mayReplace || !containsUnknown(after),
  );
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

/** Why the policy refuses to replace a resource: one failure for each field that requires it. */
export function replacementFailures(definition: ResourceDefinition, { diffed }: Checked): readonly Failure[] {
  const { noun } = definition;
  const allow =
    `set replacementPolicy: "allow", which creates a second ${noun}; ` +
    'the old one remains unless deletionPolicy is "delete".';
  const { id, changes = [], refused = [] } = diffed ?? {};
  if (refused.length > 0)
    return refused.map((change) => ({
      path: change.field.path,
      reason: `${differenceOf(definition, change)}, or ${allow}`,
    }));
  const unfinished = "a replacement that an earlier run did not finish";
  const cause =
    changes.length > 0
      ? `changed, so Pulumi would replace the ${noun} (replaceOnChanges, or ${unfinished}).`
      : `Pulumi would replace the ${noun}, because of another provider, replaceWith, replacementTrigger, replaceOnChanges, or ${unfinished}.`;
  const keep = `If an earlier run failed, run \`pulumi state delete <URN of the resource>\` and set adopt: "${id}" to keep the ${noun}. Otherwise, undo`;
  const reason = `${cause} ${id === undefined ? "Undo" : keep} that change, or ${allow}`;
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
