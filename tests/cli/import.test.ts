import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { canary, leaks } from "../../testkit/canary";
import { runDatapipes, type Run } from "../../testkit/cli";
import { complete, snakeCase, type JsonObject } from "../../testkit/pipes";
import { listReads, newSimulator, takeWrites, type SeedPipe, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";
import { onEnd } from "../../testkit/started";

const services = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"] as const;
const importing = ["import", "--file", "import.json", "--generate-code=false", "--yes"];
const password = canary("password");
const accountKey = canary("account-key").replaceAll(/[;=]/g, "");

/** A pipe as the API stores it. */
function seed(name: string, { settings = {}, ...pipe }: JsonObject): SeedPipe {
  const stored = Object.entries(settings as JsonObject).map(([key, value]) => [snakeCase(key), value]);
  return { ...pipe, name, settings: Object.fromEntries(stored) as object } as unknown as SeedPipe;
}

const destination = { database: "shop", table: "events" };

const HARD_NAMES = [
  "class",
  "__proto__",
  "config",
  'a "b" */ `${c}` \\',
  "🚀",
  "注文",
  "orders-kafka",
  "24 h",
];

/** Pipes whose secrets are canaries. */
const secretPipes: readonly SeedPipe[] = [
  seed("replica", {
    destination,
    source: { postgres: { host: "db.example", credentials: { username: "reader", password } } },
  }),
  seed("files", {
    destination,
    source: {
      objectStorage: { url: "https://x.example/*", connectionString: `AccountKey=${accountKey}` },
    },
  }),
];

async function withPipes(...pipes: readonly SeedPipe[]): Promise<{ simulator: Simulator; stack: TestStack }> {
  const simulator = await newSimulator();
  simulator.control.seedPipes(pipes);
  return { simulator, stack: await newStack({ simulator, language: "typescript" }) };
}

interface Result {
  files: string[];
  pipes: { id: string; name: string; serviceId: string; variable: string }[];
  skipped: { id: string; name: string; serviceId: string; reason: string }[];
  commands: string[];
}

const resultOf = ({ stdout }: Run): Result => JSON.parse(stdout) as Result;

const read = (folder: string, file: string): Promise<string> => readFile(path.join(folder, file), "utf8");

/** An empty folder without a project, and the command in it with its configuration from the environment. */
async function folderOf(simulator: Simulator) {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-cli-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = simulator.account;
  const env = {
    ...process.env,
    DATAPIPES_BASE_URL: simulator.url,
    DATAPIPES_API_KEY_ID: apiKeyId,
    DATAPIPES_API_KEY_SECRET: apiKeySecret,
    DATAPIPES_ORGANIZATION_ID: organizationId,
    DATAPIPES_SERVICE_ID: serviceIds[0],
  };
  const importPipes = (...args: readonly string[]): Promise<Run> =>
    runDatapipes(["import", ...args], { cwd: folder, env });
  return { folder, importPipes, files: () => readdir(folder) };
}

test("imports pipes of four kinds in two services without a change; an edit is one PATCH of that field", async () => {
  const account = { ...(await newSimulator()).account, serviceIds: [...services] };
  const simulator = await newSimulator({ accounts: [account] });
  const [first, second] = services;
  for (const [kind, pipe] of Object.entries(complete)) {
    simulator.control.seedPipes([seed(`orders ${kind}`, pipe)], first);
    simulator.control.seedPipes([seed(`orders ${kind}`, pipe)], second);
  }
  for (const name of HARD_NAMES) simulator.control.seedPipes([seed(name, complete.kinesis)], first);
  const stack = await newStack({ simulator, language: "typescript" });
  const run = await stack.datapipes(["import", "--service", first, "--service", second, "--force", "--json"]);
  const { pipes, skipped, files, commands } = resultOf(run);
  expect(files).toEqual(["index.ts", "import.json"]);
  expect(skipped).toEqual([]);
  expect(new Set(pipes.map(({ variable }) => variable)).size).toBe(8 + HARD_NAMES.length);
  expect(commands).toEqual([`pulumi ${importing.join(" ")}`, "pulumi preview --expect-no-changes"]);
  expect(listReads(simulator)).toHaveLength(2);

  await stack.pulumi(importing);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);

  const program = await read(stack.project, "index.ts");
  await stack.write(program.replace("dbmsMaxThreads: 6", "dbmsMaxThreads: 7"));
  await stack.up();
  const { method, body } = takeWrites(simulator)[0] ?? {};
  expect([method, body]).toEqual(["PATCH", { settings: { dbms_max_threads: 7 } }]);
});

test("adopts without a request that changes anything", async () => {
  const { simulator, stack } = await withPipes(
    seed("orders", complete.kafka),
    seed("copy", complete.postgres),
  );
  const run = await stack.datapipes(["import", "--mode", "adopt", "--force"]);
  expect(run.stdout).toContain("Wrote index.ts: 2 pipes.");
  await expect(read(stack.project, "import.json")).rejects.toThrow("ENOENT");
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  await stack.preview({ expectNoChanges: true });
});

test("declares credentials of the configuration, and the first update sends them alone", async () => {
  const { simulator, stack } = await withPipes(...secretPipes);
  const run = await stack.datapipes(["import", "--with-credentials", "--force", "--json"]);
  const keys = ["filesConnectionString", "replicaPassword", "replicaUsername"];
  const { commands } = resultOf(run);
  expect(commands.filter((command) => command.includes("--secret")).sort()).toEqual(
    keys.map((key) => `pulumi config set --secret ${key}`),
  );
  await stack.pulumi(importing);
  for (const key of keys) await stack.pulumi(["config", "set", "--secret", key, `new-${key}`]);
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toContain("~ 2 to update");
  await stack.up();
  const bodies = takeWrites(simulator).map(({ body }) => JSON.stringify(body));
  expect(bodies.sort()).toEqual([
    '{"source":{"objectStorage":{"connectionString":"new-filesConnectionString"}}}',
    '{"source":{"postgres":{"credentials":{"password":"new-replicaPassword","username":"new-replicaUsername"}}}}',
  ]);
  await stack.preview({ expectNoChanges: true });
});

test("keeps every secret out of files, output and state", async () => {
  const { stack } = await withPipes(...secretPipes);
  const run = await stack.datapipes(["import", "--force"]);
  const imported = await stack.pulumi(importing);
  const refreshed = await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  const texts = {
    run: run.output,
    imported: imported.output,
    refreshed: refreshed.output,
    program: await read(stack.project, "index.ts"),
    entries: await read(stack.project, "import.json"),
    state: await stack.storedText(),
  };
  expect(leaks(texts, [password, accountKey])).toEqual([]);
});

test("skips a pipe of an unknown kind, and leaves out a value that the program cannot declare", async () => {
  const simulator = await newSimulator();
  const [unknown, mistyped] = simulator.control.seedPipes([
    seed("unknown", complete.kafka),
    seed("mistyped", complete.kinesis),
  ]);
  simulator.control.editPipe(unknown?.id ?? "", { source: { kafka: null, pulsar: { url: "x" } } });
  simulator.control.editPipe(mistyped?.id ?? "", { source: { kinesis: { timestamp: "yesterday" } } });
  const { folder, importPipes } = await folderOf(simulator);
  const run = await importPipes("--json");
  expect(run.code).toBe(0);
  expect(resultOf(run).skipped).toEqual([
    expect.objectContaining({
      id: unknown?.id,
      reason: "this version does not know its kind of source: pulsar",
    }),
  ]);
  expect(run.stderr).toContain('Skipped pipe "unknown"');
  expect(run.stderr).toMatch(/warning: pipe "mistyped" .*source\.kinesis\.timestamp/);
  const program = await read(folder, "index.ts");
  expect(program).toContain("// Not declared: source.kinesis.timestamp");
  expect(program).not.toContain("timestamp:");
});

test("writes nothing for an empty service", async () => {
  const { importPipes, files } = await folderOf(await newSimulator());
  const run = await importPipes("--json");
  expect([run.code, resultOf(run)]).toEqual([0, { files: [], pipes: [], skipped: [], commands: [] }]);
  expect(run.stderr).toContain("no file was written");
  expect(await files()).toEqual([]);
});

test("keeps existing files without --force", async () => {
  const simulator = await newSimulator();
  simulator.control.seedPipes([seed("orders", complete.kafka)]);
  const { folder, importPipes, files } = await folderOf(simulator);
  await writeFile(path.join(folder, "import.json"), "mine");
  const run = await importPipes();
  expect([run.code, run.stdout, await files()]).toEqual([1, "", ["import.json"]]);
  expect(run.stderr).toContain("import.json already exists");
  expect(await read(folder, "import.json")).toBe("mine");
  expect((await importPipes("--force")).code).toBe(0);
  expect((await files()).sort()).toEqual(["import.json", "index.ts"]);
});

describe("exit codes and what is written", () => {
  const cases: [what: string, args: readonly string[], code: number, line: string][] = [
    ["an unknown service", ["--service", services[0]], 1, "404"],
    ["a malformed service", ["--service", "orders"], 2, "It must be a UUID"],
    ["an unknown option", ["--servce", services[0]], 2, "unknown option '--servce'"],
    ["an unknown mode", ["--mode", "move"], 2, "Allowed choices are import, adopt"],
    ["a pattern without a match", ["--only", "x*"], 1, 'matches "x*"'],
    ["a folder that is a file", ["--out", "file"], 1, "could not be written"],
    ["a stack that does not exist", ["--stack", "none"], 1, 'stack "none"'],
  ];

  test.each(cases)("%s", async (_, args, code, line) => {
    const simulator = await newSimulator();
    simulator.control.seedPipes([seed("orders", complete.kafka)]);
    const { folder, importPipes, files } = await folderOf(simulator);
    await writeFile(path.join(folder, "file"), "");
    const run = await importPipes(...args);
    expect([run.code, run.stdout, await files()]).toEqual([code, "", ["file"]]);
    expect(run.stderr).toContain(line);
  });
});

test("selects pipes by name, pattern and id, with the names that they have among all", async () => {
  const simulator = await newSimulator();
  const [first, second, third] = simulator.control.seedPipes(
    ["orders", "orders", "returns"].map((name) => seed(name, complete.kafka)),
  );
  const { importPipes } = await folderOf(simulator);
  const all = resultOf(await importPipes("--json"));
  const some = resultOf(
    await importPipes("--json", "--force", "--only", second?.id.toUpperCase() ?? "", "--only", "ret*"),
  );
  expect(some.pipes.map(({ id }) => id).sort()).toEqual([second?.id, third?.id].sort());
  expect(all.pipes.filter(({ id }) => id !== first?.id)).toEqual(some.pipes);
});

test("writes 2,000 pipes from one list, and shows its progress", async () => {
  const simulator = await newSimulator();
  const pipes = Array.from({ length: 2000 }, (_, index) => seed(`orders ${index}`, complete.kafka));
  simulator.control.seedPipes(pipes);
  const { folder, importPipes } = await folderOf(simulator);
  const run = await importPipes("--json");
  expect([run.code, resultOf(run).pipes.length, listReads(simulator).length]).toEqual([0, 2000, 1]);
  expect(run.stderr).toContain("Wrote 1000 of 2000 pipes.");
  expect((await read(folder, "index.ts")).match(/new datapipes\.Pipe\(/g)).toHaveLength(2000);
});
