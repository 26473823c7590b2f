import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

const CODE = ["provider/src", "simulator/src", "tests", "scripts", "bench", "examples", "templates"];
const TEXTS = ["docs", ".github", "README.md", "AGENTS.md"];
const CODE_OR_TEXT = /\.(ts|cts|mts|js|mjs|md|ya?ml|json)$/;
const GENERATED = /(^|[\\/])(node_modules|dist)[\\/]/;

/** Metaphors, and words that only this project used. */
const METAPHOR =
  /^(census|condemned|contender|deed|heed|journey|judge|lane|life|scene|spoiler|stage|stranger|twin|vacated)s?$/i;

/** The metaphors of a line, also inside of camelCase names, and numbers of operations in place of names such as updatePipe. */
function findingsIn(line: string): readonly string[] {
  const words = line.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const numbers = line.match(/\boperations? [0-9]+\b/gi) ?? [];
  return [...words.filter((word) => METAPHOR.test(word)), ...numbers];
}

/** The lines of a folder's files, or of a file, by place; this file is left out, because it lists the words. */
function linesOf(checked: string): readonly { place: string; line: string }[] {
  const isFile = statSync(path.join(ROOT, checked)).isFile();
  const found = isFile ? [""] : readdirSync(path.join(ROOT, checked), { recursive: true, encoding: "utf8" });
  return found
    .map((name) => path.join(checked, name))
    .filter((file) => CODE_OR_TEXT.test(file) && !GENERATED.test(file))
    .filter((file) => path.join(ROOT, file) !== __filename)
    .flatMap((file) =>
      [file, ...readFileSync(path.join(ROOT, file), "utf8").split("\n")].map((line, index) => ({
        place: `${file}:${index}`,
        line,
      })),
    );
}

test.each([...CODE, ...TEXTS])("%s has no metaphor in a name or text", (checked) => {
  const lines = linesOf(checked);
  expect(lines).not.toEqual([]);
  expect(lines.filter(({ line }) => findingsIn(line).length > 0)).toEqual([]);
});

test.each([
  ["a word", "the lane of it", ["lane"]],
  ["a part of a name", "const firstScenes = newTwin();", ["Scenes", "Twin"]],
  ["the number of an operation", "as operation 2 does", ["operation 2"]],
  ["no longer word", "landscape, alive", []],
])("finds %s", (_, line, words) => {
  expect(findingsIn(line)).toEqual(words);
});

/** What api/ has no business with: policies, other commands than its own requests, and the configuration. */
const ADVICE =
  /\b(deletionPolicy|replacementPolicy|adopt\w*|pulumi (up|refresh|config|destroy)|datapipes:\w+)/;

test("the API client names no policy, no adopt, no command and no key of the configuration", () => {
  const lines = linesOf("provider/src/api");
  expect(lines).not.toEqual([]);
  expect(lines.filter(({ line }) => ADVICE.test(line))).toEqual([]);
});
