import { Secrets } from "../../api/secrets/redaction";
import { SERVICE_KEEPS } from "../../lifecycle/lifecycle-log";
import { enumerated } from "../../messages/enumerated";
import { printable, printableLines } from "../../messages/printable";
import { grouped } from "../grouped";
import { changesOf, isStack, type Action, type ResourceChange } from "./changes";
import { code } from "./markdown";
import { partsOf } from "../../pulumi/resource-urn";
import { resourceCode, resourcesCode } from "./own-types";
import { fitted, type Section } from "./sections";
import { readPreview, type Preview, type Step } from "./preview";
import { markedSecretsIn } from "./secrets";
import { getOrAdd } from "../../values/get-or-add";

export interface SummaryOptions {
  readonly title?: string;
  /** The longest text, in characters. */
  readonly maxLength: number;
}

/** What a summary says of an action: in its first line, and above the resources. */
interface Words {
  readonly counted: string;
  readonly heading: string;
}

/** How important the sections are that are not about an action. */
const IMPORTANCE = { errors: 9, warnings: 5 };

/** In the order of what a reviewer must not miss. */
const ACTIONS: Readonly<Record<Action, Words & Pick<Section, "importance">>> = {
  delete: { counted: "to delete", heading: "Delete", importance: 8 },
  replace: { counted: "to replace", heading: "Replace", importance: 7 },
  handOver: { counted: "to leave to another resource", heading: "Leave to another resource", importance: 6 },
  release: { counted: "to leave unmanaged", heading: "Leave unmanaged", importance: 6 },
  update: { counted: "to update", heading: "Update", importance: 4 },
  adopt: { counted: "to adopt", heading: "Adopt", importance: 3 },
  import: { counted: "to import", heading: "Import", importance: 2 },
  create: { counted: "to create", heading: "Create", importance: 1 },
};
const ACTION_NAMES = Object.keys(ACTIONS) as readonly Action[];

/** The same for a refresh, which compares the stack with the service. */
const DRIFT: Partial<Readonly<Record<Action, Words>>> = {
  delete: { counted: "no longer there", heading: "No longer there" },
  update: { counted: "changed elsewhere", heading: "Changed elsewhere (in the stack → in the service)" },
};

/** What `pulumi preview --json` printed, as Markdown. */
export function summaryOf(text: string, { title, maxLength }: SummaryOptions): string {
  const preview = readPreview(text);
  const steps = preview.steps ?? [];
  const kind = kindOf(steps);
  const secrets = secretsOf(preview);
  const redact = (value: string): string => secrets.redact(value);
  // Redacted first: a text that is printable may spell a secret in another way.
  const messages = (preview.diagnostics ?? []).map((each) => ({
    ...each,
    message: printable(redact(each.message)),
  }));
  const lines = messages.map(({ message }) => message);
  const changes = changesOf(steps, { isDrift: kind === "refresh", redact, lines });
  const errors = problemsOf(messages, "error");
  const head = [
    `### ${title === undefined ? titleOf(kind, steps) : printable(redact(title))}`,
    firstLine(changes, { kind, hasFailed: errors.length > 0 }),
  ];
  const sections: readonly Section[] = [
    { heading: "Errors", items: errors, importance: IMPORTANCE.errors },
    { heading: "Warnings", items: problemsOf(messages, "warning"), importance: IMPORTANCE.warnings },
    {
      heading: "Not compared",
      items: kind === "refresh" ? problemsOf(messages, "info", NOT_COMPARED) : [],
      importance: IMPORTANCE.warnings,
    },
    ...ACTION_NAMES.map((action) => ({
      heading: wordsOf(action, kind).heading,
      items: itemsOf(action, ofAction(changes, action)),
      importance: ACTIONS[action].importance,
    })),
  ];
  return cut(printableLines(redact(fitted(head, sections, maxLength))), maxLength);
}

const ofAction = (changes: readonly ResourceChange[], wanted: Action): readonly ResourceChange[] =>
  changes.filter(({ action }) => action === wanted);

type Kind = "preview" | "refresh" | "destroy";

/** The command follows from what happens to the stack itself: a preview that refreshes first has both steps. */
function kindOf(steps: readonly Step[]): Kind {
  const ofStack = steps.filter(({ newState, oldState }) => {
    const state = newState ?? oldState;
    return state != null && isStack(state);
  });
  const operations = ofStack.map(({ op }) => op);
  // The engine leaves a stack out that it does not delete, as after a refused deletion.
  const isRemoval = operations.length === 0 && steps.length > 0 && steps.every(({ op }) => op === "delete");
  if (operations.includes("delete") || isRemoval) return "destroy";
  return operations.length > 0 && operations.every((op) => op === "refresh") ? "refresh" : "preview";
}

function titleOf(kind: Kind, steps: readonly Step[]): string {
  const command = kind === "refresh" ? "pulumi refresh" : `pulumi ${kind}`;
  const [, stack] = /^urn:pulumi:([^:]+)::/.exec(steps[0]?.urn ?? "") ?? [];
  return `${code(command)}${stack === undefined ? "" : ` of stack ${code(stack)}`}`;
}

function firstLine(
  changes: readonly ResourceChange[],
  { kind, hasFailed }: { readonly kind: Kind; readonly hasFailed: boolean },
): string {
  const counts = ACTION_NAMES.flatMap((action) => {
    const number = ofAction(changes, action).length;
    return number === 0 ? [] : [`**${number} ${wordsOf(action, kind).counted}**`];
  });
  const nothing = kind === "refresh" ? "The service is as the stack has it." : "There is nothing to do.";
  const found = counts.length === 0 ? nothing : `${counts.join(", ")}.`;
  if (!hasFailed) return found;
  return counts.length === 0 ? "**It failed.**" : `**It failed.** Up to the error: ${found}`;
}

const wordsOf = (action: Action, kind: Kind): Words =>
  (kind === "refresh" ? DRIFT[action] : undefined) ?? ACTIONS[action];

/** The items of a section: resources of which the same is said are one, unless something may be deleted. */
function itemsOf(action: Action, changes: readonly ResourceChange[]): Section["items"] {
  // Pulumi's order depends on which request ended first.
  const sorted = changes.toSorted((one, other) => (resourceCode(one.urn) < resourceCode(other.urn) ? -1 : 1));
  const isNamed = action === "delete" || action === "replace";
  const same = grouped(sorted, ({ urn, details }) =>
    isNamed || details.length === 0 ? urn : JSON.stringify([partsOf(urn).type, details]),
  );
  return [...same.values()].map((group) => [
    `- ${resourcesCode(group.map(({ urn }) => urn))}`,
    ...(group[0]?.details ?? []).map((detail) => `  - ${detail}`),
  ]);
}

/** What the provider logs of resources that the API has no operation to read. */
const NOT_COMPARED = /The refresh compared (?:nothing|none)/;

type Message = NonNullable<Preview["diagnostics"]>[number];

/** The messages of a severity, each as code: their words may come from a server. */
function problemsOf(messages: readonly Message[], severity: string, wanted = /(?:)/): Section["items"] {
  const urnsOf = new Map<string, Set<string>>();
  const add = (words: string, urn: string | undefined): void => {
    const urns = getOrAdd(urnsOf, words, () => new Set());
    if (urn !== undefined) urns.add(urn);
  };
  const ofKind = messages.filter((each) => severityOf(each) === severity && wanted.test(each.message));
  for (const { message, urn } of ofKind) {
    const words = message.replace(WITHOUT_CONTENT, "");
    // The plugin writes a line for each pipe; the resource names it.
    add(urn === undefined ? words : words.replace(UNDECLARED, "$1"), urn);
  }
  return [...urnsOf].map(([words, urns]) => [
    `- ${urns.size === 0 ? "" : `${enumerated([...urns].map(resourceCode))}: `}${code(words)}`,
  ]);
}

/** The warning of fields that a resource no longer declares, and the resource before it. */
const UNDECLARED = new RegExp(String.raw`^.*?: (\S+(?: \S+)? (?:is|are) ${SERVICE_KEEPS} )`);

/** The process of a dynamic provider has no way to give a line a severity. */
const severityOf = ({ severity, message }: { severity: string; message: string }): string =>
  severity === "info" && message.startsWith("warning: ") ? "warning" : severity;

/** The beginning of a message that repeats the severity and the resource. */
const WITHOUT_CONTENT = /^(?:error|warning|info): (?:\S+ resource '.*?' has a problem: )?/;

/** The secrets that the JSON contains if it was made with `--show-secrets`. */
function secretsOf({ config, steps }: Preview): Secrets {
  const secrets = new Secrets();
  const states = (steps ?? []).flatMap(({ oldState, newState }) => [oldState, newState]);
  const values = states.flatMap((state) => [state?.inputs, state?.outputs]);
  secrets.addFrom(config, ...values, ...values.flatMap(markedSecretsIn));
  return secrets;
}

/** A text that is still too long, as with a long title, up to a line: one that is cut could leave code or a link open. */
const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, text.lastIndexOf("\n", maxLength - 1)).trimEnd()}\n`;
