import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { canary, leaks } from "../../testkit/canary";
import { complete, withValue, type JsonObject, type SourceKind } from "../../testkit/pipes";
import { failureOf, urnOf } from "../../testkit/plugin-calls";
import { isSecret, secretMarker, UNKNOWN_MARKER } from "../../testkit/protocol";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { newPlugin, type Plugin } from "./in-process";

const keySecret = canary("api-key-secret");
const account = {
  apiKeyId: "key-id",
  apiKeySecret: keySecret,
  organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
  serviceIds: ["0a1b2c3d-0000-4000-8000-000000000002"],
};

/** Every secret input. The other two resources have none. */
const secretsOf: Record<SourceKind, readonly string[]> = {
  kafka: ["credentials", "schemaRegistry.credentials"].flatMap((path) => [
    `source.kafka.${path}.username`,
    `source.kafka.${path}.password`,
  ]),
  objectStorage: ["connectionString", "accessKey.accessKeyId", "accessKey.secretKey"].map(
    (path) => `source.objectStorage.${path}`,
  ),
  kinesis: ["accessKeyId", "secretKey"].map((name) => `source.kinesis.accessKey.${name}`),
  postgres: ["username", "password"].map((name) => `source.postgres.credentials.${name}`),
};
const KINDS = Object.keys(secretsOf) as SourceKind[];

const canaryAt = (path: string, version: number): string =>
  canary(`${path.replaceAll(".", "-")}-v${path.includes("schemaRegistry") ? 1 : version}`);
const hidden = [
  keySecret,
  `key-id:${keySecret}`,
  ...[1, 2].flatMap((version) =>
    KINDS.flatMap((kind) => secretsOf[kind].map((path) => canaryAt(path, version))),
  ),
];

/** A pipe with every field, whose secrets are canaries. */
const pipeOf = (kind: SourceKind, version: number): JsonObject =>
  secretsOf[kind].reduce<JsonObject>((args, path) => withValue(args, path, canaryAt(path, version)), {
    ...complete[kind],
    name: kind,
    deletionPolicy: "delete",
  });

let simulator: Simulator;
let plugin: Plugin;
/** What the engine receives and may print, by the name of a step: answers without what is marked as secret, and errors. */
const texts: Record<string, string> = {};

beforeAll(async () => {
  simulator = await newSimulator({ accounts: [account] });
  plugin = await newPlugin(simulator);
});

const masked = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && isSecret(member) ? "[secret]" : member,
  );

/** Runs a step, and keeps what the engine receives. */
async function see<T>(step: string, work: Promise<T>): Promise<T> {
  const result = await work;
  texts[step] = masked(result);
  return result;
}

afterEach(() => {
  expect(leaks({ ...texts, lines: JSON.stringify(plugin.lines) }, hidden)).toEqual([]);
});

test.each(KINDS)("no answer about a %s pipe holds a secret that is not marked", async (kind) => {
  const of = urnOf(kind);
  const { inputs, failures } = await see(`${kind}: check`, plugin.check(pipeOf(kind, 1), {}, of));
  expect([failures, texts[`${kind}: check`]]).toEqual([[], expect.stringContaining("[secret]")]);
  await see(`${kind}: preview`, plugin.create(inputs, { of, preview: true }));
  const { id, outputs } = await see(`${kind}: create`, plugin.create(inputs, { of }));
  const changed = await see(`${kind}: check again`, plugin.check(pipeOf(kind, 2), inputs, of));
  const diff = await plugin.diff(id, outputs, changed.inputs);
  texts[`${kind}: diff`] = JSON.stringify(diff.toObject());
  expect(diff.getChanges()).toBe(pb.DiffResponse.DiffChanges.DIFF_SOME);
  const updated = await see(`${kind}: update`, plugin.update(id, outputs, changed.inputs, { of }));
  await see(`${kind}: refresh`, plugin.read(id, updated));
  await see(`${kind}: import`, plugin.read(id));
  await see(`${kind}: getPipe`, plugin.invoke("getPipe", { id }));
});

test("a secret that the API returns where the program declares none is marked, or left out by an import and by a function", async () => {
  const connectionString = canaryAt("source.objectStorage.connectionString", 2);
  const of = urnOf("undeclared");
  const { source } = complete.objectStorage as { source: { objectStorage: JsonObject } };
  const { connectionString: _declared, ...rest } = source.objectStorage;
  const { inputs } = await plugin.check(
    { source: { objectStorage: rest }, destination: { table: "t" } },
    {},
    of,
  );
  const { id, outputs } = await plugin.create(inputs, { of });
  simulator.control.editPipe(id, { source: { objectStorage: { connectionString } } });
  const later = await newPlugin(simulator);
  const read = await see("undeclared: refresh", later.read(id, outputs));
  expect(JSON.stringify(read.outputs["observed"])).toContain(
    JSON.stringify(secretMarker(connectionString)).slice(1, -1),
  );
  const imported = await see("undeclared: import", later.read(id));
  expect(JSON.stringify(imported.inputs)).not.toContain("connectionString");
  const [one, all] = [
    await see("getPipe", plugin.invoke("getPipe", { id })),
    await see("getPipes", plugin.invoke("getPipes", {})),
  ];
  for (const answer of [one, all])
    expect(JSON.stringify(answer)).not.toMatch(/connectionString|credentials|accessKey/);
});

test("errors show no secret that the server repeats, of pipes, of the other resources and of functions", async () => {
  const own = await newPlugin(simulator);
  const echo = { kind: "echo", withAuthorization: true, times: "always" } as const;
  for (const operationId of ["createPipe", "updateService", "createReversePrivateEndpoint"] as const)
    simulator.control.fault({ operationId, ...echo });
  for (const kind of KINDS) {
    const of = urnOf(`failing ${kind}`);
    const { inputs } = await own.check({ ...pipeOf(kind, 1), name: `failing ${kind}` }, {}, of);
    expect((await see(`${kind}: error`, failureOf(own.create(inputs, { of })))).message).toMatch(
      /create pipe.*400/,
    );
  }
  const endpoint = urnOf("endpoint", "datapipes:index:ReversePrivateEndpoint");
  const { inputs } = await own.check({ description: keySecret, type: "VPC_ENDPOINT_SERVICE" }, {}, endpoint);
  texts["endpoint"] = (await failureOf(own.create(inputs, { of: endpoint }))).message;
  const service = urnOf("service", "datapipes:index:ServiceSettings");
  const settings = await own.check({ name: "Shop" }, {}, service);
  texts["service"] = (await failureOf(own.create(settings.inputs, { of: service }))).message;
  expect([texts["endpoint"], texts["service"]]).toEqual([
    expect.stringMatching(/400/),
    expect.stringMatching(/400/),
  ]);
  simulator.control.fault({ operationId: "listBackups", ...echo });
  texts["getBackups"] = (await failureOf(plugin.invoke("getBackups", {}))).message;
  texts["own"] = JSON.stringify(own.lines);
  simulator.control.clearFaults();
});

test("the failures of a check show no secret, wherever the program writes it", async () => {
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
  texts["failures"] = JSON.stringify(
    failures.filter(([, reason = ""]) => !reason.includes("is not an argument")),
  );
  expect(failures.length).toBeGreaterThan(4);
  texts["function"] = (await failureOf(plugin.invoke("getPipe", { id: { password: secret } }))).message;
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
  const { inputs } = await plugin.check({ ...pipeOf("kafka", 1), name: "marked" }, {}, of);
  const { id, outputs } = await plugin.create(inputs, { of });
  const { url, account: own } = simulator;
  const answer = await fetch(
    `${url}/v1/organizations/${own.organizationId}/services/${own.serviceIds[0] ?? ""}/pipes`,
    { headers: { authorization: `Basic ${Buffer.from(`key-id:${keySecret}`).toString("base64")}` } },
  );
  const body = (await answer.json()) as { result: Record<string, unknown>[] };
  const pipe = body.result.find((one) => one["id"] === id);
  Object.assign(pipe ?? {}, {
    state: UNKNOWN_MARKER,
    extra: SIGNATURES.map((signature) => ({ [SIGNATURE_KEY]: signature, path: "/etc/hostname", value: "v" })),
    [SIGNATURE_KEY]: SIGNATURES[0],
  });
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 200, body, times: "always" });
  const later = await newPlugin(simulator);
  const read = await later.read(id, outputs);
  const invoked = await later.invoke("getPipe", { id });
  simulator.control.clearFaults();
  for (const answered of [read.outputs, read.inputs, invoked])
    for (const mark of [SIGNATURE_KEY, UNKNOWN_MARKER]) expect(masked(answered)).not.toContain(mark);
  // The rest of such a member stays, and the text is in capitals.
  expect(read.outputs).toMatchObject({
    state: UNKNOWN_MARKER.toUpperCase(),
    observed: { extra: SIGNATURES.map(() => ({ path: "/etc/hostname", value: "v" })) },
  });
});
