import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  names,
  output,
  pack,
  packages,
  repository,
  type PackageName,
  type PackedPackage,
} from "../kit/tarballs";

let packed: readonly PackedPackage[];

beforeAll(async () => {
  packed = await pack();
});

const TOOL = ["scripts/tool.mjs", "tools"];

const packedAs = (name: PackageName) => packed.find((candidate) => candidate.name === name);

const manifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(repository, folder, "package.json"), "utf8")) as {
    scripts?: Record<string, string>;
    license?: string;
  };

/** What each package contains beside its compiled sources. */
const besides: Record<PackageName, string[]> = {
  "pulumi-datapipes": ["LICENSE", "README.md", "bin/datapipes.js (executable)", "package.json"],
  "pulumi-datapipes-simulator": [
    "LICENSE",
    "README.md",
    "bin/datapipes-simulator.js (executable)",
    "openapi.yaml",
    "package.json",
    "ui/icon.svg",
    "ui/index.html",
    "ui/main.js",
    "ui/style.css",
  ],
};

/** What the compiler makes of the sources of a package. */
function compiled(name: PackageName): string[] {
  const sources = path.join(repository, packages[name], "src");
  return readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.posix.join("dist", file.replaceAll(path.sep, "/").replace(/\.ts$/, "")))
    .flatMap((file) => [`${file}.d.ts`, `${file}.js`]);
}

// The output of a deleted source file stays in dist/ until that folder is removed.
test.each(names)("%s contains its compiled sources, and beside them only the listed files", (name) => {
  expect(packedAs(name)?.contents).toEqual([...besides[name], ...compiled(name)].sort());
});

test.each(names)("%s has no trace of the machine that built it", (name) => {
  const dist = path.join(repository, packages[name], "dist");
  const traced = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(js|d\.ts)$/.test(file))
    .filter((file) => {
      const text = readFileSync(path.join(dist, file), "utf8");
      return text.includes("sourceMappingURL") || text.includes(repository);
    });
  expect(traced).toEqual([]);
});

/** What npm runs by itself. */
const LIFECYCLE = ["install", "uninstall", "prepare", "pack", "publish"]
  .flatMap((name) => [`pre${name}`, name, `post${name}`])
  .concat("prepublishOnly", "dependencies");

test.each(names)("%s runs nothing when it is installed", (name) => {
  const { scripts = {} } = manifest(packages[name]);
  expect(Object.keys(scripts).filter((script) => LIFECYCLE.includes(script))).toEqual([]);
});

test.each(names)("%s has the license of the repository", (name) => {
  expect(manifest(packages[name]).license).toBe("Apache-2.0");
});

test.each(names)("%s follows npm's rules", async (name) => {
  const { tarball = "" } = packedAs(name) ?? {};
  await output(process.execPath, [...TOOL, "publint", "run", tarball, "--strict"], repository);
});

test.each(names)("the types of %s resolve for every kind of module", async (name) => {
  const { tarball = "" } = packedAs(name) ?? {};
  // TypeScript's oldest resolution knows no `exports`; the document of the API is no module.
  const exceptions = ["--profile", "node16", "--exclude-entrypoints", "./openapi.yaml"];
  await output(process.execPath, [...TOOL, "attw", tarball, ...exceptions], repository);
});
