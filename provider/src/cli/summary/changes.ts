import { isMap, valueAt, type PropertyValue } from "../../lifecycle/comparison/property-value";
import { partsOf, withoutModule } from "../../lifecycle/state/resource-key";
import { RESOURCE_TYPES, type ResourceType } from "../../run/definitions";
import { SOURCE_KINDS, type SourceKind } from "../../resources/pipe/source-schema";
import { grouped } from "../grouped";
import { tableOf } from "../status/pipes";
import { entryChanges, setAt } from "./entries";
import { bold, code } from "./markdown";
import type { Step } from "./preview";
import { shownAt, textOf, valueAtPath, withoutSecrets } from "./values";

export type Action = "delete" | "replace" | "retain" | "update" | "adopt" | "import" | "create";

/** What happens to one resource. */
export interface Change {
  readonly action: Action;
  readonly resource: string;
  /** Lines of Markdown. */
  readonly details: readonly string[];
}

export interface Reading {
  /** The steps are of a refresh, whose new values are those of the service. */
  readonly isRefresh: boolean;
  /** The resource of a URN as readers know it. */
  readonly nameOf: (urn: string) => string;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  /** The messages of the preview that are neither errors nor warnings. */
  readonly log: readonly string[];
}

/** The changes of a preview, sorted by their resources: Pulumi's order depends on which request ended first. */
export const changesOf = (steps: readonly Step[], reading: Reading): readonly Change[] =>
  steps
    .flatMap((step) => changeOf(step, reading))
    .toSorted((one, other) => (one.resource < other.resource ? -1 : 1));

/** The change of a step. A step that only begins or ends a replacement has none of its own. */
function changeOf(step: Step, { isRefresh, nameOf, redact, log }: Reading): readonly Change[] {
  if (isOfStack(step)) return [];
  const change = (action: Action, details: readonly string[] = []): readonly Change[] => [
    { action, details, resource: nameOf(step.urn) },
  ];
  switch (step.op) {
    case "create": {
      const id = shownAt(withoutSecrets(step.newState?.inputs), "adopt");
      return id === undefined || ownType(step) === undefined
        ? change("create", loadOf(step, redact))
        : change("adopt", [`takes over ${code(id)}`, ...log.filter((line) => line.includes(id)).map(code)]);
    }
    case "import":
      return change("import");
    case "update":
      return change("update", fieldLines(step, redact));
    case "replace":
      return change("replace", [...fieldLines(step, redact), ...oldOne(step)]);
    case "delete":
      if (isRefresh) return change("delete");
      return hasOption(step) || policyOf(step, step.oldState) === "retain"
        ? change("retain")
        : change("delete", policyLine(policyOf(step, step.oldState)));
    default:
      return [];
  }
}

/** What a new pipe loads: the kind of its source, what it reads, and its table. */
function loadOf(step: Step, redact: Reading["redact"]): readonly string[] {
  const inputs = withoutSecrets(step.newState?.inputs);
  if (ownType(step) !== "Pipe" || !isMap(inputs)) return [];
  const kind = SOURCE_KINDS.find((name) => shownAt(inputs, `source.${name}`) !== undefined);
  if (kind === undefined) return [];
  const read = READS[kind].flatMap((name) => shownAt(inputs, `source.${kind}.${name}`) ?? []);
  return [`${kind} ${code(redact(read.join(" ")))} → ${code(redact(tableOf(inputs)))}`];
}

/** The fields of each kind of source that say what a pipe reads. */
const READS: Readonly<Record<SourceKind, readonly string[]>> = {
  kafka: ["topics"],
  objectStorage: ["url", "azureContainerName", "path"],
  kinesis: ["streamName"],
  postgres: ["host", "database"],
};

const hasOption = ({ oldState }: Step): boolean => oldState?.retainOnDelete === true;

/** What happens to the old one in a replacement, which goes by the policy of the program. */
function oldOne(step: Step): readonly string[] {
  const policy = policyOf(step, step.newState);
  const remains = policy === undefined ? hasOption(step) : policy !== "delete";
  if (remains) return ["The old resource remains, unmanaged."];
  return [bold("Pulumi deletes the old resource."), ...policyLine(policy)];
}

/** The policy that the provider follows when Pulumi deletes a resource; undefined for other packages. */
const policyOf = (step: Step, state: Step["oldState"]): string | undefined =>
  ownType(step) && (shownAt(withoutSecrets(state?.inputs), "deletionPolicy") ?? "retain");

const policyLine = (policy: string | undefined): readonly string[] =>
  policy === undefined ? [] : [`${code("deletionPolicy")}: ${code(policy)}`];

/** The paths that a step changes, with both values. */
function fieldLines(step: Step, redact: Reading["redact"]): readonly string[] {
  const { detailedDiff, diffReasons, replaceReasons } = step;
  // What the program declares, else what the provider returned.
  const [before, after] = [step.oldState, step.newState].map((state) =>
    withoutSecrets(state?.inputs ?? state?.outputs),
  );
  const text = (value: PropertyValue): string | undefined => {
    const words = textOf(value);
    return words === undefined ? undefined : code(redact(words));
  };
  const shown = (root: PropertyValue, path: string): string | undefined => text(valueAtPath(root, path));
  const paths = detailedDiff == null ? (diffReasons ?? []) : Object.keys(detailedDiff);
  const sets = new Set(paths.flatMap((path) => setAt(path) ?? []));
  const entries = [...sets].flatMap((field) =>
    entryChanges(field, valueAt(before, field.path), valueAt(after, field.path)),
  );
  const others = paths.filter((path) => !path.startsWith("__") && setAt(path) === undefined);
  return [
    ...others.map((path) => {
      const isReason = (replaceReasons ?? []).includes(path);
      const values = change(shown(before, path), shown(after, path));
      return `${code(path)}: ${values}${isReason ? " (requires the replacement)" : ""}`;
    }),
    ...entries.map(
      (entry) => `${code(redact(entry.label))}: ${change(text(entry.before), text(entry.after))}`,
    ),
  ];
}

function change(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? "(changed)" : `${after} (new)`;
  if (after === undefined) return `${before} (removed)`;
  return before === after ? `${before} (changed)` : `${before} → ${after}`;
}

export const isOfStack = ({ urn }: Step): boolean => partsOf(urn).type === "pulumi:pulumi:Stack";

/** The type of this package that a resource has, in either form; undefined for other packages. */
const ownTypeOf = (token: string): ResourceType | undefined =>
  RESOURCE_TYPES.find((type) => type === withoutModule(token));

const ownType = ({ urn }: Step): ResourceType | undefined => ownTypeOf(partsOf(urn).type);

/** The resources as readers know them: type and name in the program; with their component, if two have the same name. */
export function namesOf(urns: readonly string[]): (urn: string) => string {
  const shortName = (urn: string): string => {
    const { type, name } = partsOf(urn);
    return `${ownTypeOf(type) ?? code(type)} ${code(name)}`;
  };
  const same = grouped([...new Set(urns)], shortName);
  return (urn) => {
    const name = shortName(urn);
    const { parents } = partsOf(urn);
    const isUnique = (same.get(name) ?? []).length < 2 || parents.length === 0;
    return isUnique ? name : `${name} in ${code(parents.join(" > "))}`;
  };
}
