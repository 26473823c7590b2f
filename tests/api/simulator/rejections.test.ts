import type { Simulator } from "../../../simulator/src/index";
import {
  KAFKA,
  KINESIS,
  OBJECT_STORAGE,
  ORDERS_MAPPING,
  POSTGRES,
  call,
  createPipe,
  start,
  stopAll,
} from "./client";

type Row = [why: string, named: string, body: unknown];

const kafka = (fields: object): object => ({
  ...KAFKA,
  source: { kafka: { ...KAFKA.source.kafka, ...fields } },
});
const storage = (fields: object): object => ({ ...OBJECT_STORAGE, source: { objectStorage: fields } });
const kinesis = (fields: object): object => ({ ...KINESIS, source: { kinesis: fields } });
const postgres = (fields: object): object => ({ ...POSTGRES, source: { postgres: fields } });
const destination = (fields: object): object => ({ ...OBJECT_STORAGE, destination: fields });
const at = (timestamp: unknown): object => kafka({ offset: { timestamp } });

const CREATE: Row[] = [
  ["name is missing", "name is required", { ...KAFKA, name: undefined }],
  ["name is null", "name must be string", { ...KAFKA, name: null }],
  ["name is a number", "name must be string", { ...KAFKA, name: 1 }],
  ["source is missing", "source is required", { ...KAFKA, source: undefined }],
  ["source has no kind", "source must have exactly one of", { ...KAFKA, source: {} }],
  [
    "source has two kinds",
    "source must have exactly one of",
    { ...KAFKA, source: { kafka: {}, kinesis: {} } },
  ],
  [
    "source has an unknown kind",
    "source.mysql is not a field",
    { ...KAFKA, source: { ...KAFKA.source, mysql: {} } },
  ],
  ["kind is null", "source.kafka must be object", { ...KAFKA, source: { kafka: null } }],
  [
    "validateSamples is text",
    "source.validateSamples",
    { ...KAFKA, source: { ...KAFKA.source, validateSamples: "y" } },
  ],
  ["destination is missing", "destination is required", { ...KAFKA, destination: undefined }],
  ["unknown top field", "adopt is not a field", { ...KAFKA, adopt: true }],
  ["state is not for requests", "state is not a field", { ...KAFKA, state: "Running" }],
  [
    "camelCase setting",
    "settings.dbmsMaxThreads is not a field",
    { ...KAFKA, settings: { dbmsMaxThreads: 1 } },
  ],
  ["brokers is a list", "source.kafka.brokers must be string", kafka({ brokers: ["b"] })],
  ["unknown kafka field", "source.kafka.broker is not a field", kafka({ broker: "b" })],
  ["iamRole is null", "source.kafka.iamRole must be string", kafka({ iamRole: null })],
  ["timestamp has seconds", "source.kafka.offset.timestamp must have the form", at("2026-01-31T00:00:00")],
  ["timestamp has a zone", "source.kafka.offset.timestamp must have the form", at("2026-01-31T00:00Z")],
  ["timestamp has a space", "source.kafka.offset.timestamp must have the form", at("2026-01-31 00:00")],
  ["timestamp is no real date", "source.kafka.offset.timestamp must be a date", at("2026-02-30T00:00")],
  ["timestamp is no real time", "source.kafka.offset.timestamp must be a date", at("2026-01-31T24:00")],
  ["timestamp is a number", "source.kafka.offset.timestamp must be string", at(1_760_000_000)],
  ["unknown offset field", "source.kafka.offset.at is not a field", kafka({ offset: { at: "x" } })],
  ["registry's unknown field", "source.kafka.schemaRegistry.user", kafka({ schemaRegistry: { user: "x" } })],
  [
    "registry's password",
    "source.kafka.schemaRegistry.credentials.password must be string",
    kafka({ schemaRegistry: { credentials: { password: 1 } } }),
  ],
  [
    "endpoint ids are text",
    "source.kafka.reversePrivateEndpointIds must be array",
    kafka({ reversePrivateEndpointIds: "x" }),
  ],
  [
    "endpoint id is no UUID",
    "source.kafka.reversePrivateEndpointIds[1] must be a UUID",
    kafka({ reversePrivateEndpointIds: ["0a1b2c3d-0000-4000-8000-0000000000aa", "x"] }),
  ],
  [
    "unknown credential",
    "source.kafka.credentials.token is not a field",
    kafka({ credentials: { token: "x" } }),
  ],
  [
    "isContinuous is text",
    "source.objectStorage.isContinuous must be boolean",
    storage({ isContinuous: "true" }),
  ],
  ["compression is null", "source.objectStorage.compression must be string", storage({ compression: null })],
  [
    "secretKey is a number",
    "source.objectStorage.accessKey.secretKey must be string",
    storage({ accessKey: { secretKey: 1 } }),
  ],
  [
    "unknown key part",
    "source.objectStorage.accessKey.sessionToken",
    storage({ accessKey: { sessionToken: "x" } }),
  ],
  [
    "storage has credentials",
    "source.objectStorage.credentials is not a field",
    storage({ credentials: {} }),
  ],
  ["timestamp is a fraction", "source.kinesis.timestamp must be integer", kinesis({ timestamp: 1.5 })],
  ["timestamp is text", "source.kinesis.timestamp must be integer", kinesis({ timestamp: "1" })],
  [
    "fan-out is a number",
    "source.kinesis.useEnhancedFanOut must be boolean",
    kinesis({ useEnhancedFanOut: 1 }),
  ],
  ["unknown kinesis field", "source.kinesis.stream is not a field", kinesis({ stream: "x" })],
  ["port is text", "source.postgres.port must be integer", postgres({ port: "5432" })],
  ["port is a fraction", "source.postgres.port must be integer", postgres({ port: 5432.5 })],
  [
    "add on create",
    "source.postgres.tableMappingsToAdd is not a field",
    postgres({ tableMappingsToAdd: [] }),
  ],
  [
    "batch size is text",
    "source.postgres.settings.pullBatchSize must be integer",
    postgres({ settings: { pullBatchSize: "1" } }),
  ],
  [
    "slots is text",
    "source.postgres.settings.enableFailoverSlots must be boolean",
    postgres({ settings: { enableFailoverSlots: "no" } }),
  ],
  [
    "unknown mapping field",
    "source.postgres.tableMappings[0].table is not a field",
    postgres({ tableMappings: [{ table: "x" }] }),
  ],
  [
    "excluded column",
    "source.postgres.tableMappings[0].excludedColumns[1] must be string",
    postgres({ tableMappings: [{ excludedColumns: ["a", 1] }] }),
  ],
  ["unknown destination field", "destination.schema is not a field", destination({ schema: "x" })],
  ["managedTable is text", "destination.managedTable must be boolean", destination({ managedTable: "x" })],
  ["roles is text", "destination.roles must be array", destination({ roles: "x" })],
  ["role is a number", "destination.roles[0] must be string", destination({ roles: [1] })],
  [
    "engine is text",
    "destination.tableDefinition.engine must be object",
    destination({ tableDefinition: { engine: "x" } }),
  ],
  [
    "engine's unknown field",
    "destination.tableDefinition.engine.type is not a field",
    destination({ tableDefinition: { engine: { type: "x" } } }),
  ],
  [
    "sortingKey is text",
    "destination.tableDefinition.sortingKey must be array",
    destination({ tableDefinition: { sortingKey: "x" } }),
  ],
  [
    "column's unknown field",
    "destination.columns[0].nullable is not a field",
    destination({ columns: [{ nullable: true }] }),
  ],
  ["column's type", "destination.columns[0].type must be string", destination({ columns: [{ type: 1 }] })],
  ["mappings are missing", "missing: id, note", { ...KAFKA, fieldMappings: undefined }],
  [
    "a column is not covered",
    "fieldMappings must cover all of destination.columns; missing: note",
    { ...KAFKA, fieldMappings: KAFKA.fieldMappings.slice(0, 1) },
  ],
  [
    "sourceField is a number",
    "fieldMappings[0].sourceField must be string",
    { ...KAFKA, fieldMappings: [{ sourceField: 1 }] },
  ],
  [
    "mapping's unknown field",
    "fieldMappings[1].type is not a field",
    { ...KAFKA, fieldMappings: [{}, { type: "x" }] },
  ],
  ["replicas is a fraction", "scaling.replicas must be integer", { ...KAFKA, scaling: { replicas: 1.5 } }],
  [
    "memory is text",
    "scaling.replicaMemoryGb must be number",
    { ...KAFKA, scaling: { replicaMemoryGb: "1" } },
  ],
  ["unknown scaling field", "scaling.cpu is not a field", { ...KAFKA, scaling: { cpu: 1 } }],
  [
    "setting is text",
    "settings.object_storage_concurrency must be integer",
    { ...KAFKA, settings: { object_storage_concurrency: "1" } },
  ],
  [
    "setting is a number",
    "settings.dbms_parallel_view_processing must be boolean",
    { ...KAFKA, settings: { dbms_parallel_view_processing: 1 } },
  ],
  ["body is a list", "the body must be a JSON object", []],
];

const UPDATE_KAFKA: Row[] = [
  ["unknown field", "scaling is not a field", { scaling: { replicas: 2 } }],
  ["brokers cannot change", "source.kafka.brokers is not a field", { source: { kafka: { brokers: "x" } } }],
  ["offset cannot change", "source.kafka.offset is not a field", { source: { kafka: { offset: {} } } }],
  [
    "registry cannot change",
    "source.kafka.schemaRegistry is not a field",
    { source: { kafka: { schemaRegistry: {} } } },
  ],
  ["table cannot change", "destination.table is not a field", { destination: { table: "x" } }],
  ["roles cannot change", "destination.roles is not a field", { destination: { roles: [] } }],
  [
    "storage's url cannot change",
    "source.objectStorage.url is not a field",
    { source: { objectStorage: { url: "x" } } },
  ],
  [
    "stream cannot change",
    "source.kinesis.streamName is not a field",
    { source: { kinesis: { streamName: "x" } } },
  ],
  ["another kind", "source.kinesis is not the kind of this pipe", { source: { kinesis: { iamRole: "x" } } }],
  ["name is a number", "name must be string or null", { name: 1 }],
  ["settings is null", "settings must be object", { settings: null }],
  [
    "mappings without columns",
    "fieldMappings need destination.columns",
    { fieldMappings: KAFKA.fieldMappings },
  ],
];

const mapping = (sourceTable: string, targetTable = sourceTable): object => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable,
});
const tables = (fields: object): object => ({ source: { postgres: fields } });

const UPDATE_POSTGRES: Row[] = [
  ["whole mappings", "source.postgres.tableMappings is not a field", tables({ tableMappings: [] })],
  [
    "other settings",
    "source.postgres.settings.publicationName is not a field",
    tables({ settings: { publicationName: "x" } }),
  ],
  [
    "removal by more than identity",
    "source.postgres.tableMappingsToRemove[0].excludedColumns",
    tables({ tableMappingsToRemove: [{ excludedColumns: [] }] }),
  ],
  [
    "one table added and removed",
    "source.postgres.tableMappingsToAdd[0] has a source table",
    tables({ tableMappingsToAdd: [mapping("orders", "other")], tableMappingsToRemove: [ORDERS_MAPPING] }),
  ],
  [
    "no mapping remains",
    "source.postgres.tableMappingsToRemove must leave at least one",
    tables({ tableMappingsToRemove: [ORDERS_MAPPING] }),
  ],
  [
    "mapping exists",
    "source.postgres.tableMappingsToAdd[0] exists already",
    tables({ tableMappingsToAdd: [ORDERS_MAPPING] }),
  ],
  [
    "mapping added twice",
    "source.postgres.tableMappingsToAdd[1] exists already",
    tables({ tableMappingsToAdd: [mapping("a"), mapping("a")] }),
  ],
  [
    "mapping does not exist",
    "source.postgres.tableMappingsToRemove[0] does not exist",
    tables({ tableMappingsToRemove: [mapping("a")] }),
  ],
  ["port is text", "source.postgres.port must be integer", tables({ port: "1" })],
];

const ENDPOINT: Row[] = [
  ["type is missing", "type is required", { description: "x" }],
  [
    "type is unknown",
    "type must be one of VPC_ENDPOINT_SERVICE, VPC_RESOURCE, MSK_MULTI_VPC",
    { type: "VPC" },
  ],
  [
    "description is too long",
    "description must have at most 255 characters",
    { type: "VPC_ENDPOINT_SERVICE", description: "d".repeat(256) },
  ],
  ["no share", "vpcResourceShareArn is required", { type: "VPC_RESOURCE", vpcResourceConfigurationId: "x" }],
  [
    "configuration is null",
    "vpcResourceConfigurationId is required and must not be null",
    { type: "VPC_RESOURCE", vpcResourceConfigurationId: null, vpcResourceShareArn: "x" },
  ],
  ["no cluster", "mskClusterArn is required", { type: "MSK_MULTI_VPC", mskAuthentication: "SASL_IAM" }],
  [
    "authentication is null",
    "mskAuthentication is required and must not be null",
    { type: "MSK_MULTI_VPC", mskClusterArn: "x", mskAuthentication: null },
  ],
  [
    "authentication is unknown",
    "mskAuthentication must be one of SASL_IAM, SASL_SCRAM",
    { type: "MSK_MULTI_VPC", mskClusterArn: "x", mskAuthentication: "TLS" },
  ],
  ["response field", "status is not a field", { type: "VPC_ENDPOINT_SERVICE", status: "Ready" }],
];

const SERVICE: Row[] = [
  ["name has a dash", "name must be alphanumeric with whitespace", { name: "my-service" }],
  ["name is too long", "name must have at most 50 characters", { name: "n".repeat(51) }],
  ["name is null", "name must be string", { name: null }],
  ["list is an array", "ipAccessList must be object", { ipAccessList: [] }],
  ["entry is text", "ipAccessList.add[0] must be object", { ipAccessList: { add: ["10.0.0.0/8"] } }],
  [
    "entry's unknown field",
    "ipAccessList.remove[0].cidr is not a field",
    { ipAccessList: { remove: [{ cidr: "x" }] } },
  ],
  [
    "private endpoint is an object",
    "privateEndpointIds.add[0] must be string",
    { privateEndpointIds: { add: [{}] } },
  ],
  ["set is not a change", "privateEndpointIds.set is not a field", { privateEndpointIds: { set: [] } }],
  ["unknown channel", "releaseChannel must be one of slow, default, fast", { releaseChannel: "regular" }],
  [
    "enabled is text",
    "endpoints[0].enabled must be boolean",
    { endpoints: [{ protocol: "mysql", enabled: "yes" }] },
  ],
  ["endpoint's port", "endpoints[0].port is not a field", { endpoints: [{ port: 1 }] }],
  ["response field", "idleScaling is not a field", { idleScaling: true }],
];

let simulator: Simulator;

beforeAll(async () => {
  simulator = await start();
});

afterAll(stopAll);

async function expectRefusal(method: string, path: string, body: unknown, named: string): Promise<void> {
  const { status, envelope } = await call(simulator, method, path, body);
  expect(envelope.error).toContain(named);
  expect(envelope).toMatchObject({ status: 400, error: expect.stringMatching(/^BAD_REQUEST: /) as string });
  expect(status).toBe(400);
}

test.each(CREATE)("createPipe refuses a body when %s, and says: %s", async (_why, named, body) => {
  await expectRefusal("POST", "/pipes", body, named);
  expect(simulator.control.state().pipes).toEqual([]);
});

test.each(ENDPOINT)(
  "createReversePrivateEndpoint refuses a body when %s, and says: %s",
  async (_why, named, body) => {
    await expectRefusal("POST", "/pipesReversePrivateEndpoints", body, named);
  },
);

test.each(SERVICE)("updateService refuses a body when %s, and says: %s", async (_why, named, body) => {
  await expectRefusal("PATCH", "", body, named);
});

describe("updatePipe", () => {
  let own: Simulator;
  const ids = { kafka: "", postgres: "" };

  beforeAll(async () => {
    own = await start();
    ids.kafka = (await createPipe(own, KAFKA)).id;
    ids.postgres = (await createPipe(own, POSTGRES)).id;
  });

  const rows = [
    ...UPDATE_KAFKA.map(([why, named, body]) => ({ kind: "kafka" as const, why, named, body })),
    ...UPDATE_POSTGRES.map(([why, named, body]) => ({ kind: "postgres" as const, why, named, body })),
  ];

  test.each(rows)(
    "of a $kind pipe refuses a body when $why, and says: $named",
    async ({ kind, named, body }) => {
      const before = own.control.state();
      const { status, envelope } = await call(own, "PATCH", `/pipes/${ids[kind]}`, body);
      expect(envelope.error).toContain(named);
      expect(status).toBe(400);
      expect(own.control.state().pipes).toEqual(
        before.pipes.map((pipe) => ({ ...pipe, state: expect.any(String) as string })),
      );
    },
  );
});

test("one refusal names everything that is wrong with the body", async () => {
  const body = {
    name: 1,
    source: { kafka: { brokers: 1, x: 1 } },
    destination: { y: 1 },
    settings: { z: 1 },
  };
  const { envelope } = await call(simulator, "POST", "/pipes", body);
  for (const path of ["name", "source.kafka.brokers", "source.kafka.x", "destination.y", "settings.z"])
    expect(envelope.error).toContain(`${path} `);
});

test("a body with a hundred thousand failures is refused like any other", async () => {
  const body = { ...KAFKA, fieldMappings: Array.from({ length: 100_000 }, () => ({ sourceField: 1 })) };
  const { status, envelope } = await call(simulator, "POST", "/pipes", body);
  expect(status).toBe(400);
  expect(envelope.error).toContain("fieldMappings[0].sourceField must be string");
  expect(envelope.error).toMatch(/and \d+ more$/);
});

test("no refusal repeats a value of the body", async () => {
  const body = kafka({
    credentials: { username: ["hidden-1"], password: { a: "hidden-2" } },
    iamRole: ["hidden-3"],
  });
  const malformed = { raw: '{"source":{"kafka":{"credentials":{"password":"hidden-4"' };
  const texts = [
    (await call(simulator, "POST", "/pipes", body)).text,
    (await call(simulator, "POST", "/pipes", undefined, malformed)).text,
  ];
  for (const text of texts) expect(text).not.toContain("hidden");
});
