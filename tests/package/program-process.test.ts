import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const ROOT = join(__dirname, "../..");
const DIST = join(ROOT, "provider/dist");

/** What a script prints in a process of its own; errors are printed, too. */
const printed = (script: string): string => {
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", cwd: ROOT });
  return stdout + stderr;
};

/** The packages that a process has loaded at its end, after requiring a file of the package or another one. */
function loadedBy(file: string): string[] {
  const text = printed(`
    process.on("exit", () => {
      const names = Object.keys(require.cache).flatMap((path) => path.split(/node_modules[\\\\/]/).slice(-1));
      console.log(JSON.stringify(names.filter((name) => !require("node:path").isAbsolute(name))));
    });
    require(${JSON.stringify(resolve(DIST, file))});
  `);
  const files = JSON.parse(text.trim().split("\n").at(-1) ?? "") as string[];
  return [...new Set(files.map((path) => path.split(/[\\/]/)[0] ?? ""))];
}

test("a program's process loads no zod, axios or commander", () => {
  const loaded = loadedBy("index.js");
  expect(loaded).toContain("@pulumi");
  expect(loaded.filter((name) => /^(zod|axios|commander)$/.test(name))).toEqual([]);
});

test("the plugin's process loads no axios before its first request", () => {
  expect(loadedBy("runtime.js")).not.toContain("axios");
});

test("the plugin's process loads axios, and not zod, when it checks a pipe and sends a request", () => {
  const program = join(__dirname, "programs/calls.cjs");
  const text = printed(`require(${JSON.stringify(program)})`);
  expect(text).toContain("name must be a string, got 5");
  expect(text).toContain("no response");
  const loaded = loadedBy(program);
  expect(loaded).toContain("axios");
  expect(loaded).not.toContain("zod");
});

test("the error for an unknown resource type names the version of the package", () => {
  expect(printed('require("pulumi-datapipes/runtime").handler("Unheard")')).toMatch(
    /pulumi-datapipes \d+\.\d+\.\d+ has no resource type "Unheard"/,
  );
});

interface Failures {
  readonly stacks: Readonly<Record<string, string>>;
  readonly isRestored: boolean;
  readonly formatted: number;
}

/** What `programs/failures.cjs` prints; with "1", Pulumi's SDK reports promises that leak. */
function failuresWith(leaks: "" | "1"): Failures {
  const env = { ...process.env, PULUMI_DEBUG_PROMISE_LEAKS: leaks };
  const program = join(__dirname, "programs/failures.cjs");
  return JSON.parse(spawnSync(process.execPath, [program], { encoding: "utf8", env }).stdout) as Failures;
}

const usual = failuresWith("");
const withReports = failuresWith("1");

test("each of 14 failures of a program has a stack that names a line of the program", () => {
  const stacks = Object.values(usual.stacks);
  expect(stacks).toHaveLength(14);
  expect(stacks.filter((stack) => !/at .*failures\.cjs:\d+/.test(stack))).toEqual([]);
});

test("each failure has the stack that it has if the SDK reports leaked promises", () => {
  expect(usual.stacks).toEqual(withReports.stacks);
});

test("the formatter of stacks is restored after the declarations", () => {
  expect(usual.isRestored).toBe(true);
  expect(withReports.isRestored).toBe(true);
});

test("a declaration formats one stack, and more if the SDK reports leaked promises", () => {
  expect(usual.formatted).toBe(1);
  expect(withReports.formatted).toBeGreaterThan(1);
});
