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
  const modules = modulesOf(readFileSync(file, "utf8"));
  seen.set(file, modules);
  for (const name of modules.filter((module) => module.startsWith("."))) {
    const path = join(dirname(file), name.replace(/\.js$/, ""));
    const [found = `${path}.d.ts`] = [`${path}.d.ts`, join(path, "index.d.ts")].filter(existsSync);
    reachable(found, seen);
  }
  return seen;
}

const files = reachable(join(DIST, "index.d.ts"));

test("the published types reach Pulumi's and nothing else's", () => {
  expect(files.size).toBeGreaterThan(4);
  const packages = [...files.values()].flat().filter((name) => !name.startsWith("."));
  expect([...new Set(packages)].filter((name) => !name.startsWith("@pulumi/pulumi"))).toEqual([]);
});
