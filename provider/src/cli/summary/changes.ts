import { SECRET_NAMES } from "../../api/secret-names";
import { typeToken } from "../../core/datapipes-resource";
import {
  isList,
  isMap,
  mapMembers,
  valueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "../../core/property-value";
import { UNKNOWN_TEXT } from "../../engine-marks";
import { DEFINITIONS } from "../../resources/definitions";
import { ADOPTS, UNCHANGED } from "../../resources/pipe/adoption";
import { isMarkedSecret } from "./secrets";
import { partsOf } from "../../resource-urn";
import { declaredOf, stepsOf, type ResourceState, type Step } from "./preview";
import { changeCode, code, excerpt, shownText } from "./markdown";

/** What happens to a resource. */
export type Action = "create" | "adopt" | "import" | "update" | "replace" | "delete" | "release";

/** What a preview does with one resource. */
export interface Change {
  readonly action: Action;
  /** The type and the name, in Markdown. */
  readonly resource: string;
  /** Lines of Markdown: what changes, and what follows from it. */
  readonly details: readonly string[];
}

/** The operations of Pulumi that change something. A step that only ends a replacement is a part of it. */
const ACTIONS: Readonly<Record<string, Action>> = {
  create: "create",
  import: "import",
  "import-replacement": "replace",
  update: "update",
  replace: "replace",
  "create-replacement": "replace",
  delete: "delete",
};

/** The types of this package by the tokens in the stack. */
const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(DEFINITIONS).map((type) => [typeToken(type), type]),
);

/** How changes are read. */
export interface Reading {
  /** The steps are of a refresh, whose new values are those of the service. */
  readonly isDrift: boolean;
  /** Removes secrets from a text, before a part of it is shown. */
  readonly redact: (text: string) => string;
  /** What the provider logged. */
  readonly lines: readonly string[];
}

/** The changes of a preview, one for each resource. */
export function changesOf(steps: readonly Step[], reading: Reading): readonly Change[] {
  const seen = new Set<string>();
  return steps.flatMap((step) => {
    const action = ACTIONS[step.op];
    const state = step.newState ?? step.oldState;
    if (action === undefined || state == null || isStack(state)) return [];
    const key = `${action} ${step.urn}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [changeOf(step, { ...reading, action, state })];
  });
}

export const isStack = ({ type }: ResourceState): boolean => type === "pulumi:pulumi:Stack";

interface StepReading extends Reading {
  readonly action: Action;
  readonly state: ResourceState;
}

function changeOf(step: Step, { action, state, isDrift, redact, lines }: StepReading): Change {
  const resource = resourceCode(step.urn);
  const own = TYPES[state.type];
  const adopted = own === undefined ? undefined : valueAt(state.inputs, ["adopt"]);
  const isRetained =
    (own !== undefined && step.newState ? step.newState : step.oldState)?.retainOnDelete === true;
  if (action === "create" && typeof adopted === "string")
    return { action: "adopt", resource, details: adoptionLines(adopted, lines) };
  if (action === "delete" && isRetained && !isDrift)
    return { action: "release", resource, details: ["stays as it is, but this stack no longer manages it"] };
  if (action === "update") return { action, resource, details: fieldLines(step, redact) };
  if (action === "create") return { action, resource, details: own === "Pipe" ? pipeLine(state) : [] };
  if (action !== "replace") return { action, resource, details: [] };
  const old = isRetained ? "The old one stays, unmanaged." : "The old one is deleted.";
  return { action, resource, details: [...fieldLines(step, redact), old] };
}

/** A preview shows the adopted resource as new. The provider logs what the adoption changes in it. */
function adoptionLines(id: string, lines: readonly string[]): readonly string[] {
  const takesOver = `takes over ${code(id)}, which exists`;
  const line = lines.find((text) => text.includes(ADOPTS) && text.includes(id)) ?? "";
  const effect = line.slice(line.indexOf(id) + id.length);
  if (effect.includes(UNCHANGED)) return [`${takesOver}, and changes nothing in it`];
  const [, changes] = /^\)? and changes: (.*)\.\s*$/s.exec(effect) ?? [];
  return [takesOver, ...(changes === undefined ? [] : [`changes ${code(changes)}`])];
}

/** The resource as readers know it: its type, and its name in the program. */
export function resourceCode(urn: string): string {
  const { type, name } = partsOf(urn);
  return `${TYPES[type] ?? code(type)} ${code(name)}`;
}

/** What a new pipe reads, and where it loads to. */
function pipeLine({ inputs }: ResourceState): readonly string[] {
  const [kind] = Object.keys(mapOf(inputs, ["source"]));
  const { database, table } = mapOf(inputs, ["destination"]);
  const into = [database, table].filter((part) => typeof part === "string").join(".");
  if (kind === undefined) return [];
  return [`reads from ${code(kind)}${into === "" ? "" : `, loads into ${code(into)}`}`];
}

const mapOf = (value: PropertyValue, path: PropertyPath): PropertyMap => {
  const found = valueAt(value, path);
  return isMap(found) ? found : {};
};

/** One line for each field that changes. */
function fieldLines(step: Step, redact: Reading["redact"]): readonly string[] {
  const { oldState, newState, detailedDiff, diffReasons, replaceReasons } = step;
  const [before, after] = [oldState, newState].map((state) =>
    state == null ? undefined : declaredOf(state),
  );
  const paths = detailedDiff == null ? (diffReasons ?? []) : Object.keys(detailedDiff);
  const replacing = replaceReasons ?? [];
  return paths.map((path) => {
    const requires = replacing.includes(path) ? " (requires the replacement)" : "";
    const shown = (state: PropertyValue): string | undefined => {
      const value = shownValue(state, stepsOf(path));
      return value === undefined ? undefined : redact(shownText(value));
    };
    return `${code(path)}: ${change(shown(before), shown(after))}${requires}`;
  });
}

const shownValue = (state: PropertyValue, steps: PropertyPath): PropertyValue =>
  isBelowSecret(state, steps) ? MASK : masked(valueAt(state, steps), steps);

function change(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? "(changed)" : `${excerpt(after)} (new)`;
  if (after === undefined) return `${excerpt(before)} (removed)`;
  return before === after ? `${excerpt(before)} (changed)` : changeCode(before, after);
}

const MASK = "[secret]";

/** Whether the engine marks a value on the path as secret: the path of a diff leads into it, but the JSON does not. */
const isBelowSecret = (state: PropertyValue, path: PropertyPath): boolean =>
  path.some((_, length) => isMarkedSecret(valueAt(state, path.slice(0, length))));

/** The value without secrets: those of secret names, and those that the engine marks. */
function masked(value: PropertyValue, path: readonly (string | number)[]): PropertyValue {
  if (value === undefined || value === null) return undefined;
  if (path.some((step) => SECRET_NAMES.has(String(step)))) return MASK;
  return withoutSecrets(value);
}

function withoutSecrets(value: PropertyValue): PropertyValue {
  if (value === UNKNOWN_TEXT) return "[unknown]";
  if (isList(value)) return value.map(withoutSecrets);
  if (!isMap(value)) return value;
  if (isMarkedSecret(value)) return MASK;
  return mapMembers(value, (member, name): PropertyValue =>
    SECRET_NAMES.has(name) ? MASK : withoutSecrets(member),
  );
}
