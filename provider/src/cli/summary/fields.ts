import { SECRET_NAMES } from "../../api/secrets/secret-names";
import type { Field } from "../../lifecycle/fields";
import { HIDDEN_INPUTS } from "../../lifecycle/hidden-inputs";
import { valueAt, type PropertyPath, type PropertyValue } from "../../lifecycle/property-value";
import { listAt, listChanges, type ValueChange } from "./entries";
import { changeCode, excerpt, shownText } from "./markdown";
import { stepsOf, type Step } from "./preview";
import { isMarkedSecret, MASK, withoutSecrets } from "./secrets";

const HIDDEN: ReadonlySet<string> = new Set(Object.values(HIDDEN_INPUTS));

/** A field that a step changes, with its values as texts; undefined where there is none. */
export interface FieldChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly requiresReplacement: boolean;
}

export function fieldChanges(step: Step, redact: (text: string) => string): readonly FieldChange[] {
  const { newState, oldState, detailedDiff, diffReasons, replaceReasons } = step;
  // What the program declares, else what the provider returned.
  const [before, after] = [oldState, newState].map((state) => state?.inputs ?? state?.outputs);
  const token = (newState ?? oldState)?.type ?? "";
  const paths = detailedDiff == null ? (diffReasons ?? []) : Object.keys(detailedDiff);
  const shown = (value: PropertyValue): string | undefined =>
    value === undefined ? undefined : redact(shownText(value));
  const shownWith = (isPath: (reason: string) => boolean) => (change: ValueChange) => ({
    path: change.path,
    before: shown(change.before),
    after: shown(change.after),
    requiresReplacement: (replaceReasons ?? []).some(isPath),
  });
  const seen = new Set<Field>();
  // What the provider keeps for itself is no field of the program.
  return paths
    .filter((path) => !HIDDEN.has(path))
    .flatMap((path): readonly FieldChange[] => {
      const list = listAt(token, path);
      const changes = list && listChanges(list, before, after);
      if (list === undefined || changes === undefined)
        return [valueChange(path, before, after)].map(shownWith((reason) => reason === path));
      // Pulumi compares entries by their places: several paths lead into one list.
      if (seen.has(list)) return [];
      seen.add(list);
      return changes.map(shownWith((reason) => listAt(token, reason) === list));
    });
}

const valueChange = (path: string, before: PropertyValue, after: PropertyValue): ValueChange => ({
  path,
  before: shownValue(before, stepsOf(path)),
  after: shownValue(after, stepsOf(path)),
});

/** A change as a line of Markdown. */
export const lineOf = ({ path, before, after, requiresReplacement }: FieldChange): string =>
  `${excerpt(path)}: ${values(before, after)}${requiresReplacement ? " (requires the replacement)" : ""}`;

function values(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? "(changed)" : `${excerpt(after)} (new)`;
  if (after === undefined) return `${excerpt(before)} (removed)`;
  return before === after ? `${excerpt(before)} (changed)` : changeCode(before, after);
}

/** The value at a path, without secrets: those of secret names, and those that the engine marks. */
function shownValue(state: PropertyValue, path: PropertyPath): PropertyValue {
  if (isBelowSecret(state, path)) return MASK;
  const value = valueAt(state, path);
  if (value === undefined || value === null) return undefined;
  return path.some((step) => SECRET_NAMES.has(String(step))) ? MASK : withoutSecrets(value);
}

/** Whether the engine marks a value on the path as secret: the path of a diff leads into it, but the JSON does not. */
function isBelowSecret(state: PropertyValue, path: PropertyPath): boolean {
  let value = state;
  for (const step of path) {
    if (isMarkedSecret(value)) return true;
    value = valueAt(value, [step]);
  }
  return false;
}
