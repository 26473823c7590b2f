import type { JsonObject } from "../kit/json";
import { complete, creationBody } from "../kit/pipes";
import type { SeedPipe } from "../kit/simulator";
import { folderWith, resultOf } from "./imported";

const destination = { database: "shop", table: "events" };
const storage = (name: string, objectStorage: JsonObject): SeedPipe =>
  creationBody(name, { destination, source: { objectStorage } });
const kafka = (name = "orders"): SeedPipe => creationBody(name, complete.kafka);

/** Imports a service with these pipes, which then differ from what their seeds say by these edits. */
async function imported(pipes: readonly SeedPipe[], ...edits: readonly object[]) {
  const { simulator, ids, files, importPipes, read } = await folderWith(...pipes);
  edits.forEach((edit, index) => simulator.control.editPipe(ids[index] ?? "", edit));
  const run = await importPipes("--json", "--mode", "import");
  const [entries = "", program = ""] = await Promise.all((await files()).map(read));
  const { skipped, ...result } = resultOf(run);
  const reasons = Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]));
  return { ids, run, reasons, pipes: result.pipes.map(({ name }) => name), program, entries };
}

interface Case {
  readonly pipes?: readonly SeedPipe[];
  /** What the service has in place of what these pipes say. */
  readonly edits: readonly object[];
  /** The reason of each pipe that is skipped. */
  readonly skipped?: Readonly<Record<string, string>>;
  readonly warnings?: readonly RegExp[];
  readonly program?: RegExp;
  readonly notInProgram?: RegExp;
}

const database = { host: "db.example", tableMappings: [], credentials: { username: "u", password: "p" } };
const settings = { replicationSlotName: "mine" };
const stream = { streamName: "orders", region: "eu-west-1", iamRole: "arn" };
const columns = ["id", "note"].map((name) => ({ name, type: "UInt64", comment: "any" }));
const INVISIBLE = "contains control or invisible characters";
const ofSource = (source: object) => ({ source });

const CASES: Readonly<Record<string, Case>> = {
  "leaves out mappings of which one is empty": {
    edits: [{ fieldMappings: [{ sourceField: "$.id", destinationField: "id" }, { destinationField: null }] }],
    warnings: [/fieldMappings/, /destination\.columns needs mappings/],
    program: /new datapipes\.Pipe\("orders", \{/,
    notInProgram: /fieldMappings:/,
  },
  "leaves out columns that have no mappings": {
    pipes: [kafka("none"), kafka("some")],
    edits: [{ fieldMappings: null }, { fieldMappings: [{ sourceField: "$.id", destinationField: "id" }] }],
    warnings: [
      /pipe "none" .*destination\.columns/,
      /pipe "some" .*destination\.columns needs mappings: .*missing: "note"\./,
    ],
    program: /fieldMappings: \[/,
    notInProgram: /columns:|fieldMappings: \[[^]*fieldMappings: \[/,
  },
  "leaves out a size of a new pipe that the service does not know yet": {
    edits: [{ scaling: { concurrency: 0, replicaMemoryGb: 0 } }],
    program: /scaling: \{ replicas: 2, replicaCpuMillicores: 500 \}/,
  },
  "leaves out what the service filled in at the create and nothing changes, but not what the program gave": {
    pipes: [
      creationBody("replica", { destination, source: { postgres: { ...database, settings } } }),
      creationBody("alone", { destination, source: { kinesis: { ...stream, useEnhancedFanOut: true } } }),
      creationBody("shared", { destination, source: { kinesis: stream } }),
    ],
    edits: [],
    program: /replicationSlotName: "mine"[^]*useEnhancedFanOut: true/,
    notInProgram: /publicationName|useEnhancedFanOut: false/,
  },
  "skips a pipe of an unknown kind, and leaves out a value that the program cannot declare": {
    pipes: [kafka("unknown"), kafka("mistyped")],
    edits: [{ kafka: null, pulsar: { url: "x" } }, { kafka: { offset: { timestamp: 7 } } }].map(ofSource),
    skipped: { unknown: "this version does not know its kind of source: pulsar" },
    warnings: [/pipe "mistyped" .*source\.kafka\.offset\.timestamp must be a string/],
    notInProgram: /offset:/,
  },
  "leaves out members that this version does not know, with one line for all pipes that have them": {
    pipes: ["one", "two", "three", "four"].map(kafka),
    edits: Array(4).fill({
      labels: { team: "a" },
      source: { kafka: { rackId: 2, note: "", vault: { secretPath: "x" } } },
      destination: { columns },
    }),
    warnings: [
      / labels is a field that this version does not know/,
      /^warning: pipes "one" \(.{36}\), "two" \(.{36}\), "three" \(.{36}\) and 1 more: source\.kafka\.rackId is a field that this version does not know\. The program does not declare it\.$/,
      /source\.kafka\.vault is a field/,
      /destination\.columns\.comment is a field/,
    ],
    notInProgram: /rackId:|comment:|labels:|vault:/,
  },
  "skips a pipe without a name, which the program would rename": {
    edits: [{ name: null }],
    skipped: { "": "the API returns no name for it" },
  },
  "skips a pipe whose fields have invisible characters, and writes a name without them": {
    pipes: [kafka("hidden"), kafka("na\u200bmed\u202e")],
    edits: [{ fieldMappings: [{ sourceField: "$.or\u200bder", destinationField: "id" }] }],
    skipped: { hidden: `its field fieldMappings[0].sourceField ${INVISIBLE}` },
    program: /new datapipes\.Pipe\("na med", \{/,
  },
  "leaves out a credential that the API returned": {
    pipes: [storage("files", { url: "https://x.example/*", connectionString: "AccountKey=any" })],
    edits: [],
    program: /url: "https:\/\/x\.example\/\*"/,
    notInProgram: /connectionString|AccountKey/,
  },
  "writes a pipe whose fields contain what a service returns in place of a secret": {
    pipes: [storage("files", { url: "https://x.example/****/*", connectionString: "****" })],
    edits: [],
    program: /url: "https:\/\/x\.example\/\*\*\*\*\/\*"/,
  },
};

test.each(Object.entries(CASES))("%s", async (_, { pipes = [kafka()], edits, skipped = {}, ...expected }) => {
  const { ids, run, reasons, program } = await imported(pipes, ...edits);
  expect(run.code).toBe(0);
  expect(reasons).toEqual(skipped);
  for (const [name, reason] of Object.entries(skipped))
    expect(run.stderr).toContain(`Skipped pipe "${name}" (${ids[0] ?? ""}): ${reason}.`);
  const { warnings = [], program: part = /^/, notInProgram = /(?!)/ } = expected;
  expect(run.stderr.match(/warning: .*/g) ?? []).toEqual(
    warnings.map((each) => expect.stringMatching(each) as string),
  );
  expect(program).toMatch(part);
  expect(program).not.toMatch(notInProgram);
});

test("skips pipes whose URLs contain a credential, and shows it nowhere", async () => {
  const urls = {
    "a password": "https://user:canary-77@x.example/*",
    "a token as its user": "https://canary-77@x.example/*",
    "a signature": "https://x.example/*?X-Amz-Signature=canary-77",
    "a key with an encoded name": "https://x.example/*?%73ig=canary-77",
    "a token in its fragment": "https://x.example/*#token=canary-77",
  };
  const masked = (what: string): string => `masked: ${what}`;
  const { run, reasons, pipes, program, entries } = await imported(
    Object.entries(urls).flatMap(([what, url]) => [
      storage(what, { url }),
      storage(masked(what), { url: url.replace("canary-77", "****") }),
    ]),
  );
  const reason = "its field source.objectStorage.url is a URL that contains a credential";
  expect(reasons).toEqual(Object.fromEntries(Object.keys(urls).map((what) => [what, reason])));
  expect(pipes.sort()).toEqual(Object.keys(urls).map(masked).sort());
  expect([run.output, program, entries].join("\n")).not.toContain("canary-77");
});
