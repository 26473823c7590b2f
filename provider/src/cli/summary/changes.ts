import {
  isMap,
  valueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "../../lifecycle/property-value";
import { ADOPTS, UNCHANGED } from "../../resources/pipe/adopt";
import { fieldChanges, lineOf } from "./fields";
import { code } from "./markdown";
import { Managers, outcomeOf, type Outcome } from "./outcome";
import { ownDefinition, ownType, resourceCode } from "./own-types";
import type { ResourceState, Step } from "./preview";
import { DELETES } from "./sections";
import { keyOf, secondPipes } from "./second-pipes";
import { withoutSecrets } from "./secrets";

export type Action = "create" | "adopt" | "import" | "update" | "replace" | "delete" | "handOver" | "release";

export interface ResourceChange {
  readonly action: Action;
  readonly urn: string;
  /** Lines of Markdown: what changes, and what follows from it. */
  readonly details: readonly string[];
}

/** What a step does, without the resource. */
type Effect = Omit<ResourceChange, "urn">;

export interface Reading {
  /** The steps are of a refresh, whose new values are those of the service. */
  readonly isDrift: boolean;
  /** Removes secrets from a text, before a part of it is shown. */
  readonly redact: (text: string) => string;
  readonly lines: readonly string[];
}

interface StepReading extends Reading {
  /** The steps by operation and URN. */
  readonly stepsBy: ReadonlyMap<string, Step>;
  readonly managers: Managers;
  /** What adoptions change, by the ids of what they take over. */
  readonly adoptions: ReadonlyMap<string, string>;
}

/** The operations of Pulumi that change something. A step that only ends a replacement is a part of it. */
const EFFECTS: ReadonlyMap<string, (step: Step, reading: StepReading) => Effect> = new Map([
  ["create", creation],
  ["import", importing],
  ["import-replacement", replacement],
  ["update", update],
  ["replace", replacement],
  ["create-replacement", replacement],
  ["delete", removal],
]);

/** The changes of a preview, one for each resource. */
export function changesOf(steps: readonly Step[], reading: Reading): readonly ResourceChange[] {
  const seen = new Set<string>();
  const all: StepReading = {
    ...reading,
    stepsBy: new Map(steps.map((step) => [keyOf(step), step])),
    managers: new Managers(steps),
    adoptions: adoptionsIn(reading.lines),
  };
  const second = reading.isDrift ? undefined : secondPipes(steps);
  return steps.flatMap((step) => {
    const effectOf = EFFECTS.get(step.op);
    const state = stateOf(step);
    if (effectOf === undefined || state === undefined || isStack(state) || isPartOfImport(step, all))
      return [];
    const effect = effectOf(step, all);
    const key = `${effect.action} ${step.urn}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const details = [...effect.details, ...(second?.get(keyOf(step)) ?? [])];
    return [{ ...effect, details, urn: step.urn }];
  });
}

export const isStack = ({ type }: ResourceState): boolean => type === "pulumi:pulumi:Stack";

const stateOf = ({ newState, oldState }: Step): ResourceState | undefined =>
  newState ?? oldState ?? undefined;

const ownTypeOf = (step: Step): string | undefined => ownType(stateOf(step)?.type ?? "");

function creation(step: Step, reading: StepReading): Effect {
  const own = ownTypeOf(step);
  const adopted = own === undefined ? undefined : adoptedId(step);
  if (adopted !== undefined) return { action: "adopt", details: adoptionLines(adopted, reading) };
  return { action: "create", details: own === "Pipe" ? pipeLine(step.newState?.inputs) : [] };
}

/** The id that a resource adopts, or what stands for it. */
function adoptedId({ newState }: Step): string | undefined {
  const adopted = withoutSecrets(valueAt(newState?.inputs, ["adopt"]));
  return typeof adopted === "string" ? adopted : undefined;
}

const takesOver = (id: string): string => `takes over ${code(id)}, which exists`;
const NOTHING_CHANGES = ", and changes nothing in it";

/** A preview shows the adopted resource as new. The provider logs what the adoption changes in it. */
function adoptionLines(id: string, { adoptions }: StepReading): readonly string[] {
  const changes = adoptions.get(id.toLowerCase());
  if (changes === undefined) return [takesOver(id)];
  return changes === ""
    ? [`${takesOver(id)}${NOTHING_CHANGES}`]
    : [takesOver(id), `changes ${code(changes)}`];
}

const NAME = String.raw`"(?:[^"\\]|\\.)*"`;
const ID = String.raw`([\w-]+)`;
/** A whole line: a name in it may be any text. */
const ADOPTION = new RegExp(
  `^(?:info: )?pipe ${NAME} ${ADOPTS} (?:${ID}|${NAME} \\(${ID}\\)) (?:${UNCHANGED}|and changes: (.*))\\.$`,
  "s",
);

/** What adoptions change, by the ids of what they take over. */
const adoptionsIn = (lines: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    lines.flatMap((line) => {
      const [, id, idBehindName, changes = ""] = ADOPTION.exec(line) ?? [];
      const adopted = id ?? idBehindName;
      return adopted === undefined ? [] : [[adopted.toLowerCase(), changes] as const];
    }),
  );

/** The id that the option `import` takes into the stack, also in place of another one. */
function importedId(step: Step | undefined): string | undefined {
  if (step === undefined || ownTypeOf(step) === undefined) return undefined;
  const { id, importID } = step.newState ?? {};
  return step.op === "import" || id === importID ? importID : undefined;
}

/** A preview of Pulumi has an import in two steps if the program differs from what exists. */
const isPartOfImport = ({ op, urn }: Step, { stepsBy }: StepReading): boolean =>
  op === "update" &&
  ["import", "replace"].some((other) => importedId(stepsBy.get(`${other} ${urn}`)) !== undefined);

function importing(step: Step, { stepsBy, redact }: StepReading): Effect {
  const id = importedId(step);
  if (id === undefined) return { action: "import", details: [] };
  const update = stepsBy.get(`update ${step.urn}`);
  // The import takes all values as inputs, so the update removes those that the program never declared, and keeps them in the service.
  const changes =
    update === undefined ? [] : fieldChanges(update, redact).filter(({ after }) => after !== undefined);
  const former = step.oldState?.id;
  const details = [
    `${takesOver(id)}${changes.length === 0 ? NOTHING_CHANGES : ""}`,
    ...changes.map(lineOf),
    ...(former === undefined ? [] : [`${code(former)}, which the resource had, stays as it is, unmanaged`]),
  ];
  return { action: "import", details };
}

function update(step: Step, { isDrift, redact }: StepReading): Effect {
  const changes = fieldChanges(step, redact);
  const addsColumn = changes.some(({ path, before }) => NEW_COLUMN.test(path) && before === undefined);
  const note = addsColumn && !isDrift && ownTypeOf(step) === "Pipe" ? [tableLine(step)] : [];
  return { action: "update", details: [...changes.map(lineOf), ...note] };
}

/** A column, or a mapping to one. */
const NEW_COLUMN = /^(?:destination\.columns|fieldMappings)(?:\[.*\])?$/s;

/** The API document: an update of the mappings changes only the configuration of the pipe. */
const tableLine = ({ newState }: Step): string =>
  `The table${tableCode(newState?.inputs)} is not altered: it must have a new column before.`;

/** What becomes of the old one of a replacement. */
const OLD_ONES: Readonly<Record<Outcome, string>> = {
  deleted: `${DELETES}The old one is deleted.${DELETES}`,
  stays: "The old one stays, unmanaged.",
  unclear: 'The old one is deleted if deletionPolicy is "delete", which the preview does not show.',
};

function replacement(step: Step, reading: StepReading): Effect {
  if (importedId(step) !== undefined) return importing(step, reading);
  const adopted = ownTypeOf(step) === undefined ? undefined : adoptedId(step);
  const details = [
    ...fieldChanges(step, reading.redact).map(lineOf),
    ...(adopted === undefined ? [] : adoptionLines(adopted, reading)),
    oldOne(step, reading.managers.of(step)),
    ...protection(step),
  ];
  return { action: "replace", details };
}

function oldOne(step: Step, manager: string | undefined): string {
  if (manager === step.urn) return "Nothing is deleted.";
  if (manager !== undefined) return `The old one stays: ${resourceCode(manager)} manages it.`;
  const outcome = outcomeOf(step);
  const part = deletedPart(step);
  return outcome === "deleted" && part !== undefined ? `Of the old ones, ${part}.` : OLD_ONES[outcome];
}

/** What becomes of the thing of a resource that the program no longer declares. */
const REMOVALS: Readonly<Record<Outcome, Effect>> = {
  deleted: { action: "delete", details: [] },
  stays: { action: "release", details: ["stays as it is, but this stack no longer manages it"] },
  unclear: {
    action: "delete",
    details: ['is deleted if its deletionPolicy is "delete", which the preview does not show'],
  },
};

function removal(step: Step, { isDrift, managers }: StepReading): Effect {
  if (isDrift) return REMOVALS.deleted;
  const manager = managers.of(step);
  const { action, details }: Effect =
    manager === undefined
      ? REMOVALS[outcomeOf(step)]
      : { action: "handOver", details: [`stays as it is: ${resourceCode(manager)} manages it`] };
  const part = action === "delete" ? deletedPart(step) : undefined;
  return { action, details: [...details, ...(part === undefined ? [] : [part]), ...protection(step)] };
}

const deletedPart = (step: Step): string | undefined => ownDefinition(stateOf(step)?.type ?? "")?.deletedPart;

/** Pulumi plans what it then refuses. */
const protection = ({ oldState }: Step): readonly string[] =>
  oldState?.protect === true ? ["is protected, so Pulumi refuses this"] : [];

/** What a new pipe reads, and where it loads to. */
function pipeLine(inputs: PropertyValue): readonly string[] {
  const [kind] = Object.keys(mapOf(inputs, ["source"]));
  if (kind === undefined) return [];
  const table = tableCode(inputs);
  return [`reads from ${code(kind)}${table === "" ? "" : `, loads into${table}`}`];
}

/** The table behind a space; empty where the program does not name it. */
function tableCode(inputs: PropertyValue): string {
  const { database, table } = mapOf(inputs, ["destination"]);
  const name = [database, table].filter((part) => typeof part === "string").join(".");
  return name === "" ? "" : ` ${code(name)}`;
}

const mapOf = (value: PropertyValue, path: PropertyPath): PropertyMap => {
  const found = valueAt(value, path);
  return isMap(found) ? found : {};
};
