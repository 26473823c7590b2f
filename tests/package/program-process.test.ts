import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(__dirname, "../..");
const DIST = join(ROOT, "provider/dist");

/** What a script prints in a process of its own; errors are printed, too. */
const printed = (script: string, more: NodeJS.ProcessEnv = {}): string => {
  const place = { cwd: ROOT, env: { ...process.env, ...more } };
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", ...place });
  return stdout + stderr;
};

/** The packages that a process has loaded after requiring a file of the package. */
function loadedBy(file: string): string[] {
  const text = printed(`
    require(${JSON.stringify(join(DIST, file))});
    const names = Object.keys(require.cache).flatMap((path) => path.split(/node_modules[\\\\/]/).slice(-1));
    console.log(JSON.stringify(names.filter((name) => !require("node:path").isAbsolute(name))));
  `);
  const files = JSON.parse(text) as string[];
  return [...new Set(files.map((path) => path.split(/[\\/]/)[0] ?? ""))];
}

test("a program's process loads neither zod nor axios", () => {
  const loaded = loadedBy("index.js");
  expect(loaded).toContain("@pulumi");
  expect(loaded.filter((name) => /^(zod|axios|fastest-levenshtein|commander)$/.test(name))).toEqual([]);
});

test("the plugin's process loads axios when it first sends something, and zod at once", () => {
  const loaded = loadedBy("runtime.js");
  expect(loaded).toContain("zod");
  expect(loaded).not.toContain("axios");
  expect(loadedBy("api/client.js")).toEqual(expect.arrayContaining(["axios"]));
});

test("the error for a resource of a newer version differs from that for a broken package", () => {
  expect(printed('require("pulumi-datapipes/runtime").handler("Unheard")')).toMatch(
    /pulumi-datapipes \d+\.\d+\.\d+ has no resource type "Unheard"/,
  );
});

interface Failures {
  readonly stacks: Readonly<Record<string, string>>;
  readonly isRestored: boolean;
  readonly formatted: number;
}

/** Prints the stack of each of these failures, where ts-node formats stacks, and how many the constructor of a resource has formatted. */
const FAILURES = `
  require("ts-node").register({ skipProject: true, transpileOnly: true });
  const pulumi = require("@pulumi/pulumi");
  const { Pipe } = require("pulumi-datapipes");
  const pipe = (name, opts, more) => new Pipe(name, { source: { kafka: { brokers: "b:9092" } }, ...more }, opts);
  const fail = () => { throw new Error("no"); };
  const declareIn = (transformation) => pipe("a", { transformations: [transformation] });
  const ways = {
    "no name": () => pipe(""),
    "a parent that is no resource": () => pipe("a", { parent: {} }),
    "an argument that throws": () => pipe("a", {}, { get name() { return fail(); } }),
    "a property that the class has": () => pipe("a", {}, { __name: "b" }),
    "a rejected argument": () => pipe("a", {}, { name: Promise.reject(new Error("no")) }),
    "a transformation that throws": () => declareIn(fail),
    "a transformation that declares": () => declareIn(() => pipe("")),
    "a transformation that moves": () => declareIn(({ props }) => ({ props, opts: { parent: pipe("b") } })),
    "a transformation that reads a stack": () => { let read; declareIn(() => { read = new Error("read").stack; }); throw { stack: read }; },
    "a child of a component": () => new (class Group extends pulumi.ComponentResource { child = pipe("", { parent: this }); })("t:t:T", "g"),
    "a registration that the engine refuses": () => pipe("refused"),
    "a read that the engine refuses": () => Pipe.get("refused", "id"),
    "a callback of an output": () => pipe("a").urn.apply(fail),
    "an error after the declaration": () => { pipe("a"); fail(); },
  };
  const { prepareStackTrace } = Error;
  let formatted = 0;
  (async () => {
    await pulumi.runtime.setMocks({ newResource: ({ name, id }) => (name === "refused" ? fail() : { id, state: {} }), call: fail });
    const stacks = {};
    let handle;
    process.on("unhandledRejection", (error) => handle(error));
    for (const [name, way] of Object.entries(ways)) {
      const failed = new Promise((resolve) => { handle = resolve; });
      try { way(); stacks[name] = (await failed).stack; } catch ({ stack }) { stacks[name] = stack; }
      await new Promise(setImmediate);
    }
    const isRestored = Error.prepareStackTrace === prepareStackTrace;
    Error.prepareStackTrace = (...all) => { formatted += 1; return prepareStackTrace(...all); };
    pipe("counted");
    console.log(JSON.stringify({ stacks, isRestored, formatted }));
    // With this code, the SDK does not report the promises of these failures.
    process.exit(3);
  })();
`;

test("a program that fails has the whole stack, also where promise leaks are not reported", () => {
  const failuresWith = (leaks: string) =>
    JSON.parse(printed(FAILURES, { PULUMI_DEBUG_PROMISE_LEAKS: leaks })) as Failures;
  const usual = failuresWith("");
  const ofLeaks = failuresWith("1");
  const withoutLine = Object.entries(usual.stacks).filter(([, stack]) => !/at .*\[eval\]:\d+/.test(stack));
  expect(withoutLine).toEqual([]);
  expect(usual.stacks).toEqual(ofLeaks.stacks);
  expect(usual).toMatchObject({ isRestored: true, formatted: 1 });
  expect(ofLeaks.isRestored).toBe(true);
  expect(ofLeaks.formatted).toBeGreaterThan(30);
});
