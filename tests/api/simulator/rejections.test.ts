import type { Simulator } from "../../../simulator/src/index";
import { call, createPipe, mappingOf, start } from "./client";
import { BODIES, ENDPOINTS, KAFKA, ORDERS_MAPPING, POSTGRES } from "./client";

type Operation = "createPipe" | "updatePipe" | "createReversePrivateEndpoint" | "updateService";

/** What a refusal says of each value in a body that is otherwise right. */
type Row = [says: string, wrong: object, body?: object];

const UNKNOWN = "is not a field of this operation";
const MISSING = "is required and must not be null";
const RESOURCE = { type: "VPC_RESOURCE", vpcResourceConfigurationId: "x", vpcResourceShareArn: "x" };
const CLUSTER = { type: "MSK_MULTI_VPC", mskClusterArn: "x", mskAuthentication: "SASL_IAM" };

const ROWS: Record<Operation, Row[]> = {
  createPipe: [
    ["is required", { name: undefined, source: undefined, destination: undefined }],
    ["must be string", { name: 1, source: { kafka: { brokers: 2, iamRole: null } } }],
    ["must be string", { name: null, source: { kafka: { offset: { timestamp: 1_760_000_000 } } } }],
    ["must be string", { source: { kafka: { schemaRegistry: { credentials: { password: 1 } } } } }],
    ["must be string", { destination: { columns: [{ type: 1 }], roles: [1] } }],
    ["must be string", { fieldMappings: [{ sourceField: 1 }] }],
    ["must be string", { source: { objectStorage: { compression: null } } }],
    ["must be string", { source: { objectStorage: { accessKey: { secretKey: 1 } } } }],
    ["must be string", { source: { postgres: { tableMappings: [{ excludedColumns: [1] }] } } }],
    ["must be integer", { scaling: { replicas: 1.5 }, settings: { object_storage_concurrency: "1" } }],
    ["must be integer", { source: { kinesis: { timestamp: 1.5 } } }],
    ["must be integer", { source: { kinesis: { timestamp: "1" } } }],
    ["must be integer", { source: { postgres: { port: "5432", settings: { pullBatchSize: "1" } } } }],
    ["must be integer", { source: { postgres: { port: 5432.5 } } }],
    ["must be number", { scaling: { replicaMemoryGb: "1" } }],
    ["must be boolean", { source: { validateSamples: "y" }, destination: { managedTable: "x" } }],
    ["must be boolean", { settings: { dbms_parallel_view_processing: 1 } }],
    ["must be boolean", { source: { objectStorage: { isContinuous: "true" } } }],
    ["must be boolean", { source: { kinesis: { useEnhancedFanOut: 1 } } }],
    ["must be boolean", { source: { postgres: { settings: { enableFailoverSlots: "no" } } } }],
    ["must be object", { source: { kafka: null } }],
    ["must be object", { destination: { tableDefinition: { engine: "x" } } }],
    ["must be array", { source: { kafka: { reversePrivateEndpointIds: "x" } } }],
    ["must be array", { destination: { roles: "x", tableDefinition: { sortingKey: "x" } } }],
    ["must be a UUID", { source: { kafka: { reversePrivateEndpointIds: ["x"] } } }],
    [UNKNOWN, { adopt: true, state: "Running", scaling: { cpu: 1 }, settings: { dbmsMaxThreads: 1 } }],
    [UNKNOWN, { source: { mysql: {}, kafka: { broker: "b", credentials: { token: "x" } } } }],
    [UNKNOWN, { source: { kafka: { schemaRegistry: { user: "x" } } }, fieldMappings: [{ type: "x" }] }],
    [UNKNOWN, { destination: { schema: "x", columns: [{ nullable: true }] } }],
    [UNKNOWN, { destination: { tableDefinition: { engine: { type: "x" } } } }],
    [UNKNOWN, { source: { objectStorage: { credentials: {}, accessKey: { sessionToken: "x" } } } }],
    [UNKNOWN, { source: { kinesis: { stream: "x" } } }],
    [UNKNOWN, { source: { postgres: { tableMappingsToAdd: [], tableMappings: [{ table: "x" }] } } }],
  ],
  updatePipe: [
    [UNKNOWN, { scaling: {}, source: { kafka: { brokers: "x", offset: {}, schemaRegistry: {} } } }],
    [UNKNOWN, { destination: { table: "x", roles: [] } }],
    [UNKNOWN, { source: { objectStorage: { url: "x" } } }],
    [UNKNOWN, { source: { kinesis: { streamName: "x" } } }],
    [UNKNOWN, { source: { postgres: { tableMappings: [], settings: { publicationName: "x" } } } }],
    ["must be string or null", { name: 1 }],
    ["must be object", { settings: null }],
    ["must be integer", { source: { postgres: { port: "1" } } }],
  ],
  createReversePrivateEndpoint: [
    ["is required", { type: undefined }, { description: "x" }],
    ["must be one of VPC_ENDPOINT_SERVICE, VPC_RESOURCE, MSK_MULTI_VPC", { type: "VPC" }],
    ["must have at most 255 characters", { description: "d".repeat(256) }],
    ["is required", { vpcResourceShareArn: undefined }, RESOURCE],
    [MISSING, { vpcResourceConfigurationId: null }, RESOURCE],
    ["is required", { mskClusterArn: undefined }, CLUSTER],
    [MISSING, { mskAuthentication: null }, CLUSTER],
    ["must be one of SASL_IAM, SASL_SCRAM", { mskAuthentication: "TLS" }, CLUSTER],
    [UNKNOWN, { status: "Ready" }],
  ],
  updateService: [
    ["must be alphanumeric with whitespace", { name: "my-service" }],
    ["must have at most 50 characters", { name: "n".repeat(51) }],
    ["must be string", { name: null, privateEndpointIds: { add: [{}] } }],
    ["must be object", { ipAccessList: [] }],
    ["must be object", { ipAccessList: { add: ["10.0.0.0/8"] } }],
    ["must be one of slow, default, fast", { releaseChannel: "regular" }],
    ["must be boolean", { endpoints: [{ enabled: "yes" }] }],
    [UNKNOWN, { idleScaling: true, endpoints: [{ port: 1 }], privateEndpointIds: { set: [] } }],
    [UNKNOWN, { ipAccessList: { remove: [{ cidr: "x" }] } }],
  ],
};

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

/** The body with the values in place of its own. */
function merged(body: unknown, wrong: unknown): unknown {
  if (!hasMembers(wrong)) return wrong;
  const own = (body ?? {}) as Record<string, unknown>;
  const members = Object.entries(wrong).map(([name, value]) => [name, merged(own[name], value)]);
  return Object.assign(Array.isArray(wrong) ? [] : {}, own, Object.fromEntries(members)) as unknown;
}

/** The paths of the values that have no members. */
const leavesOf = (wrong: object, at = ""): string[] =>
  Object.entries(wrong).flatMap(([name, value]: [string, unknown]) => {
    const path = Array.isArray(wrong) ? `${at}[${name}]` : at === "" ? name : `${at}.${name}`;
    return hasMembers(value) ? leavesOf(value, path) : [path];
  });

const kindIn = ({ source = {} }: { source?: object }) =>
  (Object.keys(source).find((kind) => kind in BODIES) ?? "kafka") as keyof typeof BODIES;

let simulator: Simulator;
const ids: Record<string, string> = {};

beforeAll(async () => {
  simulator = await start({ stateSeconds: 0 });
  for (const [kind, body] of Object.entries(BODIES)) ids[kind] = (await createPipe(simulator, body)).id;
});

/** Sends a body that changes nothing, and returns what the refusal says. */
async function refusalOf(operation: Operation, body: object, kind = kindIn(body)): Promise<string[]> {
  const [method, path] = {
    createPipe: ["POST", "/pipes"] as const,
    updatePipe: ["PATCH", `/pipes/${ids[kind] ?? ""}`] as const,
    createReversePrivateEndpoint: ["POST", ENDPOINTS] as const,
    updateService: ["PATCH", ""] as const,
  }[operation];
  const { pipes, endpoints, services } = simulator.control.state();
  const { status, envelope } = await call(simulator, method, path, body);
  expect(simulator.control.state()).toMatchObject({ pipes, endpoints, services });
  expect([status, envelope.status]).toEqual([400, 400]);
  expect(envelope.error).toMatch(/^BAD_REQUEST: /);
  return envelope.error?.slice("BAD_REQUEST: ".length).split("; ") ?? [];
}

describe.each(Object.keys(ROWS) as Operation[])("%s says of each field of a body that it", (operation) => {
  test.each(ROWS[operation])("%s: %j", async (...[says, wrong, own]) => {
    const right = {
      ...{ updatePipe: {}, updateService: {} },
      createPipe: BODIES[kindIn(wrong)],
      createReversePrivateEndpoint: { type: "VPC_ENDPOINT_SERVICE" },
    }[operation];
    const texts = await refusalOf(operation, merged(own ?? right, wrong) as object);
    expect(texts.sort()).toEqual(
      leavesOf(wrong)
        .map((path) => `${path} ${says}`)
        .sort(),
    );
  });
});

const ONE_KIND = "source must have exactly one of kafka, objectStorage, kinesis, postgres";

test.each([
  [{ ...KAFKA, source: {} }, ONE_KIND],
  [{ ...KAFKA, source: { ...KAFKA.source, kinesis: {} } }, ONE_KIND],
  [[], "the body must be a JSON object"],
  [
    { ...KAFKA, fieldMappings: undefined },
    "fieldMappings must cover all of destination.columns; missing: id, note",
  ],
  [
    { ...KAFKA, fieldMappings: KAFKA.fieldMappings.slice(0, 1) },
    "fieldMappings must cover all of destination.columns; missing: note",
  ],
])("createPipe refuses a body by the rules of the API: %j", async (body, says) => {
  expect((await refusalOf("createPipe", body)).join("; ")).toContain(says);
});

test.each([
  ["2026-01-31T00:00:00", "must have the form"],
  ["2026-01-31T00:00Z", "must have the form"],
  ["2026-01-31 00:00", "must have the form"],
  ["2026-02-30T00:00", "must be a date"],
  ["2026-01-31T24:00", "must be a date"],
])("createPipe says of the offset %s that it %s", async (timestamp, says) => {
  const body = merged(KAFKA, { source: { kafka: { offset: { timestamp } } } }) as object;
  expect(await refusalOf("createPipe", body)).toEqual([
    expect.stringContaining(`source.kafka.offset.timestamp ${says}`),
  ]);
});

const A = mappingOf("a");

test.each([
  ["ToRemove[0].excludedColumns", { tableMappingsToRemove: [{ excludedColumns: [] }] }],
  ["ToRemove must leave at least one", { tableMappingsToRemove: [ORDERS_MAPPING] }],
  ["ToRemove[0] does not exist", { tableMappingsToRemove: [A] }],
  ["ToAdd[0] exists already", { tableMappingsToAdd: [ORDERS_MAPPING] }],
  ["ToAdd[1] exists already", { tableMappingsToAdd: [A, A] }],
  [
    "ToAdd[0] has a source table",
    {
      tableMappingsToAdd: [{ ...ORDERS_MAPPING, targetTable: "other" }],
      tableMappingsToRemove: [ORDERS_MAPPING],
    },
  ],
])("updatePipe says of table mappings: %s", async (says, postgres) => {
  const texts = await refusalOf("updatePipe", { source: { postgres } });
  expect(texts.join("; ")).toContain(`source.postgres.tableMappings${says}`);
});

test.each([
  [{ source: { kinesis: { iamRole: "x" } } }, "source.kinesis is not the kind of this pipe, which is kafka"],
  [{ fieldMappings: KAFKA.fieldMappings }, "fieldMappings need destination.columns in the same body"],
])("updatePipe refuses %j of a kafka pipe", async (body, says) => {
  expect(await refusalOf("updatePipe", body, "kafka")).toEqual([says]);
});

test("one refusal names everything that is wrong with the body", async () => {
  const wrong = { name: 1, source: { kafka: { x: 1 } }, destination: { y: 1 }, settings: { z: 1 } };
  const unknown = ["source.kafka.x", "destination.y", "settings.z"].map((path) => `${path} ${UNKNOWN}`);
  const texts = await refusalOf("createPipe", merged(KAFKA, wrong) as object);
  expect(texts.sort()).toEqual(["name must be string", ...unknown].sort());
});

test("a body with a hundred thousand failures is refused like any other", async () => {
  const fieldMappings = Array.from({ length: 100_000 }, () => ({ sourceField: 1 }));
  const texts = await refusalOf("createPipe", { ...KAFKA, fieldMappings });
  expect(texts).toContain("fieldMappings[0].sourceField must be string");
  expect(texts.at(-1)).toMatch(/and \d+ more$/);
});

test("no refusal repeats a value of the body", async () => {
  const credentials = { username: ["hidden-1"], password: { a: "hidden-2" } };
  const body = merged(POSTGRES, { source: { postgres: { credentials, host: ["hidden-3"] } } });
  const malformed = { raw: '{"source":{"kafka":{"credentials":{"password":"hidden-4"' };
  const answers = [
    await call(simulator, "POST", "/pipes", body),
    await call(simulator, "POST", "/pipes", undefined, malformed),
  ];
  for (const { text } of answers) expect(text).not.toContain("hidden");
});
