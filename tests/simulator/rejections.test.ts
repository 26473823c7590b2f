import type { Simulator } from "../../simulator/src/index";
import { call, createPipe, start } from "./client";
import { BODIES, ENDPOINTS, KAFKA, ORDERS_MAPPING, POSTGRES } from "./client";
import { tableMapping } from "../kit/pipes";

type Kind = keyof typeof BODIES;

let simulator: Simulator;
const ids: Partial<Record<Kind, string>> = {};

beforeAll(async () => {
  simulator = await start({ stateSeconds: 0 });
  for (const kind of Object.keys(BODIES) as Kind[])
    ids[kind] = (await createPipe(simulator, BODIES[kind])).id;
});

/** Sends a body that changes nothing, and returns what the refusal says. */
async function refusalOf(method: string, path: string, body: object): Promise<string[]> {
  const { pipes, endpoints, services } = simulator.control.state();
  const { status, envelope } = await call(simulator, method, path, body);
  expect(simulator.control.state()).toMatchObject({ pipes, endpoints, services });
  expect(status).toBe(400);
  expect(envelope.status).toBe(400);
  expect(envelope.error).toMatch(/^BAD_REQUEST: /);
  return envelope.error?.slice("BAD_REQUEST: ".length).split(/; (?!missing)/) ?? [];
}

const createdWith = (body: object) => refusalOf("POST", "/pipes", body);
const updatedWith = (body: object, kind: Kind) => refusalOf("PATCH", `/pipes/${ids[kind] ?? ""}`, body);

/** What a refusal says of a field, and values of which it says so. */
interface Rule {
  readonly says: string;
  readonly wrong: readonly unknown[];
}

const REQUIRED: Rule = { says: "is required", wrong: [undefined] };
const NOT_NULL: Rule = { says: "is required and must not be null", wrong: [null] };
const UNKNOWN: Rule = { says: "is not a field of this operation", wrong: [{}] };
const STRING: Rule = { says: "must be string", wrong: [1, null, {}] };
const STRING_OR_NULL: Rule = { says: "must be string or null", wrong: [1] };
const INTEGER: Rule = { says: "must be integer", wrong: ["1", 1.5, null] };
const NUMBER: Rule = { says: "must be number", wrong: ["1", null] };
const BOOLEAN: Rule = { says: "must be boolean", wrong: ["true", 1, null] };
const OBJECT: Rule = { says: "must be object", wrong: ["x", [], null] };
const ARRAY: Rule = { says: "must be array", wrong: ["x", {}, null] };
const UUID: Rule = { says: "must be a UUID", wrong: ["x"] };
const ENDPOINT_TYPE: Rule = {
  says: "must be one of VPC_ENDPOINT_SERVICE, VPC_RESOURCE, MSK_MULTI_VPC",
  wrong: ["VPC"],
};
const AUTHENTICATION: Rule = { says: "must be one of SASL_IAM, SASL_SCRAM", wrong: ["TLS"] };
const CHANNEL: Rule = { says: "must be one of slow, default, fast", wrong: ["regular"] };
const DESCRIPTION: Rule = { says: "must have at most 255 characters", wrong: ["d".repeat(256)] };
const ALPHANUMERIC: Rule = { says: "must be alphanumeric with whitespace", wrong: ["my-service"] };
const SERVICE_NAME: Rule = { says: "must have at most 50 characters", wrong: ["n".repeat(51)] };

/** A row for each of these paths. */
const fields = <T>(rule: Rule, of: T, ...paths: readonly string[]) =>
  paths.map((path) => ({ path, rule, of }));

/** The body with a value at a path. */
function having(body: object, path: string, value: unknown): object {
  const changed = structuredClone(body);
  const names = path.match(/\w+/g) ?? [];
  const last = names.pop() ?? "";
  let owner = changed as Record<string, unknown>;
  names.forEach((name, index) => {
    const isList = (names[index + 1] ?? last) === "0";
    owner = (owner[name] ??= isList ? [] : {}) as Record<string, unknown>;
  });
  owner[last] = value;
  return changed;
}

/** Each wrong value at the path is refused for nothing else. */
async function expectRefused(
  send: (body: object) => Promise<string[]>,
  { path, rule }: { path: string; rule: Rule },
  body: object,
): Promise<void> {
  for (const value of rule.wrong) {
    const texts = await send(having(body, path, value));
    expect({ value, texts }).toEqual({ value, texts: [`${path} ${rule.says}`] });
  }
}

test.each([
  ...fields(REQUIRED, KAFKA, "name", "source", "destination"),
  ...fields(STRING, KAFKA, "name", "destination.columns[0].type"),
  ...fields(INTEGER, KAFKA, "scaling.replicas", "scaling.replicaCpuMillicores"),
  ...fields(NUMBER, KAFKA, "scaling.replicaMemoryGb"),
  ...fields(BOOLEAN, KAFKA, "destination.managedTable"),
  ...fields(OBJECT, KAFKA, "source.kafka"),
  ...fields(ARRAY, KAFKA, "destination.tableDefinition.sortingKey"),
  ...fields(UUID, KAFKA, "source.kafka.reversePrivateEndpointIds[0]"),
  ...fields(UNKNOWN, KAFKA, "adopt", "state", "settings.dbmsMaxThreads", "source.kafka.broker"),
  ...fields(UNKNOWN, POSTGRES, "source.postgres.tableMappingsToAdd"),
])("createPipe refuses a wrong $path: it $rule.says", async ({ of: body, ...field }) => {
  await expectRefused(createdWith, field, body);
});

test.each([
  ...fields<Kind>(STRING_OR_NULL, "kafka", "name"),
  ...fields<Kind>(OBJECT, "kafka", "settings"),
  ...fields<Kind>(UNKNOWN, "kafka", "scaling", "destination.table", "destination.roles"),
  ...fields<Kind>(UNKNOWN, "kafka", "source.kafka.brokers", "source.kafka.offset"),
  ...fields<Kind>(UNKNOWN, "kafka", "source.kafka.schemaRegistry"),
  ...fields<Kind>(UNKNOWN, "objectStorage", "source.objectStorage.url"),
  ...fields<Kind>(UNKNOWN, "kinesis", "source.kinesis.streamName"),
  ...fields<Kind>(UNKNOWN, "postgres", "source.postgres.tableMappings"),
  ...fields<Kind>(UNKNOWN, "postgres", "source.postgres.settings.publicationName"),
  ...fields<Kind>(INTEGER, "postgres", "source.postgres.port"),
])("updatePipe refuses a wrong $path: it $rule.says", async ({ of: kind, ...field }) => {
  await expectRefused((body) => updatedWith(body, kind), field, {});
});

const SERVICE = { type: "VPC_ENDPOINT_SERVICE" };
const RESOURCE = { type: "VPC_RESOURCE", vpcResourceConfigurationId: "x", vpcResourceShareArn: "x" };
const CLUSTER = { type: "MSK_MULTI_VPC", mskClusterArn: "x", mskAuthentication: "SASL_IAM" };

test.each([
  ...fields(REQUIRED, SERVICE, "type"),
  ...fields(ENDPOINT_TYPE, SERVICE, "type"),
  ...fields(DESCRIPTION, SERVICE, "description"),
  ...fields(UNKNOWN, SERVICE, "status"),
  ...fields(REQUIRED, RESOURCE, "vpcResourceConfigurationId", "vpcResourceShareArn"),
  ...fields(NOT_NULL, RESOURCE, "vpcResourceConfigurationId", "vpcResourceShareArn"),
  ...fields(REQUIRED, CLUSTER, "mskClusterArn", "mskAuthentication"),
  ...fields(NOT_NULL, CLUSTER, "mskClusterArn", "mskAuthentication"),
  ...fields(AUTHENTICATION, CLUSTER, "mskAuthentication"),
])("createReversePrivateEndpoint refuses a wrong $path: it $rule.says", async ({ of: body, ...field }) => {
  await expectRefused((wrong) => refusalOf("POST", ENDPOINTS, wrong), field, body);
});

test.each([
  ...fields(ALPHANUMERIC, {}, "name"),
  ...fields(SERVICE_NAME, {}, "name"),
  ...fields(STRING, {}, "name", "privateEndpointIds.add[0]"),
  ...fields(OBJECT, {}, "ipAccessList", "ipAccessList.add[0]"),
  ...fields(CHANNEL, {}, "releaseChannel"),
  ...fields(BOOLEAN, {}, "endpoints[0].enabled"),
  ...fields(UNKNOWN, {}, "idleScaling", "endpoints[0].port", "privateEndpointIds.set"),
  ...fields(UNKNOWN, {}, "ipAccessList.remove[0].cidr"),
])("updateService refuses a wrong $path: it $rule.says", async ({ of: body, ...field }) => {
  await expectRefused((wrong) => refusalOf("PATCH", "", wrong), field, body);
});

test("a refusal names each wrong field", async () => {
  expect(await createdWith({ ...KAFKA, name: 1, adopt: "x" })).toEqual([
    "adopt is not a field of this operation",
    "name must be string",
  ]);
});

const ONE_KIND = "source must have exactly one of kafka, objectStorage, kinesis, postgres";
const { fieldMappings } = KAFKA;
const startingAt = (timestamp: string) => having(KAFKA, "source.kafka.offset.timestamp", timestamp);
const FORM = "source.kafka.offset.timestamp must have the format";
const DATE = "source.kafka.offset.timestamp must be a date";

test.each([
  { what: "no source", says: ONE_KIND, body: { ...KAFKA, source: {} } },
  { what: "two sources", says: ONE_KIND, body: { ...KAFKA, source: { ...KAFKA.source, kinesis: {} } } },
  { what: "a list as its body", says: "the body must be a JSON object", body: [] },
  { what: "no mappings", says: "missing: id, note", body: { ...KAFKA, fieldMappings: undefined } },
  {
    what: "a column without a mapping",
    says: "missing: note",
    body: { ...KAFKA, fieldMappings: fieldMappings.slice(0, 1) },
  },
  { what: "seconds in an offset", says: FORM, body: startingAt("2026-01-31T00:00:00") },
  { what: "a zone in an offset", says: FORM, body: startingAt("2026-01-31T00:00Z") },
  { what: "a space in an offset", says: FORM, body: startingAt("2026-01-31 00:00") },
  { what: "a day that does not exist", says: DATE, body: startingAt("2026-02-30T00:00") },
  { what: "an hour that does not exist", says: DATE, body: startingAt("2026-01-31T24:00") },
])("createPipe refuses $what: $says", async ({ says, body }) => {
  expect(await createdWith(body)).toEqual([expect.stringContaining(says)]);
});

test("updatePipe refuses a source of another kind", async () => {
  const says = "source.kinesis is not the kind of this pipe, which is kafka";
  expect(await updatedWith({ source: { kinesis: {} } }, "kafka")).toEqual([says]);
});

test("updatePipe refuses mappings without the columns", async () => {
  const says = "fieldMappings need destination.columns in the same body";
  expect(await updatedWith({ fieldMappings }, "kafka")).toEqual([says]);
});

const A = tableMapping("a");
const OTHER_TARGET = { ...ORDERS_MAPPING, targetTable: "other" };

test.each([
  { says: "ToRemove[0].excludedColumns", add: [], remove: [{ ...A, excludedColumns: [] }] },
  { says: "ToRemove must leave at least one", add: [], remove: [ORDERS_MAPPING] },
  { says: "ToRemove[0] does not exist", add: [], remove: [A] },
  { says: "ToAdd[0] exists already", add: [ORDERS_MAPPING], remove: [] },
  { says: "ToAdd[1] exists already", add: [A, A], remove: [] },
  { says: "ToAdd[0] has a source table", add: [OTHER_TARGET], remove: [ORDERS_MAPPING] },
])("updatePipe says of table mappings: $says", async ({ says, add, remove }) => {
  const postgres = { tableMappingsToAdd: add, tableMappingsToRemove: remove };
  const texts = await updatedWith({ source: { postgres } }, "postgres");
  expect(texts).toEqual([expect.stringContaining(`source.postgres.tableMappings${says}`)]);
});

test("a body with a hundred thousand failures is refused like any other", async () => {
  const fieldMappings = Array.from({ length: 100_000 }, () => ({ sourceField: 1 }));
  const texts = await createdWith({ ...KAFKA, fieldMappings });
  expect(texts).toContain("fieldMappings[0].sourceField must be string");
  expect(texts.at(-1)).toMatch(/and \d+ more$/);
});

test("no refusal repeats a value of the body", async () => {
  const credentials = { username: ["hidden-1"], password: { a: "hidden-2" } };
  const postgres = { ...POSTGRES.source.postgres, credentials, host: ["hidden-3"] };
  const malformed = { raw: '{"source":{"kafka":{"credentials":{"password":"hidden-4"' };
  const answers = [
    await call(simulator, "POST", "/pipes", { ...POSTGRES, source: { postgres } }),
    await call(simulator, "POST", "/pipes", undefined, malformed),
  ];
  for (const { text } of answers) expect(text).not.toContain("hidden");
});
