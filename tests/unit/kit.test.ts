import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = path.resolve(__dirname, "../kit");
const readme = readFileSync(path.join(folder, "README.md"), "utf8");

const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

const DECLARATION = /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm;
const LIST = /^export (?:type )?\{([^}]*)\}/gm;

function exportsOf(file: string): string[] {
  const text = readFileSync(path.join(folder, file), "utf8");
  const declared = [...text.matchAll(DECLARATION)].map(([, name = ""]) => name);
  const listed = [...text.matchAll(LIST)].flatMap(([, names = ""]) => names.match(/\w+/g) ?? []);
  return [...declared, ...listed];
}

const exportsByFile = new Map(sources.map((file) => [file, exportsOf(file)]));

const isExported = (name: string, files: readonly string[]): boolean =>
  files.some((file) => exportsByFile.get(`${file}.ts`)?.includes(name) === true);

test("the kit has at most 30 files", () => {
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.length).toBeLessThanOrEqual(30);
});

test("no two exports of the kit have one name", () => {
  const names = [...exportsByFile.values()].flat();
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  expect(repeated).toEqual([]);
});

test("the kit exports every name in the table of its README, from the files beside it", () => {
  const codeIn = (cell = ""): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code);
  const rows = [...readme.matchAll(/^\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
  const named = rows.flatMap(([, , names, files]) =>
    codeIn(names).map((name) => ({ name, files: codeIn(files) })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name, files }) => !isExported(name, files))).toEqual([]);
});

test("the kit exports what the samples of its README import", () => {
  const imports = [...readme.matchAll(/^import \{ (.*) \} from "[./]+\/kit\/([\w/-]+)";$/gm)];
  const imported = imports.flatMap(([, names = "", file = ""]) =>
    names.split(", ").map((name) => ({ name: name.replace(/^type /, ""), files: [file] })),
  );
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter(({ name, files }) => !isExported(name, files))).toEqual([]);
});
