import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, leaks, canaryAt, pipeCanaries, withCanaries } from "../kit/canary";
import { answer, newSimulator, pipeNamed, type Simulator } from "../kit/simulator";
import { complete } from "../kit/pipes";
import { KINDS, type SourceKind } from "../kit/pipe-fields";
import { callFailureOf, urnOf } from "../kit/plugin";
import { readable, secretMarker, UNKNOWN_MARKER, withValue, type JsonObject } from "../kit/json";
import { newPlugin, type Plugin } from "./in-process";

const keySecret = canary("api-key-secret");
const account = { ...DEFAULT_ACCOUNT, apiKeyId: "key-id", apiKeySecret: keySecret };

const hidden = [keySecret, `key-id:${keySecret}`, ...pipeCanaries];

const pipeOf = (kind: SourceKind, version: number): JsonObject =>
  withCanaries(
    { ...complete[kind], name: kind, deletionPolicy: "delete", replacementPolicy: "allow" },
    kind,
    version,
  );

let simulator: Simulator;
let plugin: Plugin;
/** What the engine receives and may print in a test, by its step: answers without what is marked as secret, and errors. */
let texts: Record<string, string>;

beforeAll(async () => {
  simulator = await newSimulator({ accounts: [account] });
  plugin = await newPlugin(simulator);
});

async function see<T extends object>(step: string, work: Promise<T>): Promise<T> {
  const result = await work;
  texts[step] = readable(result);
  return result;
}

beforeEach(() => {
  texts = {};
  plugin.lines.length = 0;
});

function expectNoSecret(): void {
  expect(leaks({ ...texts, lines: JSON.stringify(plugin.lines) }, hidden)).toEqual([]);
}

test.each(KINDS)("no answer about a %s pipe holds a secret that is not marked", async (kind) => {
  const of = urnOf(kind);
  const { inputs, failures } = await see("check", plugin.check(pipeOf(kind, 1), {}, of));
  expect(failures).toEqual([]);
  expect(texts["check"]).toContain("[secret]");
  await see("preview", plugin.create(inputs, { of, preview: true }));
  const { id, outputs } = await see("create", plugin.create(inputs, { of }));
  const changed = await see("check again", plugin.check(pipeOf(kind, 2), inputs, of));
  const diff = await plugin.diff(id, outputs, changed.inputs);
  texts["diff"] = JSON.stringify(diff.toObject());
  expect(diff.getChanges()).toBe(pb.DiffResponse.DiffChanges.DIFF_SOME);
  const updated = await see("update", plugin.update(id, outputs, changed.inputs, { of }));
  await see("refresh", plugin.read(id, updated));
  await see("import", plugin.read(id));
  await see("getPipe", plugin.invoke("getPipe", { id }));
  expectNoSecret();
});

test("a failure about a field that has a secret by mistake does not show it", async () => {
  // A failure shows only short values.
  const password = canary("short");
  const credentials = { username: "loader", password };
  const pipe = withValue(pipeOf("kafka", 1), "source.kafka.credentials", credentials);
  const { failures } = await plugin.check({ ...pipe, deletionPolicy: password });
  const [reason] = failures.map(([, text = ""]) => text);
  expect(reason).toMatch(/^deletionPolicy must be one of .*, got /);
  expect(leaks({ reason: reason ?? "" }, [password])).toEqual([]);
});

test("a secret that only the API returns is marked, and left out by imports and functions", async () => {
  const connectionString = canaryAt("source.objectStorage.connectionString", 2);
  const { source } = complete.objectStorage as { source: { objectStorage: JsonObject } };
  const { connectionString: _declared, ...rest } = source.objectStorage;
  const declared = { source: { objectStorage: rest }, destination: { table: "t" } };
  const { id, outputs } = await plugin.deploy(declared, { of: urnOf("undeclared") });
  simulator.control.editPipe(id, { source: { objectStorage: { connectionString } } });
  const later = await newPlugin(simulator);
  const { outputs: refreshed } = await see("refresh", later.read(id, outputs));
  const marked = { source: { objectStorage: { connectionString: secretMarker(connectionString) } } };
  expect(refreshed["observed"]).toMatchObject(marked);
  const imported = await see("import", later.read(id));
  expect(JSON.stringify(imported.inputs)).not.toContain("connectionString");
  const found = [
    await see("getPipe", plugin.invoke("getPipe", { id })),
    await see("getPipes", plugin.invoke("getPipes", {})),
  ];
  expect(JSON.stringify(found)).not.toMatch(/connectionString|credentials|accessKey/);
  expectNoSecret();
});

test("an output that repeats the API key is marked", async () => {
  const { id, outputs } = await plugin.deploy(pipeOf("kafka", 1), { of: urnOf("repeating") });
  simulator.control.editPipe(id, { note: keySecret });
  const repeated = await see("refresh", (await newPlugin(simulator)).read(id, outputs));
  expect(repeated.outputs["observed"]).toMatchObject({ note: secretMarker(keySecret) });
  expectNoSecret();
});

test("the outputs of a create whose wait failed are marked as those of any other", async () => {
  const waitFor = { states: ["Nope"], timeoutSeconds: 1 };
  const created = plugin.deploy({ ...pipeOf("kafka", 1), waitFor }, { of: urnOf("waiting") });
  const { outputs } = await callFailureOf(created);
  expect(outputs).toMatchObject({ name: "kafka" });
  texts["outputs"] = readable(outputs);
  expectNoSecret();
});

test("the failures of a check name paths, and no property, whose value the engine would print", async () => {
  const secret = canaryAt("source.kafka.credentials.password", 1);
  const wrong = {
    source: { kafka: { brokers: "b", topics: 7, credentials: secret }, kinesis: { accessKey: [secret] } },
    name: { password: secret },
    deletionPolicy: secret,
    waitFor: { timeoutSeconds: secret },
    [secret]: 1,
  };
  // A name that a program invents is no secret, so it is cut off here.
  const { failures } = await plugin.check(wrong, {}, urnOf("wrong"));
  expect(failures.map(([property]) => property)).toEqual(failures.map(() => ""));
  expect(failures.map(([, reason]) => reason).join("\n")).toContain("source.kafka.topics");
  texts["failures"] = JSON.stringify(
    failures.filter(([, reason = ""]) => !reason.includes("is not an argument")),
  );
  expect(failures.length).toBeGreaterThan(4);
  texts["function"] = (await callFailureOf(plugin.invoke("getPipe", { id: { password: secret } }))).message;
  expectNoSecret();
});

/** The signatures of a secret, an asset, an archive, a reference to a resource, and an output. */
const SIGNATURES = [
  "1b47061264138c4ac30d75fd1eb44270",
  "c44067f5952c0a294b673a41bacd8c17",
  "0def7320c3a5731c473e5ecbe6d01bc7",
  "5cf8f73096256a8f31e491e813e4eb8e",
  "d0e6a833031e9bbcd3f4e8bde6ca49a4",
];
const [SIGNATURE_KEY = ""] = Object.keys(secretMarker(0));

test("answers that hold the engine's marks come back without them", async () => {
  const of = urnOf("marked");
  const { id, outputs } = await plugin.deploy({ ...pipeOf("kafka", 1), name: "marked" }, { of });
  const marked = {
    ...pipeNamed(simulator, "marked"),
    state: UNKNOWN_MARKER,
    extra: SIGNATURES.map((signature) => ({ [SIGNATURE_KEY]: signature, path: "/etc/hostname", value: "v" })),
    [SIGNATURE_KEY]: SIGNATURES[0],
  };
  simulator.control.fault({ operationId: "listPipes", ...answer([marked]), times: "always" });
  const later = await newPlugin(simulator);
  const read = await later.read(id, outputs);
  const invoked = await later.invoke("getPipe", { id });
  simulator.control.clearFaults();
  for (const answered of [read.outputs, read.inputs, invoked])
    for (const mark of [SIGNATURE_KEY, UNKNOWN_MARKER]) expect(readable(answered)).not.toContain(mark);
  // The rest of such a member stays, and the text is none that the engine knows.
  expect(read.outputs).toMatchObject({
    state: UNKNOWN_MARKER.replaceAll("-", "_"),
    observed: { extra: SIGNATURES.map(() => ({ path: "/etc/hostname", value: "v" })) },
  });
  expectNoSecret();
});
