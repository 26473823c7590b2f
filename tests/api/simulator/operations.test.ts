import type { Backup, Pipe, PipeSettings } from "../../../simulator/src/index";
import type { ReversePrivateEndpoint, Service, Simulator } from "../../../simulator/src/index";
import { DEFAULT_SCALING, DEFAULT_SETTINGS } from "../../../simulator/src/index";
import { call, createEndpoint, createPipe, listPipes, mappingOf, ok, start, updatePipe } from "./client";
import { BODIES, ENDPOINTS, KAFKA, OBJECT_STORAGE, ORDERS_MAPPING } from "./client";
import { POSTGRES, REQUEST_ONLY_VALUES } from "./client";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let simulator: Simulator;
beforeEach(async () => {
  simulator = await start({ stateSeconds: 0 });
});

describe("createPipe", () => {
  test.each(Object.entries(BODIES))("answers a %s pipe at once, in an envelope", async (kind, body) => {
    const provisioning = await start();
    const { status, envelope } = await call(provisioning, "POST", "/pipes", body);
    const pipe = envelope.result as Pipe;
    expect([status, envelope.status]).toEqual([200, 200]);
    for (const id of [envelope.requestId, pipe.id]) expect(id).toMatch(UUID_V4);
    const [serviceId] = provisioning.account.serviceIds;
    expect(pipe).toMatchObject({ name: body.name, state: "Provisioning", serviceId });
    expect(Object.keys(pipe.source)).toEqual([kind]);
    const { createdAt, updatedAt } = pipe;
    expect([new Date(createdAt).toISOString(), updatedAt]).toEqual([createdAt, createdAt]);
  });

  test("never returns what only requests carry, in any operation or in the state that control shows", async () => {
    for (const body of Object.values(BODIES)) await createPipe(simulator, body);
    const [kafka] = await listPipes(simulator);
    const { credentials } = KAFKA.source.kafka;
    const update = { source: { kafka: { credentials } } };
    const texts = [
      (await call(simulator, "GET", "/pipes")).text,
      (await call(simulator, "PATCH", `/pipes/${kafka?.id ?? ""}`, update)).text,
      JSON.stringify(simulator.control.state()),
    ].map((text) => text.replaceAll("source.validateSamples", ""));
    for (const value of REQUEST_ONLY_VALUES) for (const text of texts) expect(text).not.toContain(value);
    // The connection string is a returned field.
    expect(texts[0]).toContain("AccountName=demo;AccountKey=demo-account-key");
  });

  test("fills in what a request leaves out, and keeps what it gives", async () => {
    const kafka = await createPipe(simulator);
    expect(kafka).toMatchObject({
      source: { kafka: { consumerGroup: `datapipes-${kafka.id}` } },
      destination: { database: "default", managedTable: true },
    });
    expect([kafka.settings, kafka.scaling]).toEqual([DEFAULT_SETTINGS, DEFAULT_SCALING]);
    expect(Object.keys(DEFAULT_SETTINGS)).toHaveLength(12);
    const files = await createPipe(simulator, OBJECT_STORAGE);
    expect(files.source.objectStorage).toMatchObject({ compression: "auto", isContinuous: false });
    const replica = await createPipe(simulator, POSTGRES);
    const postgres = { settings: { syncIntervalSeconds: 60, pullBatchSize: 100_000 } };
    expect(replica.source).toMatchObject({ postgres });
    expect(replica).not.toHaveProperty("settings");
    const own = { scaling: { replicas: 3 }, settings: { dbms_max_threads: 2 } };
    const given = await createPipe(simulator, { ...KAFKA, ...own });
    expect(given.scaling).toEqual({ ...DEFAULT_SCALING, ...own.scaling });
    expect(given.settings).toEqual({ ...DEFAULT_SETTINGS, ...own.settings });
  });

  test("fills in nothing with fill: false, and returns null for optional fields with nulls: true", async () => {
    const { source, ...rest } = await createPipe(await start({ fill: false }));
    for (const name of ["scaling", "settings"]) expect(rest).not.toHaveProperty(name);
    const { credentials: _, schemaRegistry, ...stated } = KAFKA.source.kafka;
    expect(source.kafka).toEqual({ ...stated, schemaRegistry: { url: schemaRegistry.url } });
    const withNulls = await start({ nulls: true });
    const pipe = await createPipe(withNulls);
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
    const strict = await start({ strictReferences: true });
    const create = (server: Simulator, id: string) => {
      const kafka = { ...KAFKA.source.kafka, reversePrivateEndpointIds: [id] };
      return call(server, "POST", "/pipes", { ...KAFKA, source: { kafka } });
    };
    const unknown = "0a1b2c3d-0000-4000-8000-0000000000aa";
    const { status, envelope } = await create(strict, unknown);
    expect(status).toBe(400);
    expect(envelope.error).toContain("source.kafka.reversePrivateEndpointIds[0]");
    expect((await create(simulator, unknown)).status).toBe(200);
    expect((await create(strict, await createEndpoint(strict))).status).toBe(200);
  });
});

describe("updatePipe", () => {
  test("changes what the body names and leaves everything else as it is", async () => {
    const before = await createPipe(simulator);
    const iamRole = "arn:aws:iam::000000000000:role/x";
    const change = { name: "renamed", source: { kafka: { iamRole } }, settings: { dbms_max_threads: 3 } };
    const after = await updatePipe(simulator, before.id, change);
    expect(after).toEqual({
      ...before,
      name: "renamed",
      source: { kafka: { ...before.source.kafka, iamRole } },
      settings: { ...before.settings, dbms_max_threads: 3 },
      updatedAt: after.updatedAt,
    });
    expect(await listPipes(simulator)).toEqual([after]);
  });

  test.each([{ name: null }, {}, { source: { validateSamples: true } }])(
    "changes nothing with %j",
    async (body) => {
      const before = await createPipe(simulator);
      expect(await updatePipe(simulator, before.id, body)).toEqual(before);
    },
  );

  test("takes columns with field mappings in one body", async () => {
    const { id } = await createPipe(simulator);
    const destination = { columns: [{ name: "id", type: "UInt32" }] };
    const fieldMappings = [{ sourceField: "$.key", destinationField: "id" }];
    const after = await updatePipe(simulator, id, { destination, fieldMappings });
    expect(after.destination).toEqual({ ...after.destination, ...destination, table: "orders" });
    expect(after.fieldMappings).toEqual(fieldMappings);
  });

  test("adds and removes table mappings, and merges the two settings of postgres", async () => {
    const { id } = await createPipe(simulator, POSTGRES);
    const update = async (postgres: object) =>
      (await updatePipe(simulator, id, { source: { postgres } })).source.postgres;
    const items = mappingOf("items");
    const added = await update({ tableMappingsToAdd: [items], settings: { syncIntervalSeconds: 5 } });
    expect(added?.tableMappings).toMatchObject([ORDERS_MAPPING, items]);
    expect(added?.settings).toMatchObject({ syncIntervalSeconds: 5, pullBatchSize: 100_000 });
    const removed = await update({ tableMappingsToRemove: [ORDERS_MAPPING] });
    expect(removed?.tableMappings).toMatchObject([items]);
  });

  test("takes settings and does nothing with ignoreSettings: true", async () => {
    const ignoring = await start({ ignoreSettings: true });
    const { id } = await createPipe(ignoring);
    const { settings } = await updatePipe(ignoring, id, { settings: { dbms_max_threads: 3 } });
    expect(settings).toEqual(DEFAULT_SETTINGS);
  });
});

test("getPipeSettings returns the settings of a pipe that has settings", async () => {
  const { id } = await createPipe(simulator, { ...KAFKA, settings: { dbms_max_threads: 2 } });
  const settings = await ok<PipeSettings>(simulator, "GET", `/pipes/${id}/settings`);
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, dbms_max_threads: 2 });
  const replica = await createPipe(simulator, POSTGRES);
  expect((await call(simulator, "GET", `/pipes/${replica.id}/settings`)).status).toBe(404);
});

test("listPipes lists ten thousand pipes in the order of their creation", async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `pipe-${index}`);
  simulator.control.seedPipes(names.map((name) => ({ ...KAFKA, name })));
  expect((await listPipes(simulator)).map(({ name }) => name)).toEqual(names);
});

test.each([
  { type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "com.example.a", description: "d".repeat(255) },
  { type: "VPC_RESOURCE", vpcResourceConfigurationId: "rcfg-1", vpcResourceShareArn: "arn:share" },
  { type: "MSK_MULTI_VPC", mskClusterArn: "a", mskAuthentication: "SASL_IAM", vpcResourceShareArn: null },
])("createReversePrivateEndpoint returns what was sent and what the service adds: $type", async (body) => {
  const provisioning = await start({ now: () => 0, stateSeconds: 2 });
  const endpoint = await ok<ReversePrivateEndpoint>(provisioning, "POST", ENDPOINTS, body);
  expect(endpoint).toMatchObject({ ...body, status: "Provisioning" });
  expect(endpoint.id).toMatch(UUID_V4);
  expect(endpoint.endpointId).not.toBe("");
  expect([endpoint.dnsNames.length, endpoint.privateDnsNames.length]).toEqual([1, 1]);
  const status = () => provisioning.control.state().endpoints[0]?.status;
  expect(status()).toBe("Provisioning");
  provisioning.control.advance(2);
  expect(status()).toBe("Ready");
});

describe("updateService", () => {
  const entry = (source: string, description = ""): object => ({ source, description });
  const change = (body: object) => ok<Service>(simulator, "PATCH", "", body);

  test("removes, then adds; ignores missing entries to remove and existing entries to add", async () => {
    const net = entry("192.168.0.0/16");
    await change({ ipAccessList: { add: [entry("10.0.0.0/8", "a"), entry("10.0.0.0/8", "a"), net] } });
    const remove = [entry("10.0.0.0/8", "a"), entry("172.16.0.0/12")];
    const after = await change({ ipAccessList: { remove, add: [entry("10.0.0.0/8", "b"), net] } });
    expect(after.ipAccessList).toEqual([net, entry("10.0.0.0/8", "b")]);
  });

  test("changes private endpoints, endpoints, name and encryption key, and leaves the rest", async () => {
    const first = await change({ privateEndpointIds: { add: ["vpce-1", "vpce-2"] } });
    const plain = { name: "Orders 2", transparentDataEncryptionKeyId: "key-1" };
    const after = await change({
      ...plain,
      releaseChannel: "fast",
      privateEndpointIds: { add: ["vpce-3"], remove: ["vpce-1", "vpce-9"] },
      endpoints: [
        { protocol: "mysql", enabled: true },
        { protocol: "https", enabled: false },
      ],
    });
    expect(after).toEqual({
      ...first,
      ...plain,
      privateEndpointIds: ["vpce-2", "vpce-3"],
      endpoints: [expect.objectContaining({ protocol: "mysql", port: 3306 })],
      hasTransparentDataEncryption: true,
    });
    expect(after).not.toHaveProperty("releaseChannel");
    await ok(simulator, "PATCH", "", {});
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

test("a deletion takes a pipe and an endpoint away, and answers 404 the second time, or 405 if it is off", async () => {
  const { id } = await createPipe(simulator);
  for (const path of [`/pipes/${id}`, `${ENDPOINTS}/${await createEndpoint(simulator)}`]) {
    expect((await call(simulator, "DELETE", path)).status).toBe(200);
    expect((await call(simulator, "DELETE", path)).status).toBe(404);
  }
  expect(simulator.control.state()).toMatchObject({ pipes: [], endpoints: [] });
  const strict = await start({ deletes: false });
  const { id: kept } = await createPipe(strict);
  expect((await call(strict, "DELETE", `/pipes/${kept}`)).status).toBe(405);
  expect(await listPipes(strict)).toHaveLength(1);
});
