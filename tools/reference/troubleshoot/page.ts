import { NEXT_STEPS, type NextStep } from "../../../provider/src/messages/next-steps";
import { code, plain, refilled } from "../markdown";
import { textOf } from "../../made-files";
import { messageLiterals, type Literal } from "./literals";

export const TROUBLESHOOT_PAGE = "docs/guides/troubleshoot.md";

/** What the page says of some messages. */
export interface Entry {
  /** The messages, or what is always the same in them, with a placeholder such as `<name>` for each part that differs. */
  readonly texts: readonly string[];
  /** The next steps with which they end. */
  readonly steps: readonly string[];
  readonly body: string;
}

/** Sections of messages that Node.js, Pulumi and npm write. */
const OF_OTHERS = [
  "The API did not answer",
  "Errors of Pulumi and Node.js",
  "Messages of Pulumi and npm",
] as const;

/** The entries of a page, or of a part of it. */
export const entriesOf = (page: string): readonly Entry[] =>
  page
    .split(/^#### /m)
    .slice(1)
    .map((body) => ({
      texts: /```text\n([^]*?)\n```/.exec(body)?.[1]?.split("\n") ?? [],
      steps: [...body.matchAll(/^(?:\*\*Next step:\*\*|- .*?:) (.+)$/gm)].map(([, step = ""]) =>
        step.replaceAll("\\<", "<"),
      ),
      body,
    }));

/** What a next step is for, by its key in the table of next steps. */
const WHEN: Readonly<Record<string, string>> = {
  create: "for a create",
  update: "for an update",
  delete: "for a deletion",
  replacement: "for a replacement",
  other: "otherwise",
};

interface Step {
  /** The operations that the step is for; undefined if it is for all. */
  readonly when?: string;
  readonly text: string;
}

/** The sentences of a next step, each with what it is for. */
function stepsIn(step: NextStep, when?: string): readonly Step[] {
  if (typeof step === "string") return [{ ...(when !== undefined && { when }), text: step }];
  return Object.entries(step).flatMap(([key, inner]) =>
    stepsIn(inner, [when, WHEN[key] ?? `for ${code(key)}`].filter((part) => part !== undefined).join(", ")),
  );
}

const stepText = (steps: readonly Step[]): string =>
  steps.length === 1
    ? `**Next step:** ${plain(steps[0]?.text ?? "")}`
    : `**Next step:**\n\n${steps.map(({ when = "", text }) => `- ${when}: ${plain(text)}`).join("\n")}`;

/** The next steps of the provider, by the names of the blocks of the page. */
const blocks: ReadonlyMap<string, string> = new Map([
  ...Object.entries(NEXT_STEPS).map(([name, step]) => [name, stepText(stepsIn(step))] as const),
  // A lost connection has the steps of a change that may have been made.
  [
    "connection-reset",
    stepText([
      { when: "for a request that is safe to send twice", text: NEXT_STEPS["perhaps-done"] },
      ...stepsIn(NEXT_STEPS["perhaps-done-once"]),
    ]),
  ],
]);

/** The page with the next steps of the provider. Stops where it lacks one, an error code or a message, or has one that is gone. */
export async function troubleshootPage(repository: string): Promise<string> {
  const page = refilled(await textOf(TROUBLESHOOT_PAGE), blocks);
  const literals = await messageLiterals(repository);
  const defects = [
    ...[...blocks.keys()].filter((name) => !page.includes(`<!-- generated: ${name} -->`)),
    ...(await errorCodes()).filter((name) => !page.includes(`\n| ${code(name)} `)),
    ...withoutEntry(literals, page).map(({ place, parts }) => `${place}: ${parts.join(" … ")}`),
  ].map((what) => `lacks ${what}`);
  const stale = withoutLiteral(literals, page).map((text) => `not in the source any more: ${text}`);
  if (defects.length + stale.length > 0)
    throw new Error([`Bring ${TROUBLESHOOT_PAGE} up to date:`, ...defects, ...stale].join("\n  "));
  return page;
}

async function errorCodes(): Promise<readonly string[]> {
  const errors = await textOf("provider/src/messages/errors.ts");
  const [, codes = ""] = /type DatapipesErrorCode =([^;]*);/.exec(errors) ?? [];
  return [...codes.matchAll(/"(.*)"/g)].map(([, name = ""]) => name);
}

/** Those of the texts that no entry has. */
function withoutEntry(literals: readonly Literal[], page: string): readonly Literal[] {
  const texts = entriesOf(page).flatMap((entry) => entry.texts);
  return literals.filter(({ parts, isMessage }) => isMessage && !texts.some((text) => isIn(parts, text)));
}

/** The shortest literal that shows that a text is one of the source, in characters. */
const MIN_LITERAL = 7;

/** Those of the entries' texts that the source does not have. */
function withoutLiteral(literals: readonly Literal[], page: string): readonly string[] {
  const sections = page.split(/^### /m).filter((text) => !OF_OTHERS.some((title) => text.startsWith(title)));
  const long = literals.filter(({ parts }) => parts.join("").length >= MIN_LITERAL);
  const texts = sections.flatMap(entriesOf).flatMap((entry) => entry.texts);
  return texts.filter((text) => !long.some(({ parts }) => isIn(parts, text)));
}

function isIn(parts: readonly string[], text: string): boolean {
  let position = 0;
  return parts.every((part) => {
    const found = text.indexOf(part, position);
    position = found + part.length;
    return found >= 0;
  });
}

const PLACEHOLDER = /<[^<>]*>/;
const END = /^[\s.,:;()]+|[\s.,:;()]+$/g;

/** The parts of a text that are always the same. */
const fixedParts = (text: string): readonly string[] =>
  text
    .split(PLACEHOLDER)
    .map((part) => part.replace(END, ""))
    .filter((part) => part !== "");

/** How many characters of a part a cut message must have. */
const MIN_CUT = 12;

/** Whether a message contains the fixed parts of a text in their order. A message that ends with `…` may lack the last ones. */
export function isShownBy(message: string, text: string): boolean {
  const isCut = message.endsWith("…");
  const shown = isCut ? message.slice(0, -1) : message;
  let position = 0;
  for (const part of fixedParts(text)) {
    const found = shown.indexOf(part, position);
    if (found < 0) return isCut && endsWithin(shown, part);
    position = found + part.length;
  }
  return true;
}

/** Whether a text ends in the middle of a part. */
function endsWithin(text: string, part: string): boolean {
  for (let length = Math.min(part.length, text.length); length >= MIN_CUT; length -= 1)
    if (text.endsWith(part.slice(0, length))) return true;
  return false;
}
