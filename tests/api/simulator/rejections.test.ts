import type { Simulator } from "../../../simulator/src/index";
import { KAFKA, KINESIS, OBJECT_STORAGE, ORDERS_MAPPING, POSTGRES, call, createPipe, start } from "./client";
import { withValue, type Json, type JsonObject } from "../../../testkit/pipes";

/** A value in a body that is otherwise right, and what the refusal says; `…` means the path. */
type Row = [path: string, value: Json | undefined, says: string, more?: JsonObject];

const CREATE: Row[] = [
  ["name", undefined, "… is required"],
  ["name", null, "… must be string"],
  ["name", 1, "… must be string"],
  ["source", undefined, "… is required"],
  ["source", {}, "… must have exactly one of"],
  ["source", { kafka: {}, kinesis: {} }, "… must have exactly one of"],
  ["source.mysql", {}, "… is not a field"],
  ["source.kafka", null, "… must be object"],
  ["source.validateSamples", "y", "…"],
  ["destination", undefined, "… is required"],
  ["adopt", true, "… is not a field"],
  ["state", "Running", "… is not a field"],
  ["settings.dbmsMaxThreads", 1, "… is not a field"],
  ["source.kafka.brokers", ["b"], "… must be string"],
  ["source.kafka.broker", "b", "… is not a field"],
  ["source.kafka.iamRole", null, "… must be string"],
  ["source.kafka.offset.timestamp", "2026-01-31T00:00:00", "… must have the form"],
  ["source.kafka.offset.timestamp", "2026-01-31T00:00Z", "… must have the form"],
  ["source.kafka.offset.timestamp", "2026-01-31 00:00", "… must have the form"],
  ["source.kafka.offset.timestamp", "2026-02-30T00:00", "… must be a date"],
  ["source.kafka.offset.timestamp", "2026-01-31T24:00", "… must be a date"],
  ["source.kafka.offset.timestamp", 1_760_000_000, "… must be string"],
  ["source.kafka.offset.at", "x", "… is not a field"],
  ["source.kafka.schemaRegistry.user", "x", "…"],
  ["source.kafka.schemaRegistry.credentials.password", 1, "… must be string"],
  ["source.kafka.reversePrivateEndpointIds", "x", "… must be array"],
  [
    "source.kafka.reversePrivateEndpointIds",
    ["0a1b2c3d-0000-4000-8000-0000000000aa", "x"],
    "…[1] must be a UUID",
  ],
  ["source.kafka.credentials.token", "x", "… is not a field"],
  ["source.objectStorage.isContinuous", "true", "… must be boolean"],
  ["source.objectStorage.compression", null, "… must be string"],
  ["source.objectStorage.accessKey.secretKey", 1, "… must be string"],
  ["source.objectStorage.accessKey.sessionToken", "x", "…"],
  ["source.objectStorage.credentials", {}, "… is not a field"],
  ["source.kinesis.timestamp", 1.5, "… must be integer"],
  ["source.kinesis.timestamp", "1", "… must be integer"],
  ["source.kinesis.useEnhancedFanOut", 1, "… must be boolean"],
  ["source.kinesis.stream", "x", "… is not a field"],
  ["source.postgres.port", "5432", "… must be integer"],
  ["source.postgres.port", 5432.5, "… must be integer"],
  ["source.postgres.tableMappingsToAdd", [], "… is not a field"],
  ["source.postgres.settings.pullBatchSize", "1", "… must be integer"],
  ["source.postgres.settings.enableFailoverSlots", "no", "… must be boolean"],
  ["source.postgres.tableMappings.0.table", "x", "… is not a field"],
  ["source.postgres.tableMappings.0.excludedColumns", ["a", 1], "…[1] must be string"],
  ["destination.schema", "x", "… is not a field"],
  ["destination.managedTable", "x", "… must be boolean"],
  ["destination.roles", "x", "… must be array"],
  ["destination.roles.0", 1, "… must be string"],
  ["destination.tableDefinition.engine", "x", "… must be object"],
  ["destination.tableDefinition.engine.type", "x", "… is not a field"],
  ["destination.tableDefinition.sortingKey", "x", "… must be array"],
  ["destination.columns.0.nullable", true, "… is not a field"],
  ["destination.columns.0.type", 1, "… must be string"],
  [
    "fieldMappings",
    [{ sourceField: "$.id", destinationField: "id" }],
    "… must cover all of destination.columns; missing: note",
  ],
  ["fieldMappings.0.sourceField", 1, "… must be string"],
  ["fieldMappings.1.type", "x", "… is not a field"],
  ["scaling.replicas", 1.5, "… must be integer"],
  ["scaling.replicaMemoryGb", "1", "… must be number"],
  ["scaling.cpu", 1, "… is not a field"],
  ["settings.object_storage_concurrency", "1", "… must be integer"],
  ["settings.dbms_parallel_view_processing", 1, "… must be boolean"],
  ["fieldMappings", undefined, "missing: id, note"],
];

const UPDATE: Row[] = [
  ["scaling", { replicas: 2 }, "… is not a field"],
  ["source.kafka.brokers", "x", "… is not a field"],
  ["source.kafka.offset", {}, "… is not a field"],
  ["source.kafka.schemaRegistry", {}, "… is not a field"],
  ["destination.table", "x", "… is not a field"],
  ["destination.roles", [], "… is not a field"],
  ["source.objectStorage.url", "x", "… is not a field"],
  ["source.kinesis.streamName", "x", "… is not a field"],
  ["source.kinesis", { iamRole: "x" }, "… is not the kind of this pipe"],
  ["name", 1, "… must be string or null"],
  ["settings", null, "… must be object"],
  [
    "fieldMappings",
    [
      { sourceField: "$.id", destinationField: "id" },
      { sourceField: "$.note", destinationField: "note" },
    ],
    "… need destination.columns",
  ],
  ["source.postgres.tableMappings", [], "… is not a field"],
  ["source.postgres.settings.publicationName", "x", "… is not a field"],
  ["source.postgres.tableMappingsToRemove", [{ excludedColumns: [] }], "…[0].excludedColumns"],
  ["source.postgres.tableMappingsToRemove", [ORDERS_MAPPING], "… must leave at least one"],
  ["source.postgres.tableMappingsToAdd", [ORDERS_MAPPING], "…[0] exists already"],
  [
    "source.postgres.tableMappingsToAdd",
    [
      { sourceSchemaName: "public", sourceTable: "a", targetTable: "a" },
      { sourceSchemaName: "public", sourceTable: "a", targetTable: "a" },
    ],
    "…[1] exists already",
  ],
  [
    "source.postgres.tableMappingsToRemove",
    [{ sourceSchemaName: "public", sourceTable: "a", targetTable: "a" }],
    "…[0] does not exist",
  ],
  ["source.postgres.port", "1", "… must be integer"],
  [
    "source.postgres.tableMappingsToAdd",
    [{ ...ORDERS_MAPPING, targetTable: "other" }],
    "…[0] has a source table",
    { source: { postgres: { tableMappingsToRemove: [ORDERS_MAPPING] } } },
  ],
];

const RESOURCE = { type: "VPC_RESOURCE", vpcResourceConfigurationId: "x", vpcResourceShareArn: "x" };
const CLUSTER = { type: "MSK_MULTI_VPC", mskClusterArn: "x", mskAuthentication: "SASL_IAM" };
const ENDPOINT: Row[] = [
  ["type", undefined, "… is required", { description: "x" }],
  ["type", "VPC", "… must be one of VPC_ENDPOINT_SERVICE, VPC_RESOURCE, MSK_MULTI_VPC"],
  ["description", "d".repeat(256), "… must have at most 255 characters"],
  ["vpcResourceShareArn", undefined, "… is required", RESOURCE],
  ["vpcResourceConfigurationId", null, "… is required and must not be null", RESOURCE],
  ["mskClusterArn", undefined, "… is required", CLUSTER],
  ["mskAuthentication", null, "… is required and must not be null", CLUSTER],
  ["mskAuthentication", "TLS", "… must be one of SASL_IAM, SASL_SCRAM", CLUSTER],
  ["status", "Ready", "… is not a field"],
];

const SERVICE: Row[] = [
  ["name", "my-service", "… must be alphanumeric with whitespace"],
  ["name", "n".repeat(51), "… must have at most 50 characters"],
  ["name", null, "… must be string"],
  ["ipAccessList", [], "… must be object"],
  ["ipAccessList.add", ["10.0.0.0/8"], "…[0] must be object"],
  ["ipAccessList.remove", [{ cidr: "x" }], "…[0].cidr is not a field"],
  ["privateEndpointIds.add", [{}], "…[0] must be string"],
  ["privateEndpointIds.set", [], "… is not a field"],
  ["releaseChannel", "regular", "… must be one of slow, default, fast"],
  ["endpoints", [{ enabled: "yes" }], "…[0].enabled must be boolean"],
  ["endpoints", [{ port: 1 }], "…[0].port is not a field"],
  ["idleScaling", true, "… is not a field"],
];

/** The body with the value, and what the refusal says of it. */
const refused = (body: JsonObject, [path, value, says]: Row): [body: JsonObject, says: string] => [
  withValue(body, path, value),
  says.replace("…", path.replace(/\.(\d+)/g, "[$1]")),
];

/** The pipe of the kind that a path is about. */
const pipeOf = (path: string): JsonObject =>
  path.startsWith("source.objectStorage.")
    ? OBJECT_STORAGE
    : path.startsWith("source.kinesis.")
      ? KINESIS
      : path.startsWith("source.postgres.")
        ? POSTGRES
        : KAFKA;

let simulator: Simulator;

beforeAll(async () => {
  simulator = await start();
});

async function expectRefusal(method: string, path: string, body: unknown, says: string): Promise<void> {
  const { status, envelope } = await call(simulator, method, path, body);
  expect(envelope.error).toContain(says);
  expect(envelope).toMatchObject({ status: 400, error: expect.stringMatching(/^BAD_REQUEST: /) as string });
  expect(status).toBe(400);
}

test.each(CREATE)("createPipe refuses a body whose %s is %j, and says: %s", async (...row) => {
  await expectRefusal("POST", "/pipes", ...refused(pipeOf(row[0]), row));
  expect(simulator.control.state().pipes).toEqual([]);
});

test("createPipe refuses a body that is a list", async () => {
  await expectRefusal("POST", "/pipes", [], "the body must be a JSON object");
});

test.each(ENDPOINT)(
  "createReversePrivateEndpoint refuses a body whose %s is %j, and says: %s",
  async (...row) => {
    const [, , , endpoint = { type: "VPC_ENDPOINT_SERVICE" }] = row;
    await expectRefusal("POST", "/pipesReversePrivateEndpoints", ...refused(endpoint, row));
  },
);

test.each(SERVICE)("updateService refuses a body whose %s is %j, and says: %s", async (...row) => {
  await expectRefusal("PATCH", "", ...refused({}, row));
});

describe("updatePipe", () => {
  let own: Simulator;
  const ids = { kafka: "", postgres: "" };

  beforeAll(async () => {
    own = await start();
    ids.kafka = (await createPipe(own, KAFKA)).id;
    ids.postgres = (await createPipe(own, POSTGRES)).id;
  });

  test.each(UPDATE)("refuses a body whose %s is %j, and says: %s", async (...row) => {
    const [body, says] = refused(row[3] ?? {}, row);
    const id = row[0].includes("postgres") ? ids.postgres : ids.kafka;
    const before = own.control.state();
    const { status, envelope } = await call(own, "PATCH", `/pipes/${id}`, body);
    expect(envelope.error).toContain(says);
    expect(status).toBe(400);
    expect(own.control.state().pipes).toEqual(
      before.pipes.map((pipe) => ({ ...pipe, state: expect.any(String) as string })),
    );
  });
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
  const hidden = {
    credentials: { username: ["hidden-1"], password: { a: "hidden-2" } },
    iamRole: ["hidden-3"],
  };
  const body = { ...KAFKA, source: { kafka: { ...KAFKA.source.kafka, ...hidden } } };
  const malformed = { raw: '{"source":{"kafka":{"credentials":{"password":"hidden-4"' };
  const texts = [
    (await call(simulator, "POST", "/pipes", body)).text,
    (await call(simulator, "POST", "/pipes", undefined, malformed)).text,
  ];
  for (const text of texts) expect(text).not.toContain("hidden");
});
