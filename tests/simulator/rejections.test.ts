import type { Simulator } from "../../simulator/src/index";
import { call, createPipe, start } from "./client";
import { BODIES, ENDPOINTS, KAFKA, ORDERS_MAPPING, POSTGRES } from "./client";
import { tableMapping } from "../kit/pipes";

type Operation = "createPipe" | "updatePipe" | "createReversePrivateEndpoint" | "updateService";

const UNKNOWN = "is not a field of this operation";
const MISSING = "is required and must not be null";
const ENDPOINT_TYPES = "must be one of VPC_ENDPOINT_SERVICE, VPC_RESOURCE, MSK_MULTI_VPC";
const CHANNELS = "must be one of slow, default, fast";

/** The values of which a refusal says it. */
const WRONG: Readonly<Record<string, unknown[]>> = {
  "is required": [undefined],
  [MISSING]: [null],
  [UNKNOWN]: [{}],
  "must be string": [1, null, {}],
  "must be string or null": [1],
  "must be integer": ["1", 1.5, null],
  "must be number": ["1", null],
  "must be boolean": ["true", 1, null],
  "must be object": ["x", [], null],
  "must be array": ["x", {}, null],
  "must be a UUID": ["x"],
  [ENDPOINT_TYPES]: ["VPC"],
  "must be one of SASL_IAM, SASL_SCRAM": ["TLS"],
  [CHANNELS]: ["regular"],
  "must have at most 255 characters": ["d".repeat(256)],
  "must be alphanumeric with whitespace": ["my-service"],
  "must have at most 50 characters": ["n".repeat(51)],
};

/** What a refusal says of the fields with these paths in a body that is otherwise right. */
type Row = [says: string, paths: string, body?: object];

const RESOURCE = { type: "VPC_RESOURCE", vpcResourceConfigurationId: "x", vpcResourceShareArn: "x" };
const CLUSTER = { type: "MSK_MULTI_VPC", mskClusterArn: "x", mskAuthentication: "SASL_IAM" };

const ROWS: Record<Operation, Row[]> = {
  createPipe: [
    ["is required", "name source destination"],
    ["must be string", "name source.kafka.brokers source.kafka.iamRole source.kafka.offset.timestamp"],
    ["must be string", "source.kafka.schemaRegistry.credentials.password destination.columns[0].type"],
    ["must be string", "destination.roles[0] fieldMappings[0].sourceField"],
    ["must be string", "source.objectStorage.compression source.objectStorage.accessKey.secretKey"],
    ["must be string", "source.postgres.tableMappings[0].excludedColumns[0]"],
    ["must be integer", "scaling.replicas settings.object_storage_concurrency source.kinesis.timestamp"],
    ["must be integer", "source.postgres.port source.postgres.settings.pullBatchSize"],
    ["must be number", "scaling.replicaMemoryGb"],
    ["must be boolean", "settings.dbms_parallel_view_processing source.objectStorage.isContinuous"],
    ["must be boolean", "source.validateSamples destination.managedTable source.kinesis.useEnhancedFanOut"],
    ["must be boolean", "source.postgres.settings.enableFailoverSlots"],
    ["must be object", "source.kafka destination.tableDefinition.engine"],
    ["must be array", "source.kafka.reversePrivateEndpointIds destination.tableDefinition.sortingKey"],
    ["must be a UUID", "source.kafka.reversePrivateEndpointIds[0]"],
    [UNKNOWN, "adopt state scaling.cpu settings.dbmsMaxThreads source.mysql source.kafka.broker"],
    [UNKNOWN, "source.kafka.schemaRegistry.user destination.columns[0].nullable fieldMappings[0].type"],
    [UNKNOWN, "source.postgres.tableMappingsToAdd source.postgres.tableMappings[0].table"],
  ],
  updatePipe: [
    [UNKNOWN, "scaling source.kafka.brokers source.kafka.offset source.kafka.schemaRegistry"],
    [UNKNOWN, "source.objectStorage.url destination.table destination.roles"],
    [UNKNOWN, "source.kinesis.streamName"],
    [UNKNOWN, "source.postgres.tableMappings source.postgres.settings.publicationName"],
    ["must be string or null", "name"],
    ["must be object", "settings"],
    ["must be integer", "source.postgres.port"],
  ],
  createReversePrivateEndpoint: [
    ["is required", "type"],
    [ENDPOINT_TYPES, "type"],
    ["must have at most 255 characters", "description"],
    ["is required", "vpcResourceConfigurationId vpcResourceShareArn", RESOURCE],
    [MISSING, "vpcResourceConfigurationId vpcResourceShareArn", RESOURCE],
    ["is required", "mskClusterArn mskAuthentication", CLUSTER],
    [MISSING, "mskClusterArn mskAuthentication", CLUSTER],
    ["must be one of SASL_IAM, SASL_SCRAM", "mskAuthentication", CLUSTER],
    [UNKNOWN, "status"],
  ],
  updateService: [
    ["must be alphanumeric with whitespace", "name"],
    ["must have at most 50 characters", "name"],
    ["must be string", "name privateEndpointIds.add[0]"],
    ["must be object", "ipAccessList"],
    ["must be object", "ipAccessList.add[0]"],
    [CHANNELS, "releaseChannel"],
    ["must be boolean", "endpoints[0].enabled"],
    [UNKNOWN, "idleScaling endpoints[0].port privateEndpointIds.set ipAccessList.remove[0].cidr"],
  ],
};

/** The body with the value at these paths. */
function having(body: object, value: unknown, paths: readonly string[]): object {
  const changed = structuredClone(body);
  for (const path of paths) {
    let owner = changed as Record<string, unknown>;
    const names = path.match(/\w+/g) ?? [];
    names.forEach((name, index) => {
      const next = names[index + 1];
      if (next === undefined) owner[name] = value;
      else owner = (owner[name] ??= next === "0" ? [] : {}) as Record<string, unknown>;
    });
  }
  return changed;
}

type Kind = keyof typeof BODIES;

let simulator: Simulator;
const ids: Record<string, string> = {};

beforeAll(async () => {
  simulator = await start({ stateSeconds: 0 });
  for (const [kind, body] of Object.entries(BODIES)) ids[kind] = (await createPipe(simulator, body)).id;
});

/** Sends a body that changes nothing, and returns what the refusal says. */
async function refusalOf(operation: Operation, body: object, kind: Kind = "kafka"): Promise<string[]> {
  const [method, path] = {
    createPipe: ["POST", "/pipes"] as const,
    updatePipe: ["PATCH", `/pipes/${ids[kind] ?? ""}`] as const,
    createReversePrivateEndpoint: ["POST", ENDPOINTS] as const,
    updateService: ["PATCH", ""] as const,
  }[operation];
  const { pipes, endpoints, services } = simulator.control.state();
  const { status, envelope } = await call(simulator, method, path, body);
  expect(simulator.control.state()).toMatchObject({ pipes, endpoints, services });
  expect(status).toBe(400);
  expect(envelope.status).toBe(400);
  expect(envelope.error).toMatch(/^BAD_REQUEST: /);
  return envelope.error?.slice("BAD_REQUEST: ".length).split(/; (?!missing)/) ?? [];
}

describe.each(Object.keys(ROWS) as Operation[])("%s says of each field of a body that it", (operation) => {
  test.each(ROWS[operation])("%s: %s", async (...[says, paths, own]) => {
    const [, kind = "kafka"] = /source\.(objectStorage|kinesis|postgres)/.exec(paths) ?? [];
    const right = {
      updatePipe: {},
      updateService: {},
      createPipe: BODIES[kind as Kind],
      createReversePrivateEndpoint: { type: "VPC_ENDPOINT_SERVICE" },
    }[operation];
    const fields = paths.split(" ");
    const expected = fields.map((path) => `${path} ${says}`).sort();
    for (const value of WRONG[says] ?? []) {
      const texts = await refusalOf(operation, having(own ?? right, value, fields), kind as Kind);
      expect({ value, texts: texts.sort() }).toEqual({ value, texts: expected });
    }
  });
});

const ONE_KIND = "source must have exactly one of kafka, objectStorage, kinesis, postgres";
const { fieldMappings } = KAFKA;

const startingAt = (timestamp: string) => having(KAFKA, timestamp, ["source.kafka.offset.timestamp"]);
const FORM = "source.kafka.offset.timestamp must have the form";
const DATE = "source.kafka.offset.timestamp must be a date";

test.each<[operation: Operation, says: string, body: object]>([
  ["createPipe", ONE_KIND, { ...KAFKA, source: {} }],
  ["createPipe", ONE_KIND, { ...KAFKA, source: { ...KAFKA.source, kinesis: {} } }],
  ["createPipe", "the body must be a JSON object", []],
  ["createPipe", "destination.columns; missing: id, note", { ...KAFKA, fieldMappings: undefined }],
  ["createPipe", "missing: note", { ...KAFKA, fieldMappings: fieldMappings.slice(0, 1) }],
  ["createPipe", FORM, startingAt("2026-01-31T00:00:00")],
  ["createPipe", FORM, startingAt("2026-01-31T00:00Z")],
  ["createPipe", FORM, startingAt("2026-01-31 00:00")],
  ["createPipe", DATE, startingAt("2026-02-30T00:00")],
  ["createPipe", DATE, startingAt("2026-01-31T24:00")],
  ["updatePipe", "source.kinesis is not the kind of this pipe, which is kafka", { source: { kinesis: {} } }],
  ["updatePipe", "fieldMappings need destination.columns in the same body", { fieldMappings }],
])("%s refuses a body by a rule of the API: %s", async (operation, says, body) => {
  expect(await refusalOf(operation, body)).toEqual([expect.stringContaining(says)]);
});

const A = tableMapping("a");

test.each([
  ["ToRemove[0].excludedColumns", [], [{ ...A, excludedColumns: [] }]],
  ["ToRemove must leave at least one", [], [ORDERS_MAPPING]],
  ["ToRemove[0] does not exist", [], [A]],
  ["ToAdd[0] exists already", [ORDERS_MAPPING], []],
  ["ToAdd[1] exists already", [A, A], []],
  ["ToAdd[0] has a source table", [{ ...ORDERS_MAPPING, targetTable: "other" }], [ORDERS_MAPPING]],
])("updatePipe says of table mappings: %s", async (says, tableMappingsToAdd, tableMappingsToRemove) => {
  const postgres = { tableMappingsToAdd, tableMappingsToRemove };
  const texts = await refusalOf("updatePipe", { source: { postgres } }, "postgres");
  expect(texts).toEqual([expect.stringContaining(`source.postgres.tableMappings${says}`)]);
});

test("a body with a hundred thousand failures is refused like any other", async () => {
  const fieldMappings = Array.from({ length: 100_000 }, () => ({ sourceField: 1 }));
  const texts = await refusalOf("createPipe", { ...KAFKA, fieldMappings });
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
