import { changesOf, certainReplacements, type Change } from "./changes";
import type { Failure } from "./validation";
import type { Declared, DiffResult } from "./definition";
import type { ProgramResource } from "./run";
import { containsUnknown, UNKNOWN, type PropertyMap } from "./property-value";

/** What the program says of a replacement: whether it may happen, and what becomes of the old resource. */
export interface Policy {
  readonly deletes: boolean;
  readonly mayReplace: boolean;
}

/** The policy that the inputs of a resource state; without one nothing is deleted and nothing replaced. */
export const policyOf = ({ deletionPolicy, replacementPolicy }: Declared): Policy => ({
  deletes: deletionPolicy === "delete",
  // A policy that is not known yet refuses nothing; it is checked again when it is known.
  mayReplace: replacementPolicy === "allow" || replacementPolicy === UNKNOWN,
});

/** How the engine is to carry out the changes. */
export function replacementPlan(changes: readonly Change[], { mayReplace, deletes }: Policy) {
  // A replacement that may not happen cannot be what an unknown value leads to; it is checked again when it is known.
  const replacing = mayReplace ? changesOf("replace", changes) : certainReplacements(changes);
  return { replaces: replacing.map((change) => change.path), deleteBeforeReplace: deletes };
}

/**
 * The answer when no check came before: the engine tries what would become of a resource that depends on one that it replaces. What may
 * need a replacement it deletes at once, before the check that could refuse. So an unknown value is no change; once it is known, the
 * engine asks again.
 */
export const withoutUncertainChanges = (
  difference: DiffResult,
  { mayReplace }: Policy,
  news: PropertyMap,
): DiffResult => ({
  ...difference,
  changed: difference.changed && !containsUnknown(news),
  replaces: mayReplace ? difference.replaces : [],
});

const POLICIES = `set replacementPolicy: "allow" to have it replaced; the old one goes on beside the new one unless deletionPolicy is "delete"`;

/** Why a replacement is refused, one failure for each change that leads to it. */
export function replacementFailures(
  { stored, deletionPolicy, diffed }: ProgramResource,
  { mayReplace }: Policy,
  shown: (change: Change, value: unknown) => string,
): readonly Failure[] {
  if (diffed === undefined) return undiffedFailures(stored?.deletionPolicy, deletionPolicy, mayReplace);
  if (mayReplace) return [];
  if (diffed.refused.length > 0)
    return diffed.refused.map((change) => ({ path: change.field.path, reason: reasonOf(change, shown) }));
  return diffed.changes.map((change) => ({
    path: change.field.path,
    reason: `changed, and replaceOnChanges would make that a replacement, which replacementPolicy refuses. Take it out of replaceOnChanges, or ${POLICIES}.`,
  }));
}

/**
 * Whether the option `replaceWith` is refused. The engine replaces such a resource without a diff, and may delete it before a check could
 * refuse that, so the policy has to allow it from the start.
 */
export const replaceWithFailures = ({ mayReplace }: Policy): readonly Failure[] =>
  mayReplace
    ? []
    : [
        {
          path: [],
          reason: `the option replaceWith replaces this resource whenever another one is replaced, which replacementPolicy refuses. Take the option out, or ${POLICIES}.`,
        },
      ];

/** The engine replaces without a diff when a resource gets another provider, or follows another one (replaceWith). */
function undiffedFailures(stored: unknown, wanted: unknown, mayReplace: boolean): readonly Failure[] {
  const why = "another provider, or replaceWith, makes this a replacement";
  if (!mayReplace)
    return [{ path: [], reason: `${why}, which replacementPolicy refuses. Undo that, or ${POLICIES}.` }];
  if ((stored === "delete") === (wanted === "delete")) return [];
  return [
    {
      path: ["deletionPolicy"],
      reason: `changed, and ${why}: the old resource would still follow the old policy. Change deletionPolicy first, in a \`pulumi up\` of its own.`,
    },
  ];
}

function reasonOf(change: Change, shown: (change: Change, value: unknown) => string): string {
  const { field, path, before, after } = change;
  const { variant, writeOnly } = field;
  if (variant || (writeOnly && field.secret))
    return `cannot be changed in place, and differs from what was declared last. Undo the change, or ${POLICIES}.`;
  const values = `: the service has ${shown(change, before)}, the program declares ${shown(change, after)}`;
  const keep = `Declare what the service has (or keep it with ignoreChanges: ["${path}"])`;
  return `cannot be changed in place${values}. ${keep}, or ${POLICIES}.`;
}

/** A value as a message shows it. */
export function shownValue(value: unknown, secretNames: ReadonlySet<string>): string {
  if (value === undefined) return "nothing";
  const hide = (name: string, member: unknown): unknown => (secretNames.has(name) ? "[secret]" : member);
  const text = JSON.stringify(value, hide) as string | undefined;
  return text === undefined ? "a value that is not known yet" : shortened(text);
}

/** The longest value that a message shows, in characters. */
const MAX_SHOWN = 120;

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
