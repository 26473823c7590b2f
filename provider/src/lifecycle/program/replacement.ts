import { shellWord } from "../../messages/shell-word";
import { changesOf, type Change } from "../comparison/changes";
import type { ResourceDefinition } from "./definition";
import type { Field } from "../comparison/fields";
import type { Comparison, PolicyInputs } from "./program";
import { containsUnknown, UNKNOWN } from "../comparison/property-value";
import type { StoredResource } from "./stack";
import type { Failure } from "../comparison/validation";

/** Whether the program allows a replacement. A type without the policy loses nothing by one. */
export const mayReplace = (fields: readonly Field[], { replacementPolicy }: PolicyInputs): boolean =>
  // An unknown policy refuses nothing; the next check knows it.
  replacementPolicy === "allow" ||
  replacementPolicy === UNKNOWN ||
  !fields.some(({ name }) => name === "replacementPolicy");

/** The changes that need a replacement. A refused one must be certain; the next check knows what is unknown now. */
export const replacingChanges = (changes: readonly Change[], isAllowed: boolean): readonly Change[] =>
  changesOf("replace", changes).filter(({ after }) => isAllowed || !containsUnknown(after));

const allowing = ({ noun }: ResourceDefinition): string =>
  `set replacementPolicy: "allow", which creates a second ${noun}; the old one remains unless deletionPolicy is ` +
  `"delete".`;

/** Why the policy refuses changes: one failure for each field that cannot be changed in place. */
export const refusedChanges = (definition: ResourceDefinition, { changes }: Comparison): readonly Failure[] =>
  replacingChanges(changes, false).map((change) => ({
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
  if (stored?.pendingReplacement === true && inputs?.deletionPolicy === "delete") {
    const again = `To create it, run \`pulumi up --replace ${shellWord(stored.urn)}\`.`;
    return [
      {
        path: [],
        reason: `An earlier run deleted the ${noun}, and did not create its replacement. ${again}`,
      },
    ];
  }
  const urn = stored === undefined ? "<URN of the resource>" : shellWord(stored.urn);
  const unfinished = "a replacement that an earlier run did not finish";
  const cause =
    changes.length > 0
      ? `changed, so Pulumi would replace the ${noun} (replaceOnChanges, or ${unfinished}).`
      : `Pulumi would replace the ${noun}, because of another provider, replaceWith, replacementTrigger, ` +
        `replaceOnChanges, or ${unfinished}.`;
  const keep =
    `If an earlier run failed, run \`pulumi state delete ${urn}\` and set adopt: "${id}" to keep the ` +
    `${noun}. Otherwise, undo`;
  const reason = `${cause} ${id === undefined ? "Undo" : keep} that change, or ${allowing(definition)}`;
  const paths = changes.length > 0 ? changes.map(({ field }) => field.path) : [[]];
  return paths.map((path) => ({ path, reason }));
}

/** What differs, and how to undo it. */
function differenceOf(definition: ResourceDefinition, change: Change): string {
  const { field, path, after, observed, before = observed } = change;
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

/** The longest value that a message shows, in characters. The beginning of a longer one may be part of a secret. */
const MAX_SHOWN = 300;

export function shownValue(value: unknown, secretNames: ReadonlySet<string>): string {
  if (value === undefined) return "nothing";
  const hide = (name: string, member: unknown): unknown => (secretNames.has(name) ? "[secret]" : member);
  const text = (JSON.stringify(value, hide) as string | undefined) ?? "a value that is not known yet";
  return text.length > MAX_SHOWN ? `a value of ${text.length} characters` : text;
}
