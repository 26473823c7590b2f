import type { Backup, Pipe, PipeSettings } from "../../../simulator/src/index";
import type { ReversePrivateEndpoint, Service, Simulator } from "../../../simulator/src/index";
import { DEFAULT_SCALING, DEFAULT_SETTINGS } from "../../../simulator/src/index";
import { call, createPipe, listPipes, ok, REQUEST_ONLY_VALUES, start, updatePipe } from "./client";
import { KAFKA, KINESIS, OBJECT_STORAGE, ORDERS_MAPPING, POSTGRES } from "./client";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ENDPOINTS = "/pipesReversePrivateEndpoints";
const role = "arn:aws:iam::000000000000:role/x";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ stateSeconds: 0 });
});
beforeEach(() => {
  simulator.control.reset();
});

describe("createPipe", () => {
  test.each([
    ["kafka", KAFKA],
    ["objectStorage", OBJECT_STORAGE],
    ["kinesis", KINESIS],
    ["postgres", POSTGRES],
  ])("answers a %s pipe at once, in an envelope", async (kind, body) => {
    const provisioning = await start();
    const { status, envelope } = await call(provisioning, "POST", "/pipes", body);
    const pipe = envelope.result as Pipe;
    expect([status, envelope.status]).toEqual([200, 200]);
    for (const id of [envelope.requestId, pipe.id]) expect(id).toMatch(UUID_V4);
    const [serviceId] = provisioning.account.serviceIds;
    expect(pipe).toMatchObject({ name: body.name, state: "Provisioning", serviceId });
    expect(Object.keys(pipe.source)).toEqual([kind]);
    expect(new Date(pipe.createdAt).toISOString()).toBe(pipe.createdAt);
    expect(pipe.updatedAt).toBe(pipe.createdAt);
  });

  test("never returns what only requests carry, in any operation or in the state that control shows", async () => {
    for (const body of [KAFKA, OBJECT_STORAGE, KINESIS, POSTGRES]) await createPipe(simulator, body);
    const [kafka] = await listPipes(simulator);
    const credentials = { username: "kafka-user", password: "kafka-password" };
    const texts = [
      (await call(simulator, "GET", "/pipes")).text,
      (await call(simulator, "PATCH", `/pipes/${kafka?.id ?? ""}`, { source: { kafka: { credentials } } }))
        .text,
      JSON.stringify(simulator.control.state()),
    ];
    for (const value of REQUEST_ONLY_VALUES)
      for (const text of texts) expect(text.replaceAll("source.validateSamples", "")).not.toContain(value);
    // The connection string is a returned field.
    expect(texts[0]).toContain("AccountName=demo;AccountKey=demo-account-key");
  });

  test("fills in what a request leaves out, and keeps what it gives", async () => {
    const kafka = await createPipe(simulator, KAFKA);
    expect(kafka.source.kafka?.consumerGroup).toBe(`datapipes-${kafka.id}`);
    expect(kafka).toMatchObject({ settings: DEFAULT_SETTINGS, scaling: DEFAULT_SCALING });
    expect(Object.keys(DEFAULT_SETTINGS)).toHaveLength(12);
    expect(kafka.destination).toMatchObject({ database: "default", managedTable: true });
    const files = await createPipe(simulator, OBJECT_STORAGE);
    expect(files.source.objectStorage).toMatchObject({ compression: "auto", isContinuous: false });
    const replica = await createPipe(simulator, POSTGRES);
    const settings = { syncIntervalSeconds: 60, pullBatchSize: 100_000 };
    expect(replica.source.postgres?.settings).toMatchObject(settings);
    expect(replica).not.toHaveProperty("settings");
    const own = { scaling: { replicas: 3 }, settings: { dbms_max_threads: 2 } };
    const given = await createPipe(simulator, { ...KAFKA, ...own });
    expect(given.scaling).toEqual({ ...DEFAULT_SCALING, ...own.scaling });
    expect(given.settings).toEqual({ ...DEFAULT_SETTINGS, ...own.settings });
  });

  test("fills in nothing with fill: false, and returns null for optional fields with nulls: true", async () => {
    const { source, ...rest } = await createPipe(await start({ fill: false }), KAFKA);
    expect(rest).not.toHaveProperty("scaling");
    expect(rest).not.toHaveProperty("settings");
    const { credentials: _, schemaRegistry, ...stated } = KAFKA.source.kafka;
    expect(source.kafka).toEqual({ ...stated, schemaRegistry: { url: schemaRegistry.url } });

    const withNulls = await start({ nulls: true });
    const pipe = await createPipe(withNulls, KAFKA);
    expect(pipe.source.kafka).toMatchObject({ iamRole: null, offset: null, caCertificate: null });
    expect(pipe.destination).toHaveProperty("tableDefinition", null);
    expect(await listPipes(withNulls)).toEqual([{ ...pipe, state: expect.any(String) as string }]);
  });

  test("takes values that the API's document leaves open", async () => {
    const body = {
      ...OBJECT_STORAGE,
      source: { objectStorage: { url: "u", compression: "something-new" } },
      scaling: { replicas: 999, replicaMemoryGb: 0.25 },
      settings: { dbms_max_threads: -1 },
    };
    await expect(createPipe(simulator, body)).resolves.toMatchObject({ scaling: { replicas: 999 } });
  });

  test("takes ids of endpoints that do not exist unless references are strict", async () => {
    const referringTo = (id: string) => ({
      ...KAFKA,
      source: { kafka: { ...KAFKA.source.kafka, reversePrivateEndpointIds: [id] } },
    });
    const unknown = referringTo("0a1b2c3d-0000-4000-8000-0000000000aa");
    expect((await call(simulator, "POST", "/pipes", unknown)).status).toBe(200);
    const strict = await start({ strictReferences: true });
    const { status, envelope } = await call(strict, "POST", "/pipes", unknown);
    expect(status).toBe(400);
    expect(envelope.error).toContain("source.kafka.reversePrivateEndpointIds[0]");
    const endpoint = { type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "com.example.service" };
    const { id } = await ok<ReversePrivateEndpoint>(strict, "POST", ENDPOINTS, endpoint);
    expect((await call(strict, "POST", "/pipes", referringTo(id))).status).toBe(200);
  });
});

describe("updatePipe", () => {
  test("changes what the body names and leaves everything else as it is", async () => {
    const before = await createPipe(simulator, KAFKA);
    const after = await updatePipe(simulator, before.id, {
      name: "renamed",
      source: { kafka: { iamRole: role } },
      settings: { dbms_max_threads: 3 },
    });
    expect(after).toEqual({
      ...before,
      name: "renamed",
      source: { kafka: { ...before.source.kafka, iamRole: role } },
      settings: { ...before.settings, dbms_max_threads: 3 },
      updatedAt: after.updatedAt,
    });
    expect(await listPipes(simulator)).toEqual([after]);
  });

  test.each([{ name: null }, {}, { source: { validateSamples: true } }])(
    "changes nothing with %j",
    async (body) => {
      const before = await createPipe(simulator, KAFKA);
      expect(await updatePipe(simulator, before.id, body)).toEqual(before);
    },
  );

  test("takes columns with field mappings in one body", async () => {
    const { id } = await createPipe(simulator, KAFKA);
    const change = {
      destination: { columns: [{ name: "id", type: "UInt32" }] },
      fieldMappings: [{ sourceField: "$.key", destinationField: "id" }],
    };
    const after = await updatePipe(simulator, id, change);
    expect(after.destination).toEqual({ ...after.destination, ...change.destination, table: "orders" });
    expect(after.fieldMappings).toEqual(change.fieldMappings);
  });

  test("adds and removes table mappings, and merges the two settings of postgres", async () => {
    const { id } = await createPipe(simulator, POSTGRES);
    const items = { sourceSchemaName: "public", sourceTable: "items", targetTable: "items" };
    const update = (postgres: object): Promise<Pipe> => updatePipe(simulator, id, { source: { postgres } });
    const added = await update({ tableMappingsToAdd: [items], settings: { syncIntervalSeconds: 5 } });
    expect(added.source.postgres?.tableMappings).toMatchObject([ORDERS_MAPPING, items]);
    expect(added.source.postgres?.settings).toMatchObject({ syncIntervalSeconds: 5, pullBatchSize: 100_000 });
    const removed = await update({ tableMappingsToRemove: [ORDERS_MAPPING] });
    expect(removed.source.postgres?.tableMappings).toMatchObject([items]);
  });

  test("takes settings and does nothing with ignoreSettings: true", async () => {
    const ignoring = await start({ ignoreSettings: true });
    const { id } = await createPipe(ignoring, KAFKA);
    const after = await updatePipe(ignoring, id, { settings: { dbms_max_threads: 3 } });
    expect(after.settings).toEqual(DEFAULT_SETTINGS);
  });

  test("answers 404 for a pipe that does not exist", async () => {
    const path = `/pipes/${simulator.account.organizationId}`;
    const { status, envelope } = await call(simulator, "PATCH", path, {});
    expect([status, envelope.status]).toEqual([404, 404]);
    expect(envelope.error).toMatch(/^NOT_FOUND: .*pipe/);
  });
});

describe("listPipes and getPipeSettings", () => {
  test("list all pipes in the order of their creation, and the settings of one that has settings", async () => {
    const { id } = await createPipe(simulator, { ...KAFKA, settings: { dbms_max_threads: 2 } });
    const replica = await createPipe(simulator, POSTGRES);
    expect((await listPipes(simulator)).map(({ name }) => name)).toEqual(["orders", "replica"]);
    const settings = await ok<PipeSettings>(simulator, "GET", `/pipes/${id}/settings`);
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, dbms_max_threads: 2 });
    expect((await call(simulator, "GET", `/pipes/${replica.id}/settings`)).status).toBe(404);
  });

  test("list ten thousand pipes, checked against the contract", async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `pipe-${index}`);
    simulator.control.seedPipes(names.map((name) => ({ ...KAFKA, name })));
    expect((await listPipes(simulator)).map(({ name }) => name)).toEqual(names);
  });
});

test.each([
  {
    type: "VPC_ENDPOINT_SERVICE",
    vpcEndpointServiceName: "com.example.service",
    description: "d".repeat(255),
  },
  { type: "VPC_RESOURCE", vpcResourceConfigurationId: "rcfg-1", vpcResourceShareArn: "arn:share" },
  {
    type: "MSK_MULTI_VPC",
    mskClusterArn: "arn:cluster",
    mskAuthentication: "SASL_IAM",
    vpcResourceShareArn: null,
  },
])("createReversePrivateEndpoint returns what was sent and what the service adds: $type", async (body) => {
  const endpoint = await ok<ReversePrivateEndpoint>(await start(), "POST", ENDPOINTS, body);
  expect(endpoint).toMatchObject({ ...body, status: "Provisioning" });
  expect(endpoint.id).toMatch(UUID_V4);
  expect(endpoint.endpointId).not.toBe("");
  expect([endpoint.dnsNames.length, endpoint.privateDnsNames.length]).toEqual([1, 1]);
});

describe("updateService", () => {
  const entry = (source: string, description = ""): object => ({ source, description });
  const change = (body: object) => ok<Service>(simulator, "PATCH", "", body);

  test("removes, then adds; ignores missing entries to remove and existing entries to add", async () => {
    const add = [entry("10.0.0.0/8", "a"), entry("10.0.0.0/8", "a"), entry("192.168.0.0/16")];
    await change({ ipAccessList: { add } });
    const after = await change({
      ipAccessList: {
        remove: [entry("10.0.0.0/8", "a"), entry("172.16.0.0/12")],
        add: [entry("10.0.0.0/8", "b"), entry("192.168.0.0/16")],
      },
    });
    expect(after.ipAccessList).toEqual([entry("192.168.0.0/16"), entry("10.0.0.0/8", "b")]);
  });

  test("changes private endpoints, endpoints, name and encryption key, and leaves the rest", async () => {
    const first = await change({ privateEndpointIds: { add: ["vpce-1", "vpce-2"] } });
    const after = await change({
      name: "Orders 2",
      releaseChannel: "fast",
      privateEndpointIds: { add: ["vpce-3"], remove: ["vpce-1", "vpce-9"] },
      endpoints: [
        { protocol: "mysql", enabled: true },
        { protocol: "https", enabled: false },
      ],
      transparentDataEncryptionKeyId: "key-1",
    });
    expect(after).toEqual({
      ...first,
      name: "Orders 2",
      privateEndpointIds: ["vpce-2", "vpce-3"],
      endpoints: [expect.objectContaining({ protocol: "mysql", port: 3306 })],
      transparentDataEncryptionKeyId: "key-1",
      hasTransparentDataEncryption: true,
    });
    expect(after).not.toHaveProperty("releaseChannel");
    expect(simulator.control.state().services[0]?.releaseChannel).toBe("fast");
  });
});

test("listBackups lists the same backups in every simulator, most recent first", async () => {
  const backups = await ok<Backup[]>(simulator, "GET", "/backups");
  expect(backups.length).toBeGreaterThanOrEqual(3);
  const starts = backups.map(({ startedAt }) => startedAt);
  expect(starts).toEqual([...starts].sort().reverse());
  expect(backups[0]?.bucket).toHaveProperty("bucketPath");
  expect(await ok<Backup[]>(await start(), "GET", "/backups")).toEqual(backups);
});

describe("deletion, which the API's document does not have", () => {
  test("takes a pipe and an endpoint away, and answers 404 the second time", async () => {
    const { id } = await createPipe(simulator, KAFKA);
    const endpoint = await ok<ReversePrivateEndpoint>(simulator, "POST", ENDPOINTS, {
      type: "VPC_ENDPOINT_SERVICE",
    });
    for (const path of [`/pipes/${id}`, `${ENDPOINTS}/${endpoint.id}`]) {
      expect((await call(simulator, "DELETE", path)).status).toBe(200);
      expect((await call(simulator, "DELETE", path)).status).toBe(404);
    }
    expect(simulator.control.state()).toMatchObject({ pipes: [], endpoints: [] });
  });

  test("is answered with 405 when it is turned off", async () => {
    const strict = await start({ deletes: false });
    const { id } = await createPipe(strict, KAFKA);
    expect((await call(strict, "DELETE", `/pipes/${id}`)).status).toBe(405);
    expect(await listPipes(strict)).toHaveLength(1);
  });
});
