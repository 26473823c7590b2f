import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { render } from "../../messages/next-steps";
import { changesBetween, changesOf, type Change } from "../../lifecycle/comparison/changes";
import { currentInputs } from "../../lifecycle/state/drift";
import { isNotReturned, setDiff } from "../../lifecycle/comparison/equality";
import type { Field } from "../../lifecycle/comparison/fields";
import type { Created, CheckReport, Progress } from "../../lifecycle/program/lifecycle";
import { valuesBefore } from "../../lifecycle/state/private-state";
import {
  containsUnknown,
  isList,
  known,
  UNKNOWN,
  valueAt,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import { shownOf } from "../../lifecycle/program/replacement";
import { DatapipesError } from "../../messages/errors";
import { idKey } from "../../values/uuid";
import { scopeOf, type RunContext } from "../context";
import type { PipeList } from "./list";
import { kindOfSource } from "./loads";
import { pipeOfAnswer, pipeNamed, type ListedPipe } from "./observed";
import { pipeFields, type PipeDraft, type PipeInputs } from "./schema";
import { SOURCE_KINDS } from "./source-schema";
import { updatePipe } from "./update";

export type Adopting<I> = I & { readonly adopt: string };

/** An existing pipe compared with what the program declares. */
interface Adoption {
  readonly pipe: ListedPipe;
  /** The changes that `updatePipe` can send. */
  readonly changes: readonly Change[];
  /** The fields that differ and that no operation changes, one line each. */
  readonly refused: readonly string[];
}

/**
 * Adopts an existing pipe and updates it to what the program declares; fails where a field differs that cannot be
 * updated.
 */
export async function adoptPipe(
  context: RunContext,
  inputs: Adopting<PipeInputs>,
  list: PipeList,
  progress: Progress,
): Promise<Created> {
  const adoption = compareWithPipe(inputs, list, `adopt pipe ${inputs.adopt} failed:`);
  if (adoption instanceof DatapipesError) throw adoption;
  const { pipe, changes } = adoption;
  const adopted = { sent: changes.map(({ path }) => path), former: valuesBefore(changes, pipe) };
  const update = { id: pipe.id, inputs, lastRead: pipe, changes, adopted };
  const current = (await updatePipe(context, update, progress)) ?? pipe;
  return { id: pipe.id, current, adopted };
}

/** What the adoption will do, for a person who reads the preview. */
export function previewAdoption(inputs: Adopting<PipeDraft>, list: PipeList): CheckReport {
  const { name } = inputs;
  const adoption = compareWithPipe(inputs, list, `names pipe ${inputs.adopt}, but`);
  if (adoption instanceof DatapipesError)
    return { failures: [{ path: ["adopt"], reason: render(adoption) }] };
  const { pipe, changes } = adoption;
  // With fifty pipes, each line counts: a name that is the same is there once.
  const existing = pipe.name === name ? pipe.id : `${JSON.stringify(pipe.name ?? "")} (${pipe.id})`;
  const what = `${pipeNamed(name)} adopts the existing pipe ${existing}`;
  // On one line: `pulumi preview --diff` puts an empty line after each line of a provider.
  const changed = changes.map((change) => `${change.path}: ${valuesOf(change)}`).join("; ");
  return {
    lines: [
      changed === "" ? `${what} as it is; the provider sends nothing.` : `${what} and changes: ${changed}.`,
    ],
  };
}

/**
 * The comparison with the pipe to adopt; or why the program cannot adopt it, in an error that begins with `attempt`.
 */
function compareWithPipe(
  inputs: Adopting<PipeDraft>,
  list: PipeList,
  attempt: string,
): Adoption | DatapipesError {
  const { serviceId } = scopeOf(inputs);
  const listed = list.pipes.get(idKey(inputs.adopt));
  if (listed === undefined) {
    const missing = `${attempt} the list of service ${serviceId} has no pipe with this ID.`;
    return new DatapipesError("not-found", missing, { finding: "nothing-to-adopt" });
  }
  const pipe = { ...pipeOfAnswer(listed), id: listed.id };
  const adoption = compare(inputs, pipe);
  if (adoption.refused.length === 0) return adoption;
  const lines = adoption.refused.map((line) => `  ${line}\n`).join("");
  const differs = `it differs from the program in fields that cannot be changed in place:\n${lines}`;
  return new DatapipesError("conflict", `${attempt} ${differs}`, { finding: "not-adoptable" });
}

function compare(inputs: Adopting<PipeDraft>, pipe: ListedPipe): Adoption {
  const [kind, declaredKind] = [kindOfSource(pipe.source), kindOfSource(inputs.source)];
  if (kind !== declaredKind && !isUnknownKind(inputs)) {
    const given = SOURCE_KINDS.find((one) => known(inputs.source)?.[one] !== undefined);
    const declared = declaredKind ?? `${given ?? "a source"} without a field`;
    const line = `source: the pipe reads from ${kind ?? "no known kind"}, the program declares ${declared}`;
    return { pipe, changes: [], refused: [line] };
  }
  const changes = changesBetween(pipeFields, currentInputs(pipeFields, inputs, pipe), inputs);
  // An answer that leaves a field out does not contradict the program.
  const refused = changesOf("replace", changes).filter(
    ({ field, after }) =>
      !field.writeOnly && !containsUnknown(after) && !isNotReturned(field, valueAt(pipe, field.path)),
  );
  return { pipe, changes: changesOf("update", changes), refused: refused.map(describe) };
}

/** An unknown kind of source may be the pipe's, or absent. */
const isUnknownKind = ({ source }: PipeDraft): boolean =>
  source === undefined || source === UNKNOWN || SOURCE_KINDS.some((kind) => source[kind] === UNKNOWN);

const describe = ({ field, path, before, after }: Change): string =>
  `${path}: the pipe has ${shown(field, before)}, the program declares ${shown(field, after)}`;

function valuesOf({ field, before, after }: Change): string {
  if (field.secret) return "[secret]";
  if (!field.unordered || !isList(before) || !isList(after))
    return `${shown(field, before)} => ${shown(field, after)}`;
  // A message does not show long lists, which may differ in one element only.
  const { add, remove } = setDiff(field, before, after);
  const rest = add.length < after.length ? " (the other elements stay)" : "";
  return `${shown(field, remove)} => ${shown(field, add)}${rest}`;
}

const shown = (field: Field, value: PropertyValue): string => shownOf(field, value, SECRET_NAMES);
