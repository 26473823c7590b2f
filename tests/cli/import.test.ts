import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, leaks } from "../kit/canary";
import {
  accountOf,
  listReads,
  newSimulator,
  takeWrites,
  type SeedPipe,
  type Simulator,
} from "../kit/simulator";
import { complete, creationBody } from "../kit/pipes";
import { folderOf, folderWith, importing, importInto, newProject, resultOf } from "./imported";

const services = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"] as const;
const password = canary("password");
const accountKey = canary("account-key").replaceAll(/[;=]/g, "");

const destination = { database: "shop", table: "events" };
const postgres = { host: "db.example", credentials: { username: "reader", password } };
const objectStorage = { url: "https://x.example/*", connectionString: `AccountKey=${accountKey}` };

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

const secretPipes: readonly SeedPipe[] = [
  creationBody("replica", { destination, source: { postgres } }),
  creationBody("files", { destination, source: { objectStorage } }),
];

/** Two services with pipes of four kinds, also with names that are no identifiers and with secrets. */
async function twoServices(): Promise<Simulator> {
  const simulator = await newSimulator({ accounts: [{ ...accountOf(1), serviceIds: [...services] }] });
  for (const service of services)
    simulator.control.seedPipes(
      Object.entries(complete).map(([kind, pipe]) => creationBody(`orders ${kind}`, pipe)),
      service,
    );
  const named = HARD_NAMES.map((name) => creationBody(name, complete.kinesis));
  simulator.control.seedPipes([...named, ...secretPipes], services[0]);
  return simulator;
}

const ofBoth = services.flatMap((service) => ["--service", service]);
test("writes programs that compile under strict, in each mode", async () => {
  const stack = await newProject(await twoServices());
  const modes = {
    importing: ["--mode", "import"],
    adopting: [],
    secret: ["--with-credentials", "--split", "service"],
    kinds: ["--split", "kind", "--mode", "import"],
  };
  const files: string[] = [];
  for (const [folder, flags] of Object.entries(modes))
    files.push(...resultOf(await importInto(stack, ...ofBoth, "--json", "--out", folder, ...flags)).files);
  const project = {
    extends: "./tsconfig.json",
    compilerOptions: { noEmit: true, noUnusedLocals: true },
    files: files.filter((file) => file.endsWith(".ts")),
  };
  await stack.writeFile("tsconfig.all.json", JSON.stringify(project));
  const compiled = await stack.node(["node_modules/typescript/bin/tsc", "-p", "tsconfig.all.json"]);
  expect(compiled.output).toBe("");
});

test.each<[split: string, files: string[]]>([
  ["service", [...services.map((service) => `service-${service}.ts`), "index.ts"]],
  ["kind", ["kafka.ts", "object-storage.ts", "kinesis.ts", "postgres.ts", "index.ts"]],
])("writes a file for each %s, and one that loads them", async (split, expected) => {
  const { importPipes } = await folderOf(await twoServices());
  const { files } = resultOf(await importPipes(...ofBoth, "--json", "--split", split));
  expect(files).toEqual(expected);
});

test("imports pipes of four kinds in two services without a change", async () => {
  const simulator = await twoServices();
  const stack = await newProject(simulator);
  const run = await importInto(stack, ...ofBoth, "--mode", "import", "--force", "--json");
  const { pipes, skipped, files, commands } = resultOf(run);
  expect(files).toEqual(["index.ts", "import.json"]);
  expect(skipped).toEqual([]);
  expect(new Set(pipes.map(({ resource }) => resource)).size).toBe(18);
  expect(commands).toEqual([`pulumi ${importing.join(" ")}`, "pulumi preview --expect-no-changes"]);
  expect(listReads(simulator)).toHaveLength(2);

  const { output: imported } = await stack.pulumi(importing);
  await stack.preview({ expectNoChanges: true });
  const { output: refreshed } = await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
  const [program, entries] = await Promise.all([stack.readFile("index.ts"), stack.readFile("import.json")]);
  const texts = { run: run.output, imported, refreshed, program, entries, state: await stack.storedText() };
  expect(leaks(texts, [password, accountKey])).toEqual([]);
});

test("declares credentials of the configuration, and the first update sends them alone", async () => {
  const simulator = await newSimulator();
  simulator.control.seedPipes(secretPipes);
  const stack = await newProject(simulator);
  const { commands } = resultOf(
    await importInto(stack, "--mode", "import", "--with-credentials", "--force", "--json"),
  );
  const keys = ["filesConnectionString", "replicaPassword", "replicaUsername"];
  expect(commands.filter((command) => command.includes("--secret")).sort()).toEqual(
    keys.map((key) => `pulumi config set --secret ${key}`),
  );
  await stack.pulumi(importing);
  await stack.setConfig({}, Object.fromEntries(keys.map((key) => [`datapipes-test:${key}`, `new-${key}`])));
  await stack.up();
  const bodies = takeWrites(simulator).map(({ body }) => JSON.stringify(body));
  expect(bodies.sort()).toEqual([
    '{"source":{"objectStorage":{"connectionString":"new-filesConnectionString"}}}',
    '{"source":{"postgres":{"credentials":{"password":"new-replicaPassword","username":"new-replicaUsername"}}}}',
  ]);
  await stack.preview({ expectNoChanges: true });
});

const onTable = (table: string): SeedPipe =>
  creationBody("orders", { ...complete.kafka, destination: { table }, fieldMappings: [] });

test.each<[what: string, pipe: SeedPipe, edit: object, reason: string]>([
  [
    "in its name",
    creationBody(`key ${accountKey}`, complete.kafka),
    {},
    'its field name contains a secret. To take it over, declare it with adopt: "<id>" and ' +
      'name: config.requireSecret("<key>")',
  ],
  [
    "in a field",
    onTable(accountKey),
    {},
    'its field destination.table contains a secret. To take it over, declare it with adopt: "<id>" and ' +
      'table: config.requireSecret("<key>")',
  ],
  [
    "that is the API key, in a field",
    onTable(DEFAULT_ACCOUNT.apiKeySecret),
    {},
    'its field destination.table contains a secret. To take it over, declare it with adopt: "<id>" and ' +
      'table: config.requireSecret("<key>")',
  ],
  [
    "in a value that is no text",
    creationBody("orders", complete.kafka),
    { destination: { table: { [accountKey]: 1 } } },
    'its field observed.destination.table contains a secret. To take it over, declare it with adopt: "<id>" ' +
      "and its other fields",
  ],
  [
    "as an unknown kind of source",
    creationBody("orders", complete.kafka),
    { source: { kafka: null, [accountKey]: { url: "x" } } },
    "[secret]",
  ],
])("skips a pipe that repeats a secret %s", async (_, pipe, edit, reason) => {
  const { simulator, ids, importPipes, read } = await folderWith(...secretPipes.slice(1), pipe);
  const [storage, repeating = ""] = ids;
  simulator.control.editPipe(repeating, edit);
  const run = await importPipes("--json", "--mode", "import");
  const { pipes, skipped } = resultOf(run);
  expect(pipes.map(({ id }) => id)).toEqual([storage]);
  expect(skipped.map((one) => one.reason.replace(repeating, "<id>"))).toEqual([reason]);
  const texts = { run: run.output, program: await read("index.ts"), entries: await read("import.json") };
  expect(leaks(texts, [accountKey, DEFAULT_ACCOUNT.apiKeySecret])).toEqual([]);
});

test("writes nothing for an empty service", async () => {
  const { importPipes, files } = await folderWith();
  const run = await importPipes("--json");
  expect(run.code).toBe(0);
  expect(resultOf(run)).toEqual({ files: [], pipes: [], skipped: [], commands: [] });
  expect(run.stderr).toContain("no file was written");
  expect(await files()).toEqual([]);
});

test("selects pipes by name, pattern and id, with the names that they have among all", async () => {
  const seeds = ["orders", "orders", "returns"].map((name) => creationBody(name, complete.kafka));
  const { ids, importPipes } = await folderWith(...seeds);
  const [first, second = "", third] = ids;
  const all = resultOf(await importPipes("--json"));
  const only = ["--only", second.toUpperCase(), "--only", "ret*"];
  const some = resultOf(await importPipes("--json", "--force", ...only));
  expect(some.pipes.map(({ id }) => id).sort()).toEqual([second, third].sort());
  expect(all.pipes.filter(({ id }) => id !== first)).toEqual(some.pipes);
});

test("says to import the program of another folder", async () => {
  const { importPipes } = await folderWith(creationBody("orders", complete.kafka));
  const line = 'add `import "./all/pipes/index";` to the program of this project';
  expect((await importPipes("--out", "all/pipes")).stdout).toContain(
    `Next:\n  ${line}\n  pulumi preview\n  pulumi up\n`,
  );
});
