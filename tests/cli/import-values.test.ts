import type { JsonObject } from "../kit/json";
import { complete, creationBody } from "../kit/pipes";
import type { SeedPipe } from "../kit/simulator";
import { folderWith, resultOf } from "./imported";

const destination = { database: "shop", table: "events" };
const storage = (name: string, objectStorage: JsonObject): SeedPipe =>
  creationBody(name, { destination, source: { objectStorage } });
const kafka = (name = "orders"): SeedPipe => creationBody(name, complete.kafka);

/** Imports all pipes of a new service. The edits, in the order of the pipes, change what its API returns of them. */
async function imported(pipes: readonly SeedPipe[], ...edits: readonly object[]) {
  const { simulator, ids, files, importPipes, read } = await folderWith(...pipes);
  edits.forEach((edit, index) => simulator.control.editPipe(ids[index] ?? "", edit));
  const run = await importPipes("--json", "--mode", "import");
  expect(run.code).toBe(0);
  const [entries = "", program = ""] = await Promise.all((await files()).map(read));
  const { skipped, ...result } = resultOf(run);
  const reasons = Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]));
  const warnings = run.stderr.match(/warning: .*/g) ?? [];
  return { ids, run, reasons, warnings, pipes: result.pipes.map(({ name }) => name), program, entries };
}

const ID_MAPPING = { sourceField: "$.id", destinationField: "id" };

test("leaves out all field mappings if one of them lacks its source", async () => {
  const fieldMappings = [ID_MAPPING, { destinationField: null }];
  const { program, warnings } = await imported([kafka()], { fieldMappings });
  expect(program).toContain('new datapipes.Pipe("orders", {');
  expect(program).not.toContain("fieldMappings:");
  expect(warnings).toEqual([
    expect.stringContaining("fieldMappings"),
    expect.stringContaining("destination.columns needs mappings"),
  ]);
});

test("leaves out columns that have no mappings", async () => {
  const edits = [{ fieldMappings: null }, { fieldMappings: [ID_MAPPING] }];
  const { program, warnings } = await imported([kafka("none"), kafka("some")], ...edits);
  expect(program.match(/fieldMappings: \[/g)).toHaveLength(1);
  expect(program).not.toContain("columns:");
  expect(warnings).toEqual([
    expect.stringMatching(/pipe "none" .*destination\.columns/),
    expect.stringMatching(/pipe "some" .*destination\.columns needs mappings: .*missing: "note"\./),
  ]);
});

test("leaves out sizes of 0, which a service returns for a new pipe", async () => {
  const { program, warnings } = await imported([kafka()], {
    scaling: { concurrency: 0, replicaMemoryGb: 0 },
  });
  expect(program).toContain("scaling: { replicas: 2, replicaCpuMillicores: 500 }");
  expect(warnings).toEqual([]);
});

test("leaves out what the service filled in at the create, but not what the program gave", async () => {
  const database = { host: "db.example", tableMappings: [], credentials: { username: "u", password: "p" } };
  const postgres = { ...database, settings: { replicationSlotName: "mine" } };
  const kinesis = { streamName: "orders", region: "eu-west-1", iamRole: "arn" };
  const { program, warnings, entries } = await imported([
    creationBody("group", { destination, source: { kafka: { brokers: "k:9092", topics: "orders" } } }),
    kafka("own group"),
    creationBody("replica", { destination, source: { postgres } }),
    creationBody("alone", { destination, source: { kinesis: { ...kinesis, useEnhancedFanOut: true } } }),
    creationBody("shared", { destination, source: { kinesis } }),
  ]);
  expect(program).toContain('replicationSlotName: "mine"');
  expect(program).toContain("useEnhancedFanOut: true");
  expect(program.match(/consumerGroup: .*/g)).toEqual(['consumerGroup: "loader",']);
  expect(program).not.toMatch(/publicationName|useEnhancedFanOut: false/);
  const { resources } = JSON.parse(entries) as { resources: { inputs: { source: JsonObject } }[] };
  expect(JSON.stringify(resources.map(({ inputs }) => inputs))).not.toContain('"datapipes-');
  expect(warnings).toEqual([]);
});

test("skips a pipe of an unknown kind", async () => {
  const { ids, run, reasons } = await imported([kafka()], { source: { kafka: null, pulsar: { url: "x" } } });
  const reason =
    "this version does not know its kind of source: pulsar. A newer version of pulumi-datapipes may";
  expect(reasons).toEqual({ orders: reason });
  expect(run.stderr).toContain(`Skipped pipe "orders" (${ids[0] ?? ""}): ${reason}.`);
});

test("leaves out a value that the program cannot declare", async () => {
  const { program, warnings } = await imported([kafka()], {
    source: { kafka: { offset: { timestamp: 7 } } },
  });
  expect(program).not.toContain("offset:");
  expect(warnings).toEqual([expect.stringContaining("source.kafka.offset.timestamp must be a string")]);
});

test("leaves out fields of newer services, with one warning for all pipes that have them", async () => {
  const edit = {
    labels: { team: "a" },
    source: { kafka: { rackId: 2, note: "", vault: { secretPath: "x" } } },
    destination: { columns: ["id", "note"].map((name) => ({ name, type: "UInt64", comment: "any" })) },
  };
  const pipes = ["one", "two", "three", "four"].map(kafka);
  const { program, warnings } = await imported(pipes, edit, edit, edit, edit);
  expect(program).not.toMatch(/rackId:|comment:|labels:|vault:/);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^warning: pipes "one" \(.{36}\), "two" \(.{36}\), "three" \(.{36}\) and 1 more: source\.kafka\.rackId is a field that this version does not know\. The program does not declare it\.$/,
    ),
    expect.stringContaining("source.kafka.vault is a field"),
    expect.stringContaining("destination.columns.comment is a field"),
    expect.stringContaining(" labels is a field that this version does not know"),
  ]);
});

test("skips a pipe without a name, which the program would rename", async () => {
  const { ids, reasons } = await imported([kafka()], { name: null });
  const step = `To take it over, declare it with adopt: "${ids[0] ?? ""}" and a name`;
  expect(reasons).toEqual({ "": `the API returns no name for it. ${step}` });
});

test("skips a pipe whose fields have invisible characters", async () => {
  const fieldMappings = [{ sourceField: "$.or\u200bder", destinationField: "id" }];
  const { ids, reasons } = await imported([kafka()], { fieldMappings });
  const reason = "its field fieldMappings[0].sourceField contains control or invisible characters";
  const step = `To take it over, declare it with adopt: "${ids[0] ?? ""}" and its other fields`;
  expect(reasons).toEqual({ orders: `${reason}. ${step}` });
});

test("keeps the invisible characters of a name, as escapes", async () => {
  const { program, warnings, pipes } = await imported([kafka("na\u200bmed\u202e")]);
  expect(program).toContain('new datapipes.Pipe("naMed", {\n  name: "na\\u200bmed\\u202e",');
  expect(pipes).toEqual(["na\u200bmed\u202e"]);
  expect(warnings).toEqual([]);
});

test("leaves out a credential that the API returned", async () => {
  const files = { url: "https://x.example/*", connectionString: "AccountKey=any" };
  const { program } = await imported([storage("files", files)]);
  expect(program).toContain('url: "https://x.example/*"');
  expect(program).not.toMatch(/connectionString|AccountKey/);
});

test.each([
  "https://user:canary-77@x.example/*",
  "https://canary-77@x.example/*",
  "https://x.example/*?X-Amz-Signature=canary-77",
  "https://x.example/*?%73ig=canary-77",
  "https://x.example/*#token=canary-77",
  "Endpoint=sb://x.example/;SharedAccessKey=canary-77",
])("skips a pipe whose URL contains a credential, and shows it nowhere: %s", async (url) => {
  const { run, ids, reasons, pipes, program, entries } = await imported([storage("files", { url }), kafka()]);
  const step = `declare it with adopt: "${ids[0] ?? ""}" and url: config.requireSecret("<key>")`;
  const reason = "its field source.objectStorage.url contains a credential.";
  expect(reasons).toEqual({ files: `${reason} To take it over, ${step}` });
  expect(pipes).toEqual(["orders"]);
  expect([run.output, program, entries].join("\n")).not.toContain("canary-77");
});

test.each([
  "https://user:****@x.example/*",
  "https://****@x.example/*",
  "https://x.example/*?X-Amz-Signature=****",
  "https://x.example/*?%73ig=****",
  "https://x.example/*#token=****",
  "https://x.example/****/*",
])("writes a URL with what a service returns in place of a secret: %s", async (url) => {
  const { program, warnings } = await imported([storage("files", { url, connectionString: "****" })]);
  expect(program).toContain(`url: "${url}"`);
  expect(warnings).toEqual([]);
});
