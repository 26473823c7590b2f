import { sortBy } from "es-toolkit/array";
import { Secrets } from "../../api/secrets/redaction";
import { printable, printableLines } from "../../messages/printable";
import { changesOf, isStack, type Action, type ResourceChange } from "./changes";
import { code } from "./markdown";
import { resourceCode } from "./own-types";
import { readPreview, type Preview, type Step } from "./preview";
import { markedSecretsIn } from "./secrets";

/** The options of `datapipes summary`. */
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

/** In the order of what a reviewer must not miss. */
const ACTIONS: Readonly<Record<Action, Words>> = {
  delete: { counted: "to delete", heading: "Delete" },
  replace: { counted: "to replace", heading: "Replace" },
  handOver: { counted: "to leave to another resource", heading: "Leave to another resource" },
  release: { counted: "to leave unmanaged", heading: "Leave unmanaged" },
  update: { counted: "to update", heading: "Update" },
  adopt: { counted: "to adopt", heading: "Adopt" },
  import: { counted: "to import", heading: "Import" },
  create: { counted: "to create", heading: "Create" },
};

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
  const blocks = [
    `### ${title === undefined ? titleOf(kind, steps) : printable(redact(title))}`,
    firstLine(changes, { kind, hasFailed: errors.length > 0 }),
    ...section("Errors", errors),
    ...section("Warnings", problemsOf(messages, "warning")),
    ...(kind === "refresh" ? section("Not compared", problemsOf(messages, "info", NOT_COMPARED)) : []),
    ...(Object.keys(ACTIONS) as Action[]).flatMap((action) =>
      section(
        wordsOf(action, kind).heading,
        // Pulumi's order depends on which request ended first.
        sortBy(ofAction(changes, action), ["resource"]).flatMap(linesOf),
      ),
    ),
  ];
  return shortened(printableLines(redact(`${blocks.join("\n\n")}\n`)), maxLength);
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
  const counts = (Object.keys(ACTIONS) as Action[]).flatMap((action) => {
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

const section = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`#### ${heading}`, lines.join("\n")];

const linesOf = ({ resource, details }: ResourceChange): readonly string[] => [
  `- ${resource}`,
  ...details.map((detail) => `  - ${detail}`),
];

/** What the provider logs of resources that the API has no operation to read. */
const NOT_COMPARED = /The refresh compared (?:nothing|none)/;

type Message = NonNullable<Preview["diagnostics"]>[number];

/** The messages of a severity, each as code: their words may come from a server. */
function problemsOf(messages: readonly Message[], severity: string, wanted = /(?:)/): readonly string[] {
  const urnsOf = new Map<string, Set<string>>();
  for (const each of messages) {
    if (severityOf(each) !== severity || !wanted.test(each.message)) continue;
    const words = each.message.replace(WITHOUT_CONTENT, "");
    const urns = urnsOf.get(words) ?? new Set();
    urnsOf.set(words, each.urn === undefined ? urns : urns.add(each.urn));
  }
  return [...urnsOf].map(
    ([words, urns]) =>
      `- ${urns.size === 0 ? "" : `${enumerated([...urns].map(resourceCode))}: `}${code(words)}`,
  );
}

/** A failed list of the pipes is an error of each of them. */
function enumerated(resources: readonly string[]): string {
  const shown = resources.slice(0, MAX_NAMED).join(", ");
  const others = resources.length - MAX_NAMED;
  return others > 0 ? `${shown} and ${others} more` : shown;
}

const MAX_NAMED = 3;

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

/** The text up to a length. Services refuse a comment that is too long. */
function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const note = "\n\n… The summary is too long for a comment: see the log of the job.\n";
  const kept = text.slice(0, Math.max(0, maxLength - note.length));
  // A line that is cut could leave code or a link open.
  const lines = kept.slice(0, Math.max(0, kept.lastIndexOf("\n")));
  return `${lines.replace(/(?:\n+#### [^\n]*)?\n*$/, "")}${note}`;
}
