import { folderOf, read, resultOf, seed } from "../../testkit/imported";
import { complete } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";

const destination = { database: "shop", table: "events" };

test("leaves out columns that have no mappings", async () => {
  const simulator = await newSimulator();
  const pipes = simulator.control.seedPipes([seed("none", complete.kafka), seed("some", complete.kafka)]);
  simulator.control.editPipe(pipes[0]?.id ?? "", { fieldMappings: null });
  const some = [{ sourceField: "$.id", destinationField: "id" }];
  simulator.control.editPipe(pipes[1]?.id ?? "", { fieldMappings: some });
  const { folder, importPipes } = await folderOf(simulator);
  const run = await importPipes("--json");
  expect(resultOf(run).skipped).toEqual([]);
  expect(run.stderr).toMatch(
    /warning: pipe "some" .*destination\.columns needs mappings: .*missing: "note"\./,
  );
  const program = await read(folder, "index.ts");
  expect(program).not.toContain("columns:");
  expect(program.match(/\/\/ Not declared: destination\.columns/g)).toHaveLength(2);
  expect(program.match(/fieldMappings: \[/g)).toHaveLength(1);
});

test("leaves out a size of a new pipe that the service does not know yet", async () => {
  const simulator = await newSimulator();
  const [pipe] = simulator.control.seedPipes([seed("orders", complete.kafka)]);
  simulator.control.editPipe(pipe?.id ?? "", { scaling: { concurrency: 0, replicaMemoryGb: 0 } });
  const { folder, importPipes } = await folderOf(simulator);
  await importPipes();
  expect(await read(folder, "index.ts")).toContain(
    "scaling: {\n    replicas: 2,\n    replicaCpuMillicores: 500,\n  }",
  );
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

test("leaves out members that this version does not know, with one line for all pipes that have them", async () => {
  const simulator = await newSimulator();
  const pipes = ["one", "two", "three", "four"].map((name) => seed(name, complete.kafka));
  for (const { id } of simulator.control.seedPipes(pipes)) {
    simulator.control.editPipe(id, { source: { kafka: { rackId: 2, note: "" } } });
    const columns = ["id", "note"].map((column) => ({ name: column, type: "UInt64", comment: "any" }));
    simulator.control.editPipe(id, { destination: { columns } });
  }
  const { folder, importPipes } = await folderOf(simulator);
  const run = await importPipes("--json");
  expect(resultOf(run).pipes).toHaveLength(4);
  expect(run.stderr.match(/warning: .*/g)).toEqual([
    expect.stringMatching(
      /^warning: pipes "one" \(.{36}\), "two" \(.{36}\), "three" \(.{36}\) and 1 more: source\.kafka\.rackId is a field that this version does not know\. The program does not declare it\.$/,
    ),
    expect.stringContaining("destination.columns.comment is a field"),
  ]);
  const program = await read(folder, "index.ts");
  expect(program.match(/\/\/ Not declared: source\.kafka\.rackId/g)).toHaveLength(4);
  expect(program).not.toMatch(/rackId:|comment:/);
});

test("leaves out members beside the parts of a pipe that this version does not know, and says so", async () => {
  const simulator = await newSimulator();
  const [pipe] = simulator.control.seedPipes([seed("orders", complete.kafka)]);
  const extra = { labels: { team: "a" }, source: { kafka: { vault: { secretPath: "x" } } } };
  simulator.control.editPipe(pipe?.id ?? "", extra);
  const { folder, importPipes } = await folderOf(simulator);
  const run = await importPipes();
  expect(run.stderr).toMatch(/warning: pipe "orders" .*: labels is a field that this version does not know/);
  expect(run.stderr).toMatch(/warning: pipe "orders" .*: source\.kafka\.vault is a field/);
  expect(await read(folder, "index.ts")).not.toMatch(/labels:|vault:/);
});

test.each([
  ["a password", "https://user:canary-77@x.example/*"],
  ["a token as its user", "https://canary-77@x.example/*"],
  ["a signature", "https://x.example/*?X-Amz-Signature=canary-77"],
  ["a key with an encoded name", "https://x.example/*?%73ig=canary-77"],
  ["a token in its fragment", "https://x.example/*#token=canary-77"],
])("skips a pipe whose URL contains %s", async (_, url) => {
  const simulator = await newSimulator();
  simulator.control.seedPipes([
    seed("secret", { destination, source: { objectStorage: { url } } }),
    seed("masked", { destination, source: { objectStorage: { url: url.replace("canary-77", "****") } } }),
  ]);
  const { folder, importPipes } = await folderOf(simulator);
  const run = await importPipes("--json");
  expect(resultOf(run)).toMatchObject({
    pipes: [{ name: "masked" }],
    skipped: [
      { name: "secret", reason: "its field source.objectStorage.url is a URL that contains a credential" },
    ],
  });
  const written = [run.stdout, run.stderr, await read(folder, "index.ts"), await read(folder, "import.json")];
  expect(written.join("\n")).not.toContain("canary-77");
});

test("skips a pipe without a name, which the program would rename", async () => {
  const simulator = await newSimulator();
  const [pipe] = simulator.control.seedPipes([seed("orders", complete.kafka)]);
  simulator.control.editPipe(pipe?.id ?? "", { name: null });
  const { importPipes } = await folderOf(simulator);
  expect(resultOf(await importPipes("--json")).skipped).toMatchObject([
    { id: pipe?.id, reason: "the API returns no name for it" },
  ]);
});

test("skips a pipe whose fields have invisible characters, and says where a name has some", async () => {
  const simulator = await newSimulator();
  const [hidden, named] = simulator.control.seedPipes([
    seed("hidden", complete.kafka),
    seed("na\u200bmed\u202e", complete.kafka),
  ]);
  const mapping = { sourceField: "$.or\u200bder", destinationField: "id" };
  simulator.control.editPipe(hidden?.id ?? "", { fieldMappings: [mapping] });
  const { folder, importPipes } = await folderOf(simulator);
  const run = await importPipes("--json");
  expect(resultOf(run).skipped).toEqual([
    expect.objectContaining({
      id: hidden?.id,
      reason: "its field fieldMappings[0].sourceField has control characters or invisible ones",
    }),
  ]);
  expect(resultOf(run).pipes).toEqual([expect.objectContaining({ id: named?.id, name: "na med" })]);
  expect(run.stderr).toContain(
    `warning: pipe "na med" (${named?.id ?? ""}): its name has control characters or invisible ones; the program has it without them.`,
  );
  expect(await read(folder, "index.ts")).toContain('new datapipes.Pipe("na med", {');
});

test("says of a credential that the API returned only that no file may contain it", async () => {
  const simulator = await newSimulator();
  const source = { objectStorage: { url: "https://x.example/*", connectionString: "AccountKey=any" } };
  simulator.control.seedPipes([seed("files", { destination, source })]);
  const { folder, importPipes } = await folderOf(simulator);
  await importPipes();
  const program = await read(folder, "index.ts");
  expect(program).toContain("// connectionString is a credential: no file may contain it. The pipe keeps");
  expect(program).not.toContain("does not return connectionString");
});

test("keeps the comment on a value whose object would be empty", async () => {
  const simulator = await newSimulator();
  const [pipe] = simulator.control.seedPipes([seed("orders", complete.kafka)]);
  const offset = { timestamp: 7 };
  simulator.control.editPipe(pipe?.id ?? "", { source: { kafka: { offset } } });
  const { folder, importPipes } = await folderOf(simulator);
  await importPipes();
  const program = await read(folder, "index.ts");
  expect(program).toContain("// Not declared: source.kafka.offset.timestamp must be a string");
  expect(program).not.toContain("offset:");
});

test("writes a pipe whose fields contain what a service returns in place of a secret", async () => {
  const simulator = await newSimulator();
  const source = { objectStorage: { url: "https://x.example/****/*", connectionString: "****" } };
  simulator.control.seedPipes([seed("files", { destination, source })]);
  const { importPipes } = await folderOf(simulator);
  expect(resultOf(await importPipes("--json"))).toMatchObject({ pipes: [{ name: "files" }], skipped: [] });
});
