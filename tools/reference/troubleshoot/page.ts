import type { DatapipesErrorCode } from "../../../provider/src/messages/errors";
import { NEXT_STEPS, type Failure, type NextStep } from "../../../provider/src/messages/next-steps";
import { page, table, code } from "../markdown";
import { ANSWERS } from "./answers";
import { DOCTOR, IMPORT, SUMMARY } from "./commands";
import { CONNECTIONS } from "./connections";
import type { Entry } from "./entry";
import { FINDINGS } from "./findings";
import { ARGUMENTS, PROGRAMS, REPLACEMENTS, SETTINGS } from "./inputs";
import { DUPLICATES, KEPT, PROGRESS } from "./lines";
import type { Literal } from "./literals";
import { FIRST_STEPS } from "./pulumi";
import { MACHINE, OTHERS, SERVICE_SETTINGS } from "./services";

export const TROUBLESHOOT_PAGE = "docs/guides/troubleshoot.md";

/** An entry with the next steps that its messages end with. */
export interface Explained extends Entry {
  readonly steps: readonly Step[];
}

interface Step {
  /** The operations that the step is for; undefined if it is for all. */
  readonly when?: string;
  readonly text: string;
}

interface Section {
  readonly title: string;
  readonly intro: string;
  readonly entries: readonly Explained[];
}

/** What a next step is for, by its key in the table of next steps. */
const WHEN: Readonly<Record<string, string>> = {
  create: "for a create",
  update: "for an update",
  delete: "for a deletion",
  replacement: "for a replacement",
  other: "otherwise",
};

const explained = (entry: Entry, failure?: Failure | "connection-reset"): Explained => ({
  ...entry,
  steps: failure === undefined ? [] : stepsOf(failure),
});

/** A lost connection has the steps of a change that may have been made. */
function stepsOf(failure: Failure | "connection-reset"): readonly Step[] {
  if (failure === "connection-reset")
    return [
      ...stepsOf("perhaps-done").map((step) => ({
        when: "for a request that is safe to send twice",
        ...step,
      })),
      ...stepsOf("perhaps-done-once"),
    ];
  return stepsIn(NEXT_STEPS[failure]);
}

/** The sentences of a next step, each with what it is for. */
function stepsIn(step: NextStep, when?: string): readonly Step[] {
  if (typeof step === "string") return [{ ...(when !== undefined && { when }), text: step }];
  return Object.entries(step).flatMap(([key, inner]) =>
    stepsIn(inner, [when, WHEN[key] ?? `for ${code(key)}`].filter((part) => part !== undefined).join(", ")),
  );
}

const byFailure = (
  entries: Readonly<Partial<Record<Failure | "connection-reset", Entry>>>,
): readonly Explained[] =>
  Object.entries(entries).map(([failure, entry]) => explained(entry, failure as Failure));

const alone = (entries: readonly Entry[]): readonly Explained[] => entries.map((entry) => explained(entry));

/** All entries, in the order of the page. */
export const SECTIONS: readonly Section[] = [
  {
    title: "The API answered with an error",
    intro: "The status is in the message. The words after it are the server's own.",
    entries: byFailure(ANSWERS),
  },
  {
    title: "The API did not answer",
    intro: "No request was processed, unless the entry says that it may have been.",
    entries: byFailure(CONNECTIONS),
  },
  {
    title: "What the provider found out",
    intro: "These sentences follow the error of a request.",
    entries: byFailure(FINDINGS),
  },
  {
    title: "Replacements that are refused",
    intro: "The preview fails, and nothing was sent.",
    entries: alone(REPLACEMENTS),
  },
  {
    title: "Arguments of a resource",
    intro: "The preview fails, and nothing was sent. The message begins with the path of the field.",
    entries: alone(ARGUMENTS),
  },
  {
    title: "Settings of the provider",
    intro: "One error has all settings that are missing or wrong. Nothing was sent.",
    entries: alone(SETTINGS),
  },
  {
    title: "The program",
    intro: "The program, or a call of a function, fails before anything is sent.",
    entries: alone(PROGRAMS),
  },
  { title: "Lines while a run goes on", intro: "These are no errors.", entries: alone(PROGRESS) },
  {
    title: "Data that may be loaded twice",
    intro: "Warnings. The run ends well.",
    entries: alone(DUPLICATES),
  },
  {
    title: "What the provider does not change",
    intro: "Warnings and lines. The run ends well.",
    entries: alone(KEPT),
  },
  {
    title: "Settings of a service",
    intro: "Warnings of `ServiceSettings`.",
    entries: alone(SERVICE_SETTINGS),
  },
  { title: "Secrets and the machine", intro: "Warnings.", entries: alone(MACHINE) },
  { title: "datapipes import", intro: "Errors and lines of the command.", entries: alone(IMPORT) },
  { title: "datapipes summary", intro: "Errors of the command.", entries: alone(SUMMARY) },
  {
    title: "datapipes doctor",
    intro: "Each finding of the command ends with what mends it.",
    entries: alone(DOCTOR),
  },
  {
    title: "Errors of Pulumi and Node.js",
    intro: "Not of this package, but because of how it runs.",
    entries: alone(OTHERS),
  },
  {
    title: "Messages of Pulumi and npm",
    intro: "Not of this package. You meet them on the way to the first pipe, and in pipelines.",
    entries: alone(FIRST_STEPS),
  },
];

/** The entry of each code: where a program that catches an error continues to read. */
export const CODES: Readonly<Record<DatapipesErrorCode, readonly (Entry | string)[]>> = {
  configuration: ["Settings of the provider"],
  "invalid-argument": ["The program"],
  "bad-request": [ANSWERS["refused-with-reason"], ANSWERS["refused-without-reason"], ANSWERS[413]],
  unauthorized: [ANSWERS[401]],
  forbidden: [ANSWERS[403]],
  "not-found": [ANSWERS[404], FINDINGS["no-such-pipe"], FINDINGS["no-settings"]],
  "method-not-allowed": [ANSWERS[405]],
  conflict: [ANSWERS[409], ANSWERS["name-taken"], FINDINGS["several-pipes-of-name"]],
  "service-idle": [ANSWERS[424]],
  "rate-limited": [ANSWERS[429]],
  "server-error": [ANSWERS["server-error"], ANSWERS[501]],
  "unexpected-status": [ANSWERS["unexpected-status"], ANSWERS.redirect, ANSWERS[402], ANSWERS[407]],
  "invalid-response": [ANSWERS["invalid-response"]],
  connection: ["The API did not answer"],
  timeout: [
    CONNECTIONS["no-answer-in-time"],
    CONNECTIONS["not-reached-in-time"],
    FINDINGS["state-not-reached"],
    FINDINGS["custom-timeout-passed"],
  ],
};

/** Where GitHub links a heading. */
export type SlugOf = (title: string) => string;

/** The page. */
export const troubleshootPage = (slugOf: SlugOf): string =>
  page(
    "# Troubleshoot by the text of an error",
    "<!-- Made by `npm run reference` from tools/reference/troubleshoot and the next steps of the provider. Changes go there. -->",
    "Search this page for a few words of your message: words that name no pipe, field or id. In the texts below, `<name>` and the like stand for what differs.",
    "A message says what failed, on what, and why, and ends with one next step: that step is right in most cases. To check the whole set-up, run `npx datapipes doctor`. " +
      "If a run failed half-way, read [Recover from a failed run](failed-run.md).",
    SECTIONS.map(({ title }) => `- [${title}](#${slugOf(title)})`).join("\n"),
    ...SECTIONS.flatMap((section) => [
      `## ${section.title}`,
      section.intro,
      ...section.entries.map(entryText),
    ]),
    "## Codes, for programs",
    "Errors of the data functions are of the class `DatapipesError`, and have a `code`.",
    table(
      ["Code", "Entries"],
      Object.entries(CODES).map(([name, entries]) => [
        code(name),
        entries.map((entry) => linkTo(entry, slugOf)).join(", "),
      ]),
    ),
  );

function linkTo(target: Entry | string, slugOf: SlugOf): string {
  const title = typeof target === "string" ? target : target.title;
  return `[${title}](#${slugOf(title)})`;
}

const entryText = ({ title, texts, means, next, steps }: Explained): string =>
  [
    `### ${title}`,
    `\`\`\`text\n${texts.map((text) => text.trim()).join("\n")}\n\`\`\``,
    means,
    ...(steps.length === 0 ? [] : [stepText(steps)]),
    ...(next === undefined ? [] : [next]),
  ].join("\n\n");

const stepText = (steps: readonly Step[]): string =>
  steps.length === 1
    ? `**Next step:** ${escaped(steps[0]?.text ?? "")}`
    : `**Next step:**\n\n${steps.map(({ when = "", text }) => `- ${when}: ${escaped(text)}`).join("\n")}`;

/** A text where Markdown must not take a placeholder for a tag. */
const escaped = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "\\<")))
    .join("");

const all = SECTIONS.flatMap(({ entries }) => entries);

/** Those of the texts that no entry has. */
export const withoutEntry = (literals: readonly Literal[]): readonly Literal[] =>
  literals.filter(
    ({ parts, isMessage }) => isMessage && !all.some(({ texts }) => texts.some((text) => isIn(parts, text))),
  );

/** The shortest literal that shows that a text is one of the source, in characters. */
const MIN_LITERAL = 7;

/** Entries whose texts are words of Node.js, Pulumi and npm. */
const WORDS_OF_OTHERS: ReadonlySet<string> = new Set(
  [...OTHERS, ...FIRST_STEPS, ...Object.values(CONNECTIONS)].map(({ title }) => title),
);

/** Those of the entries' texts that the source does not have. */
export const withoutLiteral = (literals: readonly Literal[]): readonly string[] =>
  all
    .filter(({ title }) => !WORDS_OF_OTHERS.has(title))
    .flatMap(({ texts }) => texts)
    .filter(
      (text) => !literals.some(({ parts }) => parts.join("").length >= MIN_LITERAL && isIn(parts, text)),
    );

function isIn(parts: readonly string[], text: string): boolean {
  let position = 0;
  return parts.every((part) => {
    const found = text.indexOf(part, position);
    position = found + part.length;
    return found >= 0;
  });
}
