import { canary, leaks } from "../../testkit/canary";
import { accountOf } from "../../testkit/examples";
import { complete, creationBody, withValue } from "../../testkit/pipes";
import { listReads, newSimulator, takeWrites, type SeedPipe, type Simulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";
import { manyPipes } from "./many-pipes";
import { folderOf, folderWith, importInto, resultOf } from "./imported";

const services = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"] as const;
const importing = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
const password = canary("password");
const accountKey = canary("account-key").replaceAll(/[;=]/g, "");

const destination = { database: "shop", table: "events" };
const postgres = { host: "db.example", credentials: { username: "reader", password } };
const objectStorage = { url: "https://x.example/*", connectionString: `AccountKey=${accountKey}` };

const HARD_NAMES = 'class, __proto__, config, a "b" */ `${c}` \\, 🚀, 注文, orders-kafka, 24 h'.split(", ");

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
const newProject = (simulator: Simulator) => newStack({ simulator, language: "typescript" });

test("writes programs that compile under strict, in each mode", async () => {
  const stack = await newProject(await twoServices());
  const modes = {
    imported: ["--all-fields"],
    adopting: ["--mode", "adopt"],
    secret: ["--with-credentials", "--split", "service"],
    kinds: ["--split", "kind"],
  };
  const files = ["uncommented.ts"];
  for (const [folder, flags] of Object.entries(modes))
    files.push(...resultOf(await importInto(stack, ...ofBoth, "--json", "--out", folder, ...flags)).files);
  expect(files.filter((file) => /^(secret|kinds)/.test(file))).toEqual([
    ...["secret/shared.ts", "secret/service-0a1b2c3d.ts", "secret/service-0a1b2c3d2.ts"],
    ...["secret/index.ts", "secret/import.json", "kinds/shared.ts", "kinds/kafka.ts"],
    ...["kinds/object-storage.ts", "kinds/kinesis.ts", "kinds/postgres.ts", "kinds/index.ts"],
    "kinds/import.json",
  ]);
  const program = await stack.readFile("adopting/index.ts");
  const uncommented = program.replaceAll(/\/\/ {3}(\w+: .*,)$/gm, "$1");
  expect(uncommented.match(/requireSecret/g)?.length).toBe(9);
  await stack.writeFile("uncommented.ts", uncommented);
  const project = {
    extends: "./tsconfig.json",
    compilerOptions: { noEmit: true },
    files: files.filter((file) => file.endsWith(".ts")),
  };
  await stack.writeFile("tsconfig.all.json", JSON.stringify(project));
  const compiled = await stack.node(["node_modules/typescript/bin/tsc", "-p", "tsconfig.all.json"]);
  expect(compiled.output).toBe("");
});

test("imports pipes of four kinds in two services without a change and without a secret; an edit is one PATCH of that field", async () => {
  const simulator = await twoServices();
  const stack = await newProject(simulator);
  const run = await importInto(stack, ...ofBoth, "--force", "--json");
  const { pipes, skipped, files, commands } = resultOf(run);
  expect(files).toEqual(["index.ts", "import.json"]);
  expect(skipped).toEqual([]);
  const number = 2 * Object.keys(complete).length + HARD_NAMES.length + secretPipes.length;
  expect(new Set(pipes.map(({ variable }) => variable)).size).toBe(number);
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

  await stack.write(program.replace(/new datapipes\.Pipe\("class", \{/, '$&\n  name: "renamed",'));
  await stack.up();
  const sent = takeWrites(simulator).map(({ method, body }) => [method, body]);
  expect(sent).toEqual([["PATCH", { name: "renamed" }]]);
});

test("declares credentials of the configuration, and the first update sends them alone", async () => {
  const simulator = await newSimulator();
  simulator.control.seedPipes(secretPipes);
  const stack = await newProject(simulator);
  const { commands } = resultOf(await importInto(stack, "--with-credentials", "--force", "--json"));
  const keys = ["filesConnectionString", "replicaPassword", "replicaUsername"];
  expect(commands.filter((command) => command.includes("--secret")).sort()).toEqual(
    keys.map((key) => `pulumi config set --secret ${key}`),
  );
  await stack.pulumi(importing);
  for (const key of keys) await stack.pulumi(["config", "set", "--secret", key, `new-${key}`]);
  expect((await stack.preview({ diff: true })).output).toContain("~ 2 to update");
  await stack.up();
  const bodies = takeWrites(simulator).map(({ body }) => JSON.stringify(body));
  expect(bodies.sort()).toEqual([
    '{"source":{"objectStorage":{"connectionString":"new-filesConnectionString"}}}',
    '{"source":{"postgres":{"credentials":{"password":"new-replicaPassword","username":"new-replicaUsername"}}}}',
  ]);
  await stack.preview({ expectNoChanges: true });
});

test("takes over 50 pipes in 1,200 lines, without a change in each mode; settings that the program then leaves out send nothing", async () => {
  const simulator = await newSimulator();
  simulator.control.seedPipes([...manyPipes(50)]);
  const adopting = await newProject(simulator);
  await importInto(adopting, "--mode", "adopt", "--force", "--split", "kind");
  await expect(adopting.readFile("import.json")).rejects.toThrow("ENOENT");
  await adopting.up();
  await adopting.preview({ expectNoChanges: true });

  const stack = await newProject(simulator);
  const run = await importInto(stack, "--force");
  expect(run.stderr).toMatch(/Left out 15 settings that all pipes have .*: .*pullBatchSize 100000/);
  const program = await stack.readFile("index.ts");
  expect(program.split("\n").length).toBeLessThanOrEqual(1200);
  const constants = [...program.matchAll(/^const (\w+) =(?! new)/gm)].map(([, name]) => name);
  expect(constants).toEqual([
    ...["kafkaMainBrokers", "kafkaAuditBrokers", "kafkaCaCertificate", "kafkaEndpointIds"],
    ...["kafkaSchemaRegistry", "ordersColumns", "returnsAndPaymentsColumns", "defaultTableDefinition"],
    ...["ordersMappings", "returnsAndPaymentsMappings", "scalingOf4Replicas", "defaultScaling"],
    ...["objectStorageSettings", "kinesisAndKafkaSettings", "objectStorageSettings2", "kafkaSettings"],
    "kinesisAndKafkaSettings2",
  ]);
  await stack.pulumi(importing);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  const { inputs } = (await stack.export()).named("returns-eu-1");
  expect(inputs?.["settings"]).toEqual({ objectStoragePollingIntervalMs: 1000, dbmsMaxThreads: 8 });
  await stack.write(program.replaceAll(/^ {2}settings: .*\n/gm, ""));
  await stack.up();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
});

test("skips and counts what the stack manages, also with --only, and takes no name of its resources", async () => {
  const simulator = await newSimulator();
  const [orders, read] = simulator.control.seedPipes(
    ["orders", "read"].map((name) => creationBody(name, complete.kafka)),
  );
  const stack = await newProject(simulator);
  await importInto(stack, "--only", "orders", "--force");
  await stack.pulumi(importing);
  const program = await stack.readFile("index.ts");
  await stack.write(`${program}\ndatapipes.Pipe.get("read", "${read?.id ?? ""}");\n`);
  await stack.up();
  const [late] = simulator.control.seedPipes([creationBody("orders", complete.kinesis)]);
  const run = await importInto(stack, "--json", "--out", "new");
  expect(run.stderr).toContain("3 in the service, 1 managed, 2 new.\n");
  const { pipes, skipped } = resultOf(run);
  const serviceId = simulator.account.serviceIds[0] ?? "";
  const { id = "" } = orders ?? {};
  expect(pipes.map((pipe) => pipe.id).sort()).toEqual([read?.id, late?.id].sort());
  expect(skipped).toEqual([{ id, name: "orders", serviceId, reason: "the stack manages it already" }]);
  const second = `orders-${late?.id.slice(0, 8) ?? ""}`;
  expect(await stack.readFile("new/index.ts")).toContain(
    `new datapipes.Pipe("${second}", {\n  name: "orders",`,
  );
  const { stderr } = await importInto(stack, "--only", "read", "--force");
  expect(stderr).toContain("warning: index.ts does not declare the pipes that the stack manages (1).");
  const only = await importInto(stack, "--only", id, "--out", "none");
  expect(only.stderr).toContain(`Skipped pipe "orders" (${id}): the stack manages it already.`);
});

test("prints a declaration that adopts a pipe which it skips, and which sends nothing", async () => {
  const { objectStorage: storage, kafka } = complete;
  const simulator = await newSimulator();
  const signed = withValue(storage, "source.objectStorage.url", "https://x.example/*?sig=any");
  const seeds = { unknown: kafka, orders: kafka, storage: signed };
  const [unknown] = simulator.control.seedPipes(
    Object.entries(seeds).map(([name, pipe]) => creationBody(name, pipe)),
  );
  simulator.control.editPipe(unknown?.id ?? "", { source: { kafka: null, pulsar: { url: "x" } } });
  const stack = await newProject(simulator);
  const { stderr } = await importInto(stack, "--out", "imported");
  const snippets = stderr.match(/ {2}new datapipes\.Pipe\([^]*?\n {2}\}\);/g) ?? [];
  expect(snippets).toHaveLength(2);
  await stack.write(`import * as datapipes from "pulumi-datapipes";\n${snippets.join("\n")}\n`);
  await stack.up();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
});

test("names no pipe, and writes no field, that repeats a secret of any pipe or the API key", async () => {
  const simulator = await newSimulator();
  const { apiKeySecret } = simulator.account;
  const onTable = (name: string, table: string): SeedPipe =>
    creationBody(name, { ...complete.kafka, destination: { table }, fieldMappings: [] });
  const [storage, , , , unknown, twice] = simulator.control.seedPipes([
    ...secretPipes.slice(1),
    creationBody(`key ${accountKey}`, complete.kafka),
    onTable("fields", accountKey),
    onTable("key", apiKeySecret),
    creationBody("unknown", complete.kafka),
    creationBody("twice", complete.kafka),
  ]);
  const unknownSource = { source: { kafka: null, [accountKey]: { url: "x" } } };
  simulator.control.editPipe(unknown?.id ?? "", unknownSource);
  simulator.control.editPipe(twice?.id ?? "", { destination: { table: { [accountKey]: 1 } } });
  const { importPipes, read } = await folderOf(simulator);
  const run = await importPipes("--json");
  const { pipes, skipped } = resultOf(run);
  expect(pipes.map(({ id }) => id)).toEqual([storage?.id]);
  expect(skipped.map(({ name, reason }) => [name, reason]).sort()).toEqual([
    ["[secret]", "its field name contains a secret"],
    ["fields", "its field destination.table contains a secret"],
    ["key", "its field destination.table contains a secret"],
    ["twice", "its field observed.destination.table contains a secret"],
    ["unknown", "[secret]"],
  ]);
  const texts = { run: run.output, program: await read("index.ts"), entries: await read("import.json") };
  expect(leaks(texts, [accountKey, apiKeySecret])).toEqual([]);
});

test("writes nothing for an empty service", async () => {
  const { importPipes, files } = await folderWith();
  const run = await importPipes("--json");
  expect([run.code, resultOf(run)]).toEqual([0, { files: [], pipes: [], skipped: [], commands: [] }]);
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

test("writes 1,100 pipes from one list, and shows its progress", async () => {
  const seeds = Array.from({ length: 1100 }, (_, index) => creationBody(`orders ${index}`, complete.kafka));
  const { simulator, importPipes, read } = await folderWith(...seeds);
  const run = await importPipes("--json");
  expect([run.code, resultOf(run).pipes.length, listReads(simulator).length]).toEqual([0, 1100, 1]);
  expect(run.stderr).toContain("Wrote 1000 of 1100 pipes.");
  expect((await read("index.ts")).match(/new datapipes\.Pipe\(/g)).toHaveLength(1100);
});

test("says to import the program of another folder", async () => {
  const { folder, importPipes } = await folderWith(creationBody("orders", complete.kafka));
  const line = 'add `import "./all/pipes/index";` to the program of this project';
  expect((await importPipes("--out", "all/pipes")).stdout).toContain(line);
  expect((await importPipes("--out", folder)).stdout).not.toContain("to the program");
});
