import { idKey } from "../values/uuid";
import { changesOf, type Change } from "./changes";
import type { Failure } from "./validation";
import type { DiffResult, PolicyInputs, ResourceDefinition } from "./definition";
import type { CheckedResource } from "./checked-resources";
import { containsUnknown, UNKNOWN, type PropertyMap, type PropertyValue } from "./property-value";

/** What the program allows: whether a replacement may happen, and whether it deletes the old resource. */
export interface Policy {
  readonly deletes: boolean;
  readonly mayReplace: boolean;
}

export const policyOf = ({ deletionPolicy, replacementPolicy }: PolicyInputs): Policy => ({
  deletes: deletionPolicy === "delete",
  // An unknown policy refuses nothing; the next check knows it.
  mayReplace: replacementPolicy === "allow" || replacementPolicy === UNKNOWN,
});

/** How the engine replaces the resource. */
export function replacementPlan(changes: readonly Change[], { mayReplace, deletes }: Policy) {
  // A refused replacement must be certain; the next check knows what is unknown now.
  const replacing = changesOf("replace", changes).filter(
    ({ after }) => mayReplace || !containsUnknown(after),
  );
  return { replaces: replacing.map(({ path }) => path), deleteBeforeReplace: deletes };
}

/**
 * The result of a diff without a check. The engine asks for it to find the dependents of a resource that it replaces, and deletes at
 * once those that may need a replacement, before a check could refuse it. So an unknown value is no change until it is known.
 */
export const withoutUncertainChanges = (
  result: DiffResult,
  { mayReplace }: Policy,
  inputs: PropertyMap,
): DiffResult => ({
  ...result,
  changed: result.changed && !containsUnknown(inputs),
  replaces: mayReplace ? result.replaces : [],
});

const ALLOW = `set replacementPolicy: "allow" to replace it; the old one remains beside the new one unless deletionPolicy is "delete"`;

/** The option `replaceOnChanges`; undefined if the engine does not pass it on, as for programs of the native plugin. */
type ReplaceOnChanges = readonly PropertyValue[] | undefined;

/** The inputs of a resource that the engine replaces, and what is known of them. */
export interface CheckedReplacement {
  readonly inputs: PolicyInputs;
  readonly failures: readonly Failure[];
  readonly replaceOnChanges: ReplaceOnChanges;
}

/** One failure for each change that needs a refused replacement. */
export function replacementFailures(
  { stored, deletionPolicy, diffed }: CheckedResource,
  { mayReplace }: Policy,
  shown: (change: Change, value: unknown) => string,
  {
    adopt,
    replaceOnChanges,
  }: { readonly adopt?: PropertyValue; readonly replaceOnChanges?: ReplaceOnChanges },
): readonly Failure[] {
  if (diffed === undefined) return undiffedFailures(stored?.deletionPolicy, deletionPolicy, mayReplace);
  const { id, refused, changes } = diffed;
  const differs = changes.some(({ effect }) => effect === "update" || effect === "replace");
  const keepsOld = deletionPolicy !== "delete";
  if (!differs && (keepsOld || !mayReplace)) return unfinishedFailures(id, mayReplace, replaceOnChanges);
  if (mayReplace) {
    const isAsked = changes.some(({ effect }) => effect === "replace") || replaceOnChanges?.length !== 0;
    return isAsked || !keepsOld ? [] : unfinishedFailures(id, mayReplace, replaceOnChanges);
  }
  // A replacement would create one more.
  const otherwise =
    typeof adopt === "string" && idKey(adopt) !== idKey(id)
      ? `run \`pulumi state delete <URN of the resource>\`, and adopt takes over ${adopt}; to replace it instead, remove adopt`
      : ALLOW;
  if (refused.length > 0)
    return refused.map((change) => ({ path: change.field.path, reason: reasonOf(change, shown, otherwise) }));
  return changes.map(({ field }) => ({
    path: field.path,
    reason: unrequestedReason(id, otherwise, replaceOnChanges),
  }));
}

/** Why a change that could be made in place is refused. */
function unrequestedReason(id: string, otherwise: string, replaceOnChanges: ReplaceOnChanges): string {
  const refuses = "requires a replacement, which replacementPolicy refuses";
  if (replaceOnChanges === undefined)
    return (
      `changed, and replaceOnChanges or an unfinished replacement of an earlier run ${refuses}. If replaceOnChanges has it, remove it there, or ${otherwise}. ` +
      `Else ${keepStep(id)}.`
    );
  return replaceOnChanges.length > 0
    ? `changed, and replaceOnChanges ${refuses}. Remove it from replaceOnChanges, or ${otherwise}.`
    : `changed, and an unfinished replacement of an earlier run ${refuses}. Either ${keepStep(id)}, or ${otherwise}.`;
}

/**
 * The engine replaces without a difference after a failed run: if replaceOnChanges says so, or if the engine has begun to replace the resource.
 * Then it counts the old resource as deleted, also one that it retained: the new one would be a second one.
 */
function unfinishedFailures(
  id: string,
  mayReplace: boolean,
  replaceOnChanges: ReplaceOnChanges,
): readonly Failure[] {
  const why = mayReplace ? "and both would load the same data" : "which replacementPolicy refuses";
  return failure(
    `an earlier run has failed, so Pulumi replaces it although no change requires it, ${why}. ${unfinishedStep(id, replaceOnChanges)}.`,
  );
}

function unfinishedStep(id: string, replaceOnChanges: ReplaceOnChanges): string {
  if (replaceOnChanges?.some((path) => path === "*" || path === "#initerror") === true)
    return 'Remove "*" and "#initerror" from replaceOnChanges';
  const step = `To keep it, ${keepStep(id)}`;
  return replaceOnChanges === undefined
    ? `${step}; but if its option replaceOnChanges has "*" or "#initerror", remove them instead`
    : step;
}

const keepStep = (id: string): string =>
  `run \`pulumi state delete <URN of the resource>\`, and set adopt to ${id} if that still exists`;

/**
 * Refuses the option `replaceWith` unless the policy allows replacements: the engine replaces such a resource without a diff, and may
 * delete it before a check could refuse.
 */
export const replaceWithFailures = ({ mayReplace }: Policy): readonly Failure[] =>
  mayReplace
    ? []
    : failure(
        `the option replaceWith replaces this resource whenever Pulumi replaces the resource that it names, which replacementPolicy refuses. Remove the option, or ${ALLOW}.`,
      );

/** The engine replaces without a diff if the resource gets another provider, or for the options `replaceWith` and `replacementTrigger`. */
function undiffedFailures(stored: unknown, declared: unknown, mayReplace: boolean): readonly Failure[] {
  const why = "another provider, replaceWith or replacementTrigger requires a replacement";
  if (!mayReplace) return failure(`${why}, which replacementPolicy refuses. Undo that change, or ${ALLOW}.`);
  if ((stored === "delete") === (declared === "delete")) return [];
  return failure(
    `changed, and ${why}: Pulumi would apply the old policy. Change deletionPolicy first, in a separate \`pulumi up\`.`,
    ["deletionPolicy"],
  );
}

const failure = (reason: string, path: Failure["path"] = []): readonly Failure[] => [{ path, reason }];

function reasonOf(
  change: Change,
  shown: (change: Change, value: unknown) => string,
  otherwise: string,
): string {
  const { field, path, before, after } = change;
  if (field.variant || (field.writeOnly && field.secret))
    return `cannot be changed in place, and differs from the value in the state. Undo the change, or ${otherwise}.`;
  return (
    `cannot be changed in place: the service has ${shown(change, before)}, the program declares ${shown(change, after)}. ` +
    `Declare what the service has (or keep it with ignoreChanges: ["${path}"]), or ${otherwise}.`
  );
}

/** Refuses an import whose program differs in what no update can change: the engine would import the resource, and then fail to replace it. */
export function refuseReplacedImport(
  definition: ResourceDefinition,
  id: string,
  { changes, replaces }: DiffResult,
): void {
  const replacing = changes.filter(({ path }) => replaces.includes(path));
  if (replacing.length > 0)
    throw new Error(importRefusal(`${definition.type} ${id}`, replacing, shownIn(definition)));
}

/** Why a resource cannot be imported as the program declares it. */
function importRefusal(
  what: string,
  changes: readonly Change[],
  shown: (change: Change, value: unknown) => string,
): string {
  const differences = changes.map((change) => {
    const { field, path, before, after } = change;
    if (field.writeOnly) return `the API never returns ${path}`;
    return field.variant
      ? `${path} is ${before === undefined ? "absent" : "present"} in the service`
      : `${path} is ${shown(change, before)} in the service, and ${shown(change, after)} in the program`;
  });
  const step = changes.some(({ field }) => field.writeOnly)
    ? "Set the argument `adopt` in place of the import."
    : "Declare what the service has, or the right id in the import.";
  return `${what} cannot be imported as the program declares it: ${differences.join("; ")}. No update can change that. ${step}`;
}

/** Shows a value of a changed field in a message. */
export const shownIn =
  ({ secretNames }: Pick<ResourceDefinition, "secretNames">) =>
  ({ field }: Change, value: unknown): string =>
    field.secret && value !== undefined ? "[secret]" : shownValue(value, secretNames);

/** A value as a message shows it. */
export function shownValue(value: unknown, secretNames: ReadonlySet<string>): string {
  if (value === undefined) return "nothing";
  const hide = (name: string, member: unknown): unknown => (secretNames.has(name) ? "[secret]" : member);
  const text = (JSON.stringify(value, hide) as string | undefined) ?? "a value that is not known yet";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The longest value that a message shows, in characters. */
const MAX_SHOWN = 120;
