import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const DIST = join(__dirname, "../../provider/dist");

/** The modules that a declaration file names, types inside it included. */
function modulesOf(text: string): string[] {
  const named = text.matchAll(
    /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*|types=)["']([^"']+)["']/g,
  );
  return [...named].map(([, name]) => name ?? "");
}

/** Every declaration file that is reachable from one, with the modules that it names. */
function reachable(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  if (!existsSync(file)) throw new Error(`${file} does not exist: run \`npm run build\` first.`);
  const modules = modulesOf(readFileSync(file, "utf8"));
  seen.set(file, modules);
  for (const name of modules.filter((module) => module.startsWith("."))) {
    const path = join(dirname(file), name.replace(/\.js$/, ""));
    const [found = `${path}.d.ts`] = [`${path}.d.ts`, join(path, "index.d.ts")].filter(existsSync);
    reachable(found, seen);
  }
  return seen;
}

test("the published types reach Pulumi's and nothing else's", () => {
  const files = reachable(join(DIST, "index.d.ts"));
  expect(files.size).toBeGreaterThan(4);
  const packages = [...files.values()].flat().filter((name) => !name.startsWith("."));
  expect([...new Set(packages)].filter((name) => !name.startsWith("@pulumi/pulumi"))).toEqual([]);
});

/** A file without its comments, which may say why these are not there. */
const code = (file: string): string => readFileSync(file, "utf8").replace(/\/\*[^]*?\*\/|\/\/.*$/gm, "");

test("no reachable declaration mentions zod or axios", () => {
  const speaking = [...reachable(join(DIST, "index.d.ts")).keys()].filter((file) =>
    /\b(zod|axios|AxiosError|Zod\w+)\b/i.test(code(file)),
  );
  expect(speaking).toEqual([]);
});

test("the search finds each forbidden import", () => {
  const text =
    'import { z } from "zod";\nexport declare const a: import("axios").AxiosError;\nexport * from "./b";';
  expect(modulesOf(text)).toEqual(["zod", "axios", "./b"]);
  expect([...reachable(join(DIST, "core/fields.d.ts")).values()].flat()).toContain("zod");
});
