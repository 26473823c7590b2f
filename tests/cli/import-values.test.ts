import { seed } from "../../testkit/imported";
import { complete, type JsonObject } from "../../testkit/pipes";
import type { SeedPipe } from "../../testkit/simulator";
import { folderWith, read, resultOf } from "./imported";

const destination = { database: "shop", table: "events" };
const storage = (name: string, objectStorage: JsonObject): SeedPipe =>
  seed(name, { destination, source: { objectStorage } });
const orders = seed("orders", complete.kafka);

/** Imports a service with these pipes, which then differ from what their seeds say by these edits. */
async function imported(pipes: readonly SeedPipe[], ...edits: readonly object[]) {
  const { simulator, ids, folder, files, importPipes } = await folderWith(...pipes);
  edits.forEach((edit, index) => simulator.control.editPipe(ids[index] ?? "", edit));
  const run = await importPipes("--json");
  const [program = "", entries = ""] = await Promise.all(
    (await files())
      .sort()
      .reverse()
      .map((file) => read(folder, file)),
  );
  return { ids, run, said: run.stderr, result: resultOf(run), program, entries };
}

test("leaves out columns that have no mappings", async () => {
  const { result, said, program } = await imported(
    [seed("none", complete.kafka), seed("some", complete.kafka)],
    { fieldMappings: null },
    { fieldMappings: [{ sourceField: "$.id", destinationField: "id" }] },
  );
  expect(result.skipped).toEqual([]);
  expect(said).toMatch(/warning: pipe "some" .*destination\.columns needs mappings: .*missing: "note"\./);
  expect(program).not.toContain("columns:");
  expect(program.match(/\/\/ Not declared: destination\.columns/g)).toHaveLength(2);
  expect(program.match(/fieldMappings: \[/g)).toHaveLength(1);
});

test("leaves out a size of a new pipe that the service does not know yet", async () => {
  const { program } = await imported([orders], { scaling: { concurrency: 0, replicaMemoryGb: 0 } });
  expect(program).toContain("scaling: {\n    replicas: 2,\n    replicaCpuMillicores: 500,\n  }");
});

test("skips a pipe of an unknown kind, and leaves out a value that the program cannot declare", async () => {
  const { ids, run, result, said, program } = await imported(
    [seed("unknown", complete.kafka), seed("mistyped", complete.kinesis)],
    { source: { kafka: null, pulsar: { url: "x" } } },
    { source: { kinesis: { timestamp: "yesterday" } } },
  );
  expect(run.code).toBe(0);
  const reason = "this version does not know its kind of source: pulsar";
  expect(result.skipped).toEqual([expect.objectContaining({ id: ids[0], reason })]);
  expect(said).toContain('Skipped pipe "unknown"');
  expect(said).toMatch(/warning: pipe "mistyped" .*source\.kinesis\.timestamp/);
  expect(program).toContain("// Not declared: source.kinesis.timestamp");
  expect(program).not.toContain("timestamp:");
});

test("leaves out members that this version does not know, with one line for all pipes that have them", async () => {
  const columns = ["id", "note"].map((name) => ({ name, type: "UInt64", comment: "any" }));
  const edit = { source: { kafka: { rackId: 2, note: "" } }, destination: { columns } };
  const names = ["one", "two", "three", "four"];
  const { result, said, program } = await imported(
    names.map((name) => seed(name, complete.kafka)),
    ...names.map(() => edit),
  );
  expect(result.pipes).toHaveLength(4);
  expect(said.match(/warning: .*/g)).toEqual([
    expect.stringMatching(
      /^warning: pipes "one" \(.{36}\), "two" \(.{36}\), "three" \(.{36}\) and 1 more: source\.kafka\.rackId is a field that this version does not know\. The program does not declare it\.$/,
    ),
    expect.stringContaining("destination.columns.comment is a field"),
  ]);
  expect(program.match(/\/\/ Not declared: source\.kafka\.rackId/g)).toHaveLength(4);
  expect(program).not.toMatch(/rackId:|comment:/);
});

test("leaves out members beside the parts of a pipe that this version does not know, and says so", async () => {
  const extra = { labels: { team: "a" }, source: { kafka: { vault: { secretPath: "x" } } } };
  const { said, program } = await imported([orders], extra);
  expect(said).toMatch(/warning: pipe "orders" .*: labels is a field that this version does not know/);
  expect(said).toMatch(/warning: pipe "orders" .*: source\.kafka\.vault is a field/);
  expect(program).not.toMatch(/labels:|vault:/);
});

test("skips pipes whose URLs contain a credential, and shows it nowhere", async () => {
  const urls = {
    "a password": "https://user:canary-77@x.example/*",
    "a token as its user": "https://canary-77@x.example/*",
    "a signature": "https://x.example/*?X-Amz-Signature=canary-77",
    "a key with an encoded name": "https://x.example/*?%73ig=canary-77",
    "a token in its fragment": "https://x.example/*#token=canary-77",
  };
  const { run, result, program, entries } = await imported(
    Object.entries(urls).flatMap(([what, url]) => [
      storage(what, { url }),
      storage(`masked: ${what}`, { url: url.replace("canary-77", "****") }),
    ]),
  );
  const reason = "its field source.objectStorage.url is a URL that contains a credential";
  const byName = (items: readonly { name: string }[]) => items.map(({ name }) => name).sort();
  expect(byName(result.skipped)).toEqual(Object.keys(urls).sort());
  expect(new Set(result.skipped.map((pipe) => pipe.reason))).toEqual(new Set([reason]));
  expect(byName(result.pipes)).toEqual(
    Object.keys(urls)
      .map((what) => `masked: ${what}`)
      .sort(),
  );
  expect([run.output, program, entries].join("\n")).not.toContain("canary-77");
});

test("skips a pipe without a name, which the program would rename", async () => {
  const { ids, result } = await imported([orders], { name: null });
  expect(result.skipped).toMatchObject([{ id: ids[0], reason: "the API returns no name for it" }]);
});

test("skips a pipe whose fields have invisible characters, and says where a name has some", async () => {
  const { ids, result, said, program } = await imported(
    [seed("hidden", complete.kafka), seed("na\u200bmed\u202e", complete.kafka)],
    { fieldMappings: [{ sourceField: "$.or\u200bder", destinationField: "id" }] },
  );
  const reason = "its field fieldMappings[0].sourceField has control characters or invisible ones";
  expect(result.skipped).toEqual([expect.objectContaining({ id: ids[0], reason })]);
  expect(result.pipes).toEqual([expect.objectContaining({ id: ids[1], name: "na med" })]);
  expect(said).toContain(
    `warning: pipe "na med" (${ids[1] ?? ""}): its name has control characters or invisible ones; the program has it without them.`,
  );
  expect(program).toContain('new datapipes.Pipe("na med", {');
});

test("says of a credential that the API returned only that no file may contain it", async () => {
  const { program } = await imported([
    storage("files", { url: "https://x.example/*", connectionString: "AccountKey=any" }),
  ]);
  expect(program).toContain("// connectionString is a credential: no file may contain it. The pipe keeps");
  expect(program).not.toContain("does not return connectionString");
});

test("keeps the comment on a value whose object would be empty", async () => {
  const { program } = await imported([orders], { source: { kafka: { offset: { timestamp: 7 } } } });
  expect(program).toContain("// Not declared: source.kafka.offset.timestamp must be a string");
  expect(program).not.toContain("offset:");
});

test("writes a pipe whose fields contain what a service returns in place of a secret", async () => {
  const { result } = await imported([
    storage("files", { url: "https://x.example/****/*", connectionString: "****" }),
  ]);
  expect(result).toMatchObject({ pipes: [{ name: "files" }], skipped: [] });
});
