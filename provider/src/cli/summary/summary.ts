import { enumerated } from "../../messages/enumerated";
import { printable } from "../../messages/printable";
import { partsOf } from "../../lifecycle/state/resource-key";
import { grouped } from "../grouped";
import { changesOf, isOfStack, namesOf, type Action, type Change } from "./changes";
import { bold, code, fitted, type Section } from "./markdown";
import { readPreview, type Diagnostic, type Step } from "./preview";
import { secretsIn } from "./values";

export interface SummaryOptions {
  readonly title?: string | undefined;
  /** The longest text, in characters. */
  readonly maxLength: number;
}

/** In the first line behind a number, and as a heading. */
type Words = readonly [counted: string, heading: string];

/** In the order of what a reviewer must not miss. */
const ACTIONS: Readonly<Record<Action, Words>> = {
  delete: ["to delete", "Delete"],
  replace: ["to replace", "Replace"],
  retain: ["to leave unmanaged", "Leave unmanaged"],
  update: ["to update", "Update"],
  adopt: ["to adopt", "Adopt"],
  import: ["to import", "Import"],
  create: ["to create", "Create"],
};
const ACTION_NAMES = Object.keys(ACTIONS) as readonly Action[];

/** Of a refresh, which compares the stack with the service. */
const DRIFT: Partial<typeof ACTIONS> = {
  delete: ["deleted elsewhere", "Deleted elsewhere"],
  update: ["changed elsewhere", "Changed elsewhere (in the stack → in the service)"],
};

/** What `pulumi preview --json` printed, as Markdown. */
export function summaryOf(text: string, { title, maxLength }: SummaryOptions): string {
  const preview = readPreview(text);
  const steps = preview.steps ?? [];
  const secrets = secretsIn(preview);
  const redact = (each: string): string => secrets.redact(each);
  const messages = (preview.diagnostics ?? []).map((each) => ({
    ...each,
    message: printable(redact(each.message)),
  }));
  const isRefresh = isOfRefresh(steps);
  const log = messages.filter((each) => severityOf(each) === "info").map(({ message }) => message);
  const nameOf = namesOf(steps.map(({ urn }) => urn));
  const changes = changesOf(steps, { isRefresh, nameOf, redact, log });
  const ofActions = ACTION_NAMES.map((action) => {
    const [counted, heading] = (isRefresh ? DRIFT[action] : undefined) ?? ACTIONS[action];
    return { action, counted, heading, items: itemsOf(changes, action) };
  });
  const errors = messagesOf(messages, "error", nameOf).map((item) => `- ${bold(item)}`);
  const warnings = messagesOf(messages, "warning", nameOf).map((item) => `- ${item}`);
  const sections: readonly Section[] = [
    { heading: "Errors", items: errors },
    ...ofActions.filter(isUrgent),
    { heading: "Warnings", items: warnings },
    ...ofActions.filter((each) => !isUrgent(each)),
  ];
  const counts = ofActions
    .filter(({ items }) => items.length > 0)
    .map(({ counted, items }) => bold(`${items.length} ${counted}`));
  const heading = title === undefined ? titleOf(isRefresh, steps) : printable(redact(title));
  return fitted(`### ${heading}\n\n${firstLine(counts, errors.length > 0)}`, sections, maxLength);
}

const isUrgent = ({ action }: { readonly action: Action }): boolean =>
  ["delete", "replace", "retain"].includes(action);

function itemsOf(changes: readonly Change[], wanted: Action): readonly string[] {
  return changes
    .filter(({ action }) => action === wanted)
    .map(({ action, resource, details }) =>
      [`- ${action === "delete" ? bold(resource) : resource}`, ...details.map((line) => `  - ${line}`)].join(
        "\n",
      ),
    );
}

/** A preview that refreshes first has other steps of the stack, too. */
function isOfRefresh(steps: readonly Step[]): boolean {
  const ofStack = steps.filter(isOfStack);
  return ofStack.length > 0 && ofStack.every(({ op }) => op === "refresh");
}

function titleOf(isRefresh: boolean, [first]: readonly Step[]): string {
  const command = code(isRefresh ? "pulumi refresh" : "pulumi preview");
  return first === undefined ? command : `${command} of stack ${code(partsOf(first.urn).stack)}`;
}

function firstLine(counts: readonly string[], hasFailed: boolean): string {
  if (counts.length === 0) return hasFailed ? "**The command failed.**" : "No changes.";
  return `${hasFailed ? "**The command failed.** Before the error: " : ""}${counts.join(", ")}.`;
}

/** The messages of a severity, each once and as code: their words may come from a server. */
function messagesOf(
  messages: readonly Diagnostic[],
  wanted: string,
  nameOf: (urn: string) => string,
): readonly string[] {
  const ofSeverity = messages.filter((each) => severityOf(each) === wanted);
  const byWords = grouped(ofSeverity, ({ message }) => message.replace(WITHOUT_CONTENT, ""));
  return [...byWords].map(([words, same]) => {
    const urns = new Set(same.flatMap(({ urn }) => (urn === undefined ? [] : [urn])));
    return urns.size === 0 ? code(words) : `${enumerated([...urns].map(nameOf))}: ${code(words)}`;
  });
}

/** The process of a dynamic provider has no way to give a line a severity. */
const severityOf = ({ severity, message }: Diagnostic): string =>
  severity === "info" && message.startsWith("warning: ") ? "warning" : severity;

/** The beginning of a message that repeats the severity and the resource. */
const WITHOUT_CONTENT = /^(?:error|warning|info): (?:\S+ resource '.*?' has a problem: )?/;
