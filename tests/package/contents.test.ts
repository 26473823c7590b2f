import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { names, output, pack, packages, repository, type PackageName } from "./packed";

let published: Awaited<ReturnType<typeof pack>>;

beforeAll(async () => {
  published = await pack();
});

afterAll(() => published.remove());

const packedAs = (name: PackageName) => {
  const found = published.packed.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`${name} was not packed`);
  return found;
};

const manifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(repository, folder, "package.json"), "utf8")) as {
    scripts?: Record<string, string>;
    license?: string;
  };

// A new file is taken into the list by `npx jest --selectProjects package -u`, and looked at in the review. One that is
// in dist/ and has no source any more goes away by `npm run clean && npm run build` after dist/ was removed.
test.each(names)("%s contains what its list says", (name) => {
  expect(packedAs(name).contents.join("\n")).toMatchSnapshot();
});

test.each(names)("%s contains nothing that was not built for its users", (name) => {
  const { contents } = packedAs(name);
  expect(contents).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
  expect(contents.filter((file) => /\.map$|\.tsbuildinfo|test|\.env|\.npmrc/.test(file))).toEqual([]);
  const texts = readdirSync(path.join(repository, packages[name], "dist"), {
    recursive: true,
    encoding: "utf8",
  })
    .filter((file) => /\.(js|d\.ts)$/.test(file))
    .map((file) => readFileSync(path.join(repository, packages[name], "dist", file), "utf8"));
  expect(texts.filter((text) => text.includes("sourceMappingURL") || text.includes(repository))).toEqual([]);
});

test.each(names)(
  "%s runs nothing when it is installed, and is under the licence of the repository",
  (name) => {
    const { scripts = {}, license } = manifest(packages[name]);
    const onInstall = /^(pre|post)?(install|prepare|pack|publish|uninstall)|prepublishOnly|dependencies/;
    expect(Object.keys(scripts).filter((script) => onInstall.test(script))).toEqual([]);
    expect(license).toBe(manifest(".").license);
  },
);

const bin = (name: string): string => path.join(repository, "node_modules/.bin", name);

test.each(names)(
  "%s is packed by the rules of npm, and its types resolve for every kind of module",
  async (name) => {
    const { tarball } = packedAs(name);
    await output(bin("publint"), ["run", tarball, "--strict"], repository);
    // TypeScript's oldest resolution knows no `exports`; the document of the API is no module.
    const exceptions = ["--profile", "node16", "--exclude-entrypoints", "./openapi.yaml"];
    await output(bin("attw"), [tarball, ...exceptions], repository);
  },
);
