import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const DIST = join(__dirname, "../../provider/dist");

/** Every declaration file that is reachable from one, with the modules that it names, types inside it included. */
function reachable(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(readFileSync(file, "utf8"));
  const modules = [...importedFiles, ...typeReferenceDirectives].map(({ fileName }) => fileName);
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
