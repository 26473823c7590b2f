import { partsOf } from "../../lifecycle/state/resource-urn";
import { withoutModule } from "../../lifecycle/state/type-tokens";
import { RESOURCE_TYPES, type ResourceType } from "../../run/definitions";
import { bold, code } from "./markdown";
import type { Step } from "./preview";
import { shownAt, withoutSecrets } from "./values";

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
function changeOf(step: Step, { isRefresh, redact, log }: Reading): readonly Change[] {
  if (isOfStack(step)) return [];
  const change = (action: Action, details: readonly string[] = []): readonly Change[] => [
    { action, details, resource: resourceCode(step.urn) },
  ];
  switch (step.op) {
    case "create": {
      const id = shownAt(withoutSecrets(step.newState?.inputs), "adopt");
      return id === undefined || ownType(step) === undefined
        ? change("create")
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
      return isRetained(step)
        ? change("retain")
        : change("delete", policyLine(policyOf(step, step.oldState)));
    default:
      return [];
  }
}

const isRetained = ({ oldState }: Step): boolean => oldState?.retainOnDelete === true;

/** What happens to the old one in a replacement, which goes by the policy of the program. */
function oldOne(step: Step): readonly string[] {
  const policy = policyOf(step, step.newState);
  if (isRetained(step) && policy !== "delete") return ["The old resource remains, unmanaged."];
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
  const valueAt = (root: typeof before, path: string): string | undefined => {
    const text = shownAt(root, path);
    return text === undefined ? undefined : code(redact(text));
  };
  const paths = detailedDiff == null ? (diffReasons ?? []) : Object.keys(detailedDiff);
  return paths
    .filter((path) => !path.startsWith("__"))
    .map((path) => {
      const isReason = (replaceReasons ?? []).includes(path);
      const values = change(valueAt(before, path), valueAt(after, path));
      return `${code(path)}: ${values}${isReason ? " (requires the replacement)" : ""}`;
    });
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

/** The resource as readers know it: its type, and its name in the program. */
export function resourceCode(urn: string): string {
  const { type, name } = partsOf(urn);
  return `${ownTypeOf(type) ?? code(type)} ${code(name)}`;
}
