import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const DIST = join(__dirname, "../../provider/dist");

beforeAll(() => {
  if (!existsSync(join(DIST, "index.js")))
    throw new Error("The provider is not built: run `npm run build` first.");
});

/** The packages that a fresh process has loaded after requiring a file of the package. */
function loadedBy(file: string): string[] {
  const script = `
    require(${JSON.stringify(join(DIST, file))});
    const names = Object.keys(require.cache).flatMap((path) => path.split(/node_modules[\\\\/]/).slice(-1));
    console.log(JSON.stringify(names.filter((name) => !require("node:path").isAbsolute(name))));
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const files = JSON.parse(stdout) as string[];
  return [...new Set(files.map((path) => path.split(/[\\/]/)[0] ?? ""))];
}

test("a program's process loads neither zod nor axios", () => {
  const loaded = loadedBy("index.js");
  expect(loaded).toContain("@pulumi");
  expect(
    loaded.filter((name) => /^(zod|axios|axios-retry|fastest-levenshtein|commander)$/.test(name)),
  ).toEqual([]);
});

test("the plugin's process loads axios when it first sends something, and zod at once", () => {
  const loaded = loadedBy("runtime.js");
  expect(loaded).toContain("zod");
  expect(loaded).not.toContain("axios");
  expect(loadedBy("api/client.js")).toEqual(expect.arrayContaining(["axios", "axios-retry"]));
});

test("the text in the state finds its handler by the name of the package", () => {
  const text = 'exports.handler = () => require("pulumi-datapipes/runtime").handler("Pipe");';
  const script = `${text} console.log(Object.keys(exports.handler()).sort().join())`;
  const root = join(DIST, "../..");
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", cwd: root });
  expect(stderr).toBe("");
  expect(stdout.trim()).toBe("check,configure,create,delete,diff,read,update");
});

test("the error for a resource of a newer version differs from that for a broken package", () => {
  const script = `require(${JSON.stringify(join(DIST, "runtime.js"))}).handler("Unheard")`;
  const { stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  expect(stderr).toMatch(/pulumi-datapipes \d+\.\d+\.\d+ has no resource type "Unheard"/);
});
