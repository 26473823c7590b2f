import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The folders and files whose names and text are checked. */
const CHECKED = [
  "provider/src",
  "simulator/src",
  "testkit",
  "tests",
  "tools",
  "bench",
  "examples",
  "templates",
  "docs",
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "SECURITY.md",
];

const ROOT = path.join(__dirname, "../..");

/** Metaphors, and words that only this project used, with the plain word for each. */
const PLAIN_WORDS: Readonly<Record<string, string>> = {
  census: "known pipes",
  condemned: "pending delete",
  contender: "variant",
  deed: "action",
  heed: "follow",
  journey: "attempts",
  judge: "check",
  lane: "queue",
  life: "run",
  scene: "scenario",
  spoiler: "tampering",
  stage: "scenario",
  stranger: "unmanaged",
  twin: "duplicate",
  vacated: "pending replacement",
};

const CODE_OR_TEXT = /\.(ts|cts|mts|js|mjs|md|ya?ml|json)$/;
const GENERATED = /(^|[\\/])(node_modules|dist)[\\/]/;

interface Finding {
  readonly place: string;
  readonly word: string;
  readonly instead: string;
}

/** The words of a text, with camelCase names divided. */
const wordsOf = (text: string): readonly string[] =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

const singular = (word: string): string => word.replace(/s$/, "");

/** A script that the owner of this repository named. */
const GIVEN_NAMES = /\bnpm run lanes\b/g;

/** The words of a line that have a plain word, and numbers of operations. */
function findingsIn(text: string, place: string): readonly Finding[] {
  const line = text.replaceAll(GIVEN_NAMES, "");
  const numbers = line.match(/\boperations? [0-9]+\b/gi) ?? [];
  const words = wordsOf(line).filter((word) => Object.hasOwn(PLAIN_WORDS, singular(word)));
  return [
    ...words.map((word) => ({ place, word, instead: PLAIN_WORDS[singular(word)] ?? "" })),
    ...numbers.map((word) => ({ place, word, instead: "its name, as in updatePipe" })),
  ];
}

/** The files of a folder, or the file itself; this file is left out, because it lists the words. */
function filesOf(checked: string): readonly string[] {
  if (statSync(path.join(ROOT, checked)).isFile()) return [checked];
  return readdirSync(path.join(ROOT, checked), { recursive: true, encoding: "utf8" })
    .map((file) => path.join(checked, file))
    .filter((file) => CODE_OR_TEXT.test(file) && !GENERATED.test(file))
    .filter((file) => path.join(ROOT, file) !== __filename);
}

test.each(CHECKED)("%s has no metaphor in a file's name or text", (checked) => {
  const files = filesOf(checked);
  const findings = files.flatMap((file) => [
    ...findingsIn(file, file),
    ...readFileSync(path.join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) => findingsIn(line, `${file}:${index + 1}`)),
  ]);
  expect(findings.map(({ place, word, instead }) => `${place}: write ${instead}, not ${word}`)).toEqual([]);
  expect(files).not.toEqual([]);
});

/** What api/ has no business with: policies, other commands than its own requests, and the configuration. */
const ADVICE =
  /\b(deletionPolicy|replacementPolicy|adopt\w*|pulumi (up|refresh|config|destroy)|datapipes:\w+)/;

test("the API client names no policy, no adopt, no command and no key of the configuration", () => {
  const files = filesOf("provider/src/api");
  const findings = files.flatMap((file) =>
    readFileSync(path.join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (ADVICE.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(findings).toEqual([]);
  expect(files).not.toEqual([]);
});

test.each([
  ["const lifecycleDeed = 1;", "deed"],
  ["/** What strangers have. */", "strangers"],
  ["tests/laws/pipe-judge.ts", "judge"],
  ["type SERVICE_LANE = 1;", "lane"],
  ["Operation 2 of the API document", "Operation 2"],
])("finds the word in %j", (line, word) => {
  expect(findingsIn(line, "here").map((finding) => finding.word)).toEqual([word]);
});

test.each(["npm run lanes", "indeed, needed by the planes", "1 operation of 20", "lifecycle"])(
  "finds no word in %j",
  (line) => {
    expect(findingsIn(line, "here")).toEqual([]);
  },
);
