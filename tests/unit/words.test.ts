import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The folders and files whose names and text are checked. */
const CHECKED =
  "provider/src simulator/src testkit tests tools bench examples templates docs README.md CONTRIBUTING.md AGENTS.md SECURITY.md";

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

/** The words of a text, with camelCase names divided. */
const wordsOf = (text: string): readonly string[] =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase().replace(/s$/, ""));

/** The words of a line that have a plain word, and numbers of operations. The owner of this repository named the script. */
function findingsIn(text: string, place: string): readonly string[] {
  const line = text.replaceAll(/\bnpm run lanes\b/g, "");
  const numbers = line.match(/\boperations? [0-9]+\b/gi) ?? [];
  const words = wordsOf(line).filter((word) => Object.hasOwn(PLAIN_WORDS, word));
  return [
    ...words.map((word) => `${place}: write ${PLAIN_WORDS[word] ?? ""}, not ${word}`),
    ...numbers.map((word) => `${place}: write its name, as in updatePipe, not ${word}`),
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

const linesOf = (file: string): readonly { place: string; line: string }[] =>
  readFileSync(path.join(ROOT, file), "utf8")
    .split("\n")
    .map((line, index) => ({ place: `${file}:${index + 1}`, line }));

test("no file has a metaphor in its name or text", () => {
  const files = CHECKED.split(" ").flatMap(filesOf);
  expect(files.length).toBeGreaterThan(500);
  const findings = files.flatMap((file) => [
    ...findingsIn(file, file),
    ...linesOf(file).flatMap(({ line, place }) => findingsIn(line, place)),
  ]);
  expect(findings).toEqual([]);
  const found = ["const lifecycleDeed = 1;", "type SERVICE_LANES = 1;", "Operation 2 of the document"];
  expect(found.flatMap((line) => findingsIn(line, "x"))).toHaveLength(3);
});

/** What api/ has no business with: policies, other commands than its own requests, and the configuration. */
const ADVICE =
  /\b(deletionPolicy|replacementPolicy|adopt\w*|pulumi (up|refresh|config|destroy)|datapipes:\w+)/;

test("the API client names no policy, no adopt, no command and no key of the configuration", () => {
  const lines = filesOf("provider/src/api").flatMap(linesOf);
  expect(lines.length).toBeGreaterThan(1000);
  expect(lines.filter(({ line }) => ADVICE.test(line))).toEqual([]);
});
