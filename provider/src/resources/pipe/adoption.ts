import { printable } from "../../printable";
import { SECRET_NAMES } from "../../api/secret-names";
import { changesBetween, changesOf, type Change } from "../../core/changes";
import { isNotReturned } from "../../core/equality";
import { type Field } from "../../core/fields";
import { valuesBefore } from "../../core/private-state";
import { currentInputs } from "../../core/drift";
import {
  containsUnknown,
  isList,
  isMap,
  UNKNOWN,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../core/property-value";
import { shownValue } from "../../core/replacement";
import { setDiff } from "../../core/set-diff";
import type { AdoptionPreview, Created, Progress } from "../../core/lifecycle";
import { render } from "../../advice";
import { DatapipesError } from "../../errors";
import { scopeOf, type ResourceContext } from "../context";
import { observed, type ObservedPipe } from "./observed";
import { pipeFields, SOURCE_KINDS, type PipeDraft, type PipeInputs } from "./schema";
import { updatePipe } from "./update";

type Adopting<I> = I & { readonly adopt: string };

/** Whether the program takes over a pipe instead of creating one. */
export const isAdoption = <I extends PipeDraft>(inputs: I): inputs is Adopting<I> =>
  typeof inputs.adopt === "string";

/** A pipe that is to be adopted, beside what the program declares. */
interface Adoption {
  readonly pipe: ObservedPipe & { readonly id: string };
  /** What the pipe has of the declared fields. */
  readonly olds: PropertyMap;
  readonly changes: readonly Change[];
  /** The fields that differ and that no operation changes, one line each. */
  readonly refused: readonly string[];
}

/** Takes over an existing pipe: refused where it cannot become what the program declares, else brought to it. */
export async function adoptPipe(
  context: ResourceContext,
  inputs: Adopting<PipeInputs>,
  progress: Progress,
): Promise<Created> {
  const adoption = await adoptionOf(context, inputs);
  if (!isPossible(adoption)) throw refusal(`adopt pipe ${inputs.adopt} failed:`, inputs, adoption);
  const { pipe, olds, changes } = adoption;
  const { id } = pipe;
  const update = { id, olds, news: inputs, lastRead: pipe, changes };
  const found = (await updatePipe(context, update, progress)) ?? pipe;
  return {
    id,
    current: found,
    adopted: { sent: changes.map(({ path }) => path), former: valuesBefore(changes, pipe) },
  };
}

/** What the adoption will do, for a person who reads the preview. */
export async function previewAdoption(context: ResourceContext, inputs: PipeDraft): Promise<AdoptionPreview> {
  const { organizationId, serviceId, name } = inputs;
  if (!isAdoption(inputs) || typeof organizationId !== "string" || typeof serviceId !== "string")
    return { lines: [], failures: [] };
  const adoption = await adoptionOf(context, inputs);
  if (!isPossible(adoption)) {
    const reason = render(refusal(`names pipe ${inputs.adopt}, but`, inputs, adoption));
    return { lines: [], failures: [{ path: ["adopt"], reason }] };
  }
  const { pipe, changes } = adoption;
  const existing = `${printable(quoted(pipe.name ?? ""))} (${printable(pipe.id)})`;
  const what = `pipe ${quoted(name)} adopts the existing pipe ${existing}`;
  // On one line: `pulumi preview --diff` puts an empty line after each line of a provider.
  const list = changes.map((change) => `${change.path}: ${valuesOf(change)}`).join("; ");
  return {
    lines: [list === "" ? `${what} as it is; nothing is sent.` : `${what} and changes: ${list}.`],
    failures: [],
  };
}

async function adoptionOf(
  context: ResourceContext,
  inputs: Adopting<PipeDraft>,
): Promise<Adoption | undefined> {
  const scope = scopeOf(inputs);
  const found = await context.client().findPipe(scope, inputs.adopt);
  if (found === undefined) return undefined;
  const pipe = { ...observed(found), id: found.id };
  const kinds = { theirs: kindsOf(pipe.source), ours: kindsOf(inputs.source) };
  if (kinds.theirs !== kinds.ours && !isUnknownKind(inputs)) {
    const line = `source: the pipe reads from ${kinds.theirs || "no known kind"}, the program declares ${kinds.ours}`;
    return { pipe, olds: {}, changes: [], refused: [line] };
  }
  const olds = currentInputs(pipeFields, inputs, pipe);
  const changes = changesBetween(pipeFields, olds, inputs);
  const refused = changesOf("replace", changes).filter((change) => isStatedOtherwise(change, pipe));
  return { pipe, olds, changes: changesOf("update", changes), refused: refused.map(describe) };
}

/** Roles and the like are never returned, and what an answer leaves out may be as declared: nothing can be said of them. */
const isStatedOtherwise = ({ field, after }: Change, pipe: PropertyMap): boolean =>
  !field.writeOnly && !containsUnknown(after) && !isNotReturned(field, valueAt(pipe, field.path));

const isPossible = (adoption: Adoption | undefined): adoption is Adoption => adoption?.refused.length === 0;

function refusal(
  attempt: string,
  inputs: Adopting<PipeDraft>,
  adoption: Adoption | undefined,
): DatapipesError {
  if (adoption === undefined) {
    const missing = `service ${scopeOf(inputs).serviceId} has no pipe with this id.`;
    return new DatapipesError("not-found", `${attempt} ${missing}`, { finding: "nothing-to-adopt" });
  }
  const lines = adoption.refused.map((line) => `  ${line}\n`).join("");
  const differs = `it differs from the program in fields that cannot be changed in place:\n${lines}`;
  return new DatapipesError("conflict", `${attempt} ${differs}`, { finding: "not-adoptable" });
}

function kindsOf(source: PropertyValue): string {
  return isMap(source) ? SOURCE_KINDS.filter((kind) => source[kind] !== undefined).join(", ") : "";
}

/** A kind of source that is not known yet may turn out to be the pipe's, or to be absent. */
const isUnknownKind = ({ source }: PipeDraft): boolean =>
  source === undefined || source === UNKNOWN || SOURCE_KINDS.some((kind) => source[kind] === UNKNOWN);

const describe = ({ field, path, before, after }: Change): string =>
  `${path}: the pipe has ${shown(field, before)}, the program declares ${shown(field, after)}`;

function valuesOf({ field, before, after }: Change): string {
  if (field.secret) return "[secret]";
  if (!field.unordered || !isList(before) || !isList(after))
    return `${shown(field, before)} => ${shown(field, after)}`;
  // Whole lists may be long and begin alike: a message shortens them to where they do not differ yet.
  const { add, remove } = setDiff(field, before, after);
  const rest = add.length < after.length ? " (the other elements stay)" : "";
  return `${shown(field, remove)} => ${shown(field, add)}${rest}`;
}

const quoted = (name: PropertyValue): string => JSON.stringify(name);

const shown = (field: Field, value: PropertyValue): string =>
  field.secret && value !== undefined ? "[secret]" : printable(shownValue(value, SECRET_NAMES));
