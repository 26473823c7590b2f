import { readFileSync } from "node:fs";
import path from "node:path";
import { NEXT_STEPS, type NextStep } from "../../provider/src/next-steps";
import { ANSWERS } from "../../tools/reference/troubleshoot/answers";
import { CONNECTIONS } from "../../tools/reference/troubleshoot/connections";
import { fixedParts, isShownBy } from "../../tools/reference/troubleshoot/entry";
import { FINDINGS } from "../../tools/reference/troubleshoot/findings";
import { literalsOf, type Literal } from "../../tools/reference/troubleshoot/literals";
import {
  CODES,
  SECTIONS,
  TROUBLESHOOT_PAGE,
  withoutEntry,
  withoutLiteral,
} from "../../tools/reference/troubleshoot/page";

const repository = path.resolve(__dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(repository, file), "utf8");
const page = textOf(TROUBLESHOOT_PAGE);
const entries = SECTIONS.flatMap((section) => section.entries);

const sentencesOf = (step: NextStep): readonly string[] =>
  typeof step === "string" ? [step] : Object.values(step).flatMap(sentencesOf);

test("the page has an entry for every status, finding and connection problem, with its next steps", () => {
  const all = { ...ANSWERS, ...FINDINGS, ...CONNECTIONS };
  for (const [failure, step] of Object.entries(NEXT_STEPS)) {
    const { title } = all[failure as keyof typeof NEXT_STEPS];
    const shown = page.split(`\n### ${title}\n`)[1]?.split("\n### ")[0]?.replaceAll("\\<", "<");
    for (const text of sentencesOf(step)) expect(shown).toContain(text);
  }
  expect(page).toContain(`\n### ${CONNECTIONS["connection-reset"].title}\n`);
});

test("where an entry has several next steps, each one says what it is for", () => {
  for (const { title, steps } of entries.filter((entry) => entry.steps.length > 1))
    expect([title, steps.filter(({ when = "" }) => when === "")]).toEqual([title, []]);
});

test("the page has a place for every code of an error", () => {
  for (const [code, targets] of Object.entries(CODES)) {
    expect(page).toContain(`| \`${code}\``);
    for (const target of targets)
      expect(page).toContain(typeof target === "string" ? `\n## ${target}\n` : `\n### ${target.title}\n`);
  }
});

test.each([
  [
    "warning: Attempting to deploy or update resources with 1 pending operations from previous deployment.",
    "failed-run.md",
  ],
  ["  * urn:pulumi:dev::shop::t::orders, interrupted while creating", "failed-run.md"],
  ["error: getting secrets manager: incorrect passphrase", "PULUMI_CONFIG_PASSPHRASE"],
  [
    "error: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
    "empty",
  ],
  ["Error: No connection established. Last error: undefined", "datapipes doctor"],
  ["error: Missing required configuration variable 'shop:kafkaTopic'", "pulumi stack"],
  [
    "error: no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one",
    "pulumi stack select --create",
  ],
  ["error: stack 'organization/pipes/dev' already exists", "pulumi stack select"],
  ["error: no changes were expected for preview but changes were proposed", "drift.md"],
  ["    TSError: ⨯ Unable to compile TypeScript:", "npx tsc"],
  ["npm error 404 Not Found - GET https://registry.example.com/pulumi-datapipes", "get-started.md"],
])("the page has Pulumi's message %j", (message, answer) => {
  const found = entries.filter(({ texts }) => texts.some((text) => isShownBy(message, fixedParts(text))));
  expect(found.map(({ next }) => next)).toContainEqual(expect.stringContaining(answer));
});

test("the entry of a refused connection mentions the proxy of the environment", () => {
  expect(CONNECTIONS["connection-refused"].next).toContain("HTTPS_PROXY");
});

test("no two entries have one title", () => {
  const titles = [...SECTIONS, ...entries].map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

/** Every message of a real run that a page of this repository quotes. */
const messages = [
  ...new Set(
    textOf("docs/faults.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split(" | ")[2]?.trim() ?? "")
      .filter((message) => message !== "success only"),
  ),
];

test("every message of a real run under a fault is the text of an entry, and ends with one of its next steps", () => {
  expect(messages.length).toBeGreaterThan(100);
  const unmatched = messages.filter((message) => {
    const shown = message.replace(/^error: /, "").replace(/ \(and \d+ more\)$/, "");
    return !entries.some(
      ({ texts, steps }) =>
        texts.some((text) => isShownBy(shown, fixedParts(text))) &&
        (!message.startsWith("error: ") ||
          shown.endsWith("…") ||
          steps.some((step) => shown.endsWith(step.text))),
    );
  });
  expect(unmatched).toEqual([]);
});

test("finds the texts of the source: templates, concatenations, and texts inside of them", () => {
  const source = `
    const why = isLate ? "came far too late" : "no";
    throw new DatapipesError("conflict", \`pipe \${name} has gone \` + "away for good: " + why + \` (\${id}).\`);
    const short = "not found";
    ok("package", "all is well with it");
  `;
  const found = literalsOf("x.ts", source).filter(({ isMessage }) => isMessage);
  expect(found.map(({ place, parts }) => [place, parts])).toEqual([
    ["x.ts:2", ["came far too late"]],
    ["x.ts:3", ["pipe", "has gone away for good:", "(", ")."]],
  ]);
});

test("reports a message without an entry, and an entry whose message is gone", () => {
  const message: Literal = { place: "x.ts:1", parts: ["the pipe", "has gone away"], isMessage: true };
  expect(withoutEntry([message])).toEqual([message]);
  expect(withoutEntry([{ ...message, parts: ["Meanwhile, a pipe", "has appeared:"] }])).toEqual([]);
  expect(withoutLiteral([message])).toContain("Meanwhile, a pipe <name> has appeared: <id>.");
});

test("matches a cut message by its beginning only", () => {
  const parts = fixedParts("The pipe <name> has gone, and <other> stays.");
  expect(isShownBy('The pipe "a" has gone, and "b" stays.', parts)).toBe(true);
  expect(isShownBy('The pipe "a" has gone, and …', parts)).toBe(false);
  expect(isShownBy("The provider adopted n…", fixedParts("The provider adopted none."))).toBe(true);
  expect(isShownBy("The provider adopted n", fixedParts("The provider adopted none."))).toBe(false);
  expect(isShownBy("Another text…", parts)).toBe(false);
});
