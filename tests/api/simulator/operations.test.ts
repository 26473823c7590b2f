import type {
  Backup,
  Pipe,
  PipeSettings,
  ReversePrivateEndpoint,
  Service,
} from "../../../simulator/src/index";
import { DEFAULT_SCALING, DEFAULT_SETTINGS } from "../../../simulator/src/index";
import {
  KAFKA,
  KINESIS,
  OBJECT_STORAGE,
  ORDERS_MAPPING,
  POSTGRES,
  REQUEST_ONLY_VALUES,
  call,
  createPipe,
  ok,
  start,
} from "./client";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("createPipe", () => {
  test.each([
    ["kafka", KAFKA],
    ["objectStorage", OBJECT_STORAGE],
    ["kinesis", KINESIS],
    ["postgres", POSTGRES],
  ])("answers a %s pipe at once, in an envelope", async (kind, body) => {
    const simulator = await start();
    const { status, envelope } = await call(simulator, "POST", "/pipes", body);
    const pipe = envelope.result as Pipe;
    expect([status, envelope.status]).toEqual([200, 200]);
    expect(envelope.requestId).toMatch(UUID_V4);
    expect(pipe.id).toMatch(UUID_V4);
    expect(pipe).toMatchObject({
      name: body.name,
      state: "Provisioning",
      serviceId: simulator.account.serviceIds[0],
    });
    expect(Object.keys(pipe.source)).toEqual([kind]);
    expect(new Date(pipe.createdAt).toISOString()).toBe(pipe.createdAt);
    expect(pipe.updatedAt).toBe(pipe.createdAt);
  });

  test("never returns what only requests carry, in any operation or in the state that control shows", async () => {
    const simulator = await start();
    for (const body of [KAFKA, OBJECT_STORAGE, KINESIS, POSTGRES]) await createPipe(simulator, body);
    const [kafka] = await ok<Pipe[]>(simulator, "GET", "/pipes");
    const update = {
      source: { kafka: { credentials: { username: "kafka-user", password: "kafka-password" } } },
    };
    const texts = [
      (await call(simulator, "GET", "/pipes")).text,
      (await call(simulator, "PATCH", `/pipes/${kafka?.id ?? ""}`, update)).text,
      JSON.stringify(simulator.control.state()),
    ];
    for (const value of REQUEST_ONLY_VALUES)
      for (const text of texts) expect(text.replaceAll("source.validateSamples", "")).not.toContain(value);
  });

  test("returns the connection string, which is a returned field", async () => {
    const pipe = await createPipe(await start(), OBJECT_STORAGE);
    expect(pipe.source.objectStorage?.connectionString).toBe("AccountName=demo;AccountKey=demo-account-key");
  });

  test("fills in what a request leaves out", async () => {
    const simulator = await start();
    const kafka = await createPipe(simulator, KAFKA);
    expect(kafka.source.kafka?.consumerGroup).toBe(`datapipes-${kafka.id}`);
    expect(kafka.settings).toEqual(DEFAULT_SETTINGS);
    expect(Object.keys(DEFAULT_SETTINGS)).toHaveLength(12);
    expect(kafka.scaling).toEqual(DEFAULT_SCALING);
    expect(kafka.destination).toMatchObject({ database: "default", managedTable: true });
    const files = await createPipe(simulator, OBJECT_STORAGE);
    expect(files.source.objectStorage).toMatchObject({ compression: "auto", isContinuous: false });
    const replica = await createPipe(simulator, POSTGRES);
    expect(replica.source.postgres?.settings).toMatchObject({
      syncIntervalSeconds: 60,
      pullBatchSize: 100_000,
    });
    expect(replica).not.toHaveProperty("settings");
  });

  test("keeps what a request gives when it fills in the rest", async () => {
    const body = { ...KAFKA, scaling: { replicas: 3 }, settings: { dbms_max_threads: 2 } };
    const pipe = await createPipe(await start(), body);
    expect(pipe.scaling).toEqual({ ...DEFAULT_SCALING, replicas: 3 });
    expect(pipe.settings).toEqual({ ...DEFAULT_SETTINGS, dbms_max_threads: 2 });
  });

  test("fills in nothing with fill: false", async () => {
    const pipe = await createPipe(await start({ fill: false }), KAFKA);
    expect(pipe).not.toHaveProperty("scaling");
    expect(pipe).not.toHaveProperty("settings");
    expect(pipe.source.kafka).toEqual({
      brokers: "b-1.example:9092",
      topics: "orders",
      schemaRegistry: { url: "https://registry.example" },
    });
  });

  test("returns null for optional fields without a value with nulls: true", async () => {
    const simulator = await start({ nulls: true });
    const pipe = await createPipe(simulator, KAFKA);
    expect(pipe.source.kafka).toMatchObject({ iamRole: null, offset: null, caCertificate: null });
    expect(pipe.destination).toHaveProperty("tableDefinition", null);
    const [listed] = await ok<Pipe[]>(simulator, "GET", "/pipes");
    expect(listed).toEqual(pipe);
  });

  test("takes values that the API's document leaves open", async () => {
    const simulator = await start();
    const body = {
      ...OBJECT_STORAGE,
      source: { objectStorage: { url: "u", compression: "something-new" } },
      scaling: { replicas: 999, replicaMemoryGb: 0.25 },
      settings: { dbms_max_threads: -1 },
    };
    await expect(createPipe(simulator, body)).resolves.toMatchObject({ scaling: { replicas: 999 } });
  });

  test("takes ids of endpoints that do not exist unless references are strict", async () => {
    const id = "0a1b2c3d-0000-4000-8000-0000000000aa";
    const body = { ...KAFKA, source: { kafka: { ...KAFKA.source.kafka, reversePrivateEndpointIds: [id] } } };
    expect((await call(await start(), "POST", "/pipes", body)).status).toBe(200);
    const strict = await start({ strictReferences: true });
    const { status, envelope } = await call(strict, "POST", "/pipes", body);
    expect(status).toBe(400);
    expect(envelope.error).toContain("source.kafka.reversePrivateEndpointIds[0]");
    const endpoint = await ok<ReversePrivateEndpoint>(strict, "POST", "/pipesReversePrivateEndpoints", {
      type: "VPC_ENDPOINT_SERVICE",
      vpcEndpointServiceName: "com.example.service",
    });
    body.source.kafka.reversePrivateEndpointIds = [endpoint.id];
    expect((await call(strict, "POST", "/pipes", body)).status).toBe(200);
  });
});

describe("updatePipe", () => {
  test("changes what the body names and leaves everything else as it is", async () => {
    const simulator = await start({ stateSeconds: 0 });
    const before = await createPipe(simulator, KAFKA);
    const after = await ok<Pipe>(simulator, "PATCH", `/pipes/${before.id}`, {
      name: "renamed",
      source: { kafka: { iamRole: "arn:aws:iam::000000000000:role/x" } },
      settings: { dbms_max_threads: 3 },
    });
    expect(after).toEqual({
      ...before,
      name: "renamed",
      source: { kafka: { ...before.source.kafka, iamRole: "arn:aws:iam::000000000000:role/x" } },
      settings: { ...before.settings, dbms_max_threads: 3 },
      updatedAt: after.updatedAt,
    });
    expect(await ok<Pipe[]>(simulator, "GET", "/pipes")).toEqual([after]);
  });

  test("leaves the name when it is null, and changes nothing with an empty body", async () => {
    const simulator = await start({ stateSeconds: 0 });
    const before = await createPipe(simulator, KAFKA);
    expect(await ok<Pipe>(simulator, "PATCH", `/pipes/${before.id}`, { name: null })).toEqual(before);
    expect(await ok<Pipe>(simulator, "PATCH", `/pipes/${before.id}`, {})).toEqual(before);
    const samples = { source: { validateSamples: true } };
    expect(await ok<Pipe>(simulator, "PATCH", `/pipes/${before.id}`, samples)).toEqual(before);
  });

  test("takes columns with field mappings in one body", async () => {
    const simulator = await start();
    const { id } = await createPipe(simulator, KAFKA);
    const change = {
      destination: { columns: [{ name: "id", type: "UInt32" }] },
      fieldMappings: [{ sourceField: "$.key", destinationField: "id" }],
    };
    const after = await ok<Pipe>(simulator, "PATCH", `/pipes/${id}`, change);
    expect(after.destination).toEqual({ ...after.destination, ...change.destination, table: "orders" });
    expect(after.fieldMappings).toEqual(change.fieldMappings);
  });

  test("adds and removes table mappings, and merges the two settings of postgres", async () => {
    const simulator = await start();
    const { id } = await createPipe(simulator, POSTGRES);
    const items = { sourceSchemaName: "public", sourceTable: "items", targetTable: "items" };
    const update = (postgres: object): Promise<Pipe> =>
      ok<Pipe>(simulator, "PATCH", `/pipes/${id}`, { source: { postgres } });
    const added = await update({ tableMappingsToAdd: [items], settings: { syncIntervalSeconds: 5 } });
    expect(added.source.postgres?.tableMappings).toMatchObject([ORDERS_MAPPING, items]);
    expect(added.source.postgres?.settings).toMatchObject({ syncIntervalSeconds: 5, pullBatchSize: 100_000 });
    const removed = await update({ tableMappingsToRemove: [ORDERS_MAPPING] });
    expect(removed.source.postgres?.tableMappings).toMatchObject([items]);
  });

  test("takes settings and does nothing with ignoreSettings: true", async () => {
    const simulator = await start({ ignoreSettings: true });
    const { id } = await createPipe(simulator, KAFKA);
    const after = await ok<Pipe>(simulator, "PATCH", `/pipes/${id}`, { settings: { dbms_max_threads: 3 } });
    expect(after.settings).toEqual(DEFAULT_SETTINGS);
  });

  test("answers 404 for a pipe that does not exist", async () => {
    const simulator = await start();
    const { status, envelope } = await call(
      simulator,
      "PATCH",
      `/pipes/${simulator.account.organizationId}`,
      {},
    );
    expect(status).toBe(404);
    expect(envelope).toMatchObject({
      status: 404,
      error: expect.stringMatching(/^NOT_FOUND: .*pipe/) as string,
    });
  });
});

describe("listPipes and getPipeSettings", () => {
  test("list all pipes in the order of their creation, and the settings of one", async () => {
    const simulator = await start();
    const { id } = await createPipe(simulator, { ...KAFKA, settings: { dbms_max_threads: 2 } });
    await createPipe(simulator, KINESIS);
    const pipes = await ok<Pipe[]>(simulator, "GET", "/pipes");
    expect(pipes.map(({ name }) => name)).toEqual(["orders", "stream"]);
    const settings = await ok<PipeSettings>(simulator, "GET", `/pipes/${id}/settings`);
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, dbms_max_threads: 2 });
  });

  test("answer 404 for the settings of an existing postgres pipe", async () => {
    const simulator = await start();
    const { id } = await createPipe(simulator, POSTGRES);
    expect((await call(simulator, "GET", `/pipes/${id}/settings`)).status).toBe(404);
    expect(await ok<Pipe[]>(simulator, "GET", "/pipes")).toHaveLength(1);
  });

  test("list ten thousand pipes, checked against the contract", async () => {
    const simulator = await start();
    simulator.control.seedPipes(
      Array.from({ length: 10_000 }, (_, index) => ({ ...KAFKA, name: `pipe-${index}` })),
    );
    const pipes = await ok<Pipe[]>(simulator, "GET", "/pipes");
    expect(pipes).toHaveLength(10_000);
    expect(pipes.at(-1)?.name).toBe("pipe-9999");
  });
});

describe("createReversePrivateEndpoint", () => {
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
  ])("returns what was sent and what the service adds: $type", async (body) => {
    const endpoint = await ok<ReversePrivateEndpoint>(
      await start(),
      "POST",
      "/pipesReversePrivateEndpoints",
      body,
    );
    expect(endpoint).toMatchObject({ ...body, status: "Provisioning" });
    expect(endpoint.id).toMatch(UUID_V4);
    expect(endpoint.endpointId).not.toBe("");
    expect([endpoint.dnsNames.length, endpoint.privateDnsNames.length]).toEqual([1, 1]);
  });
});

describe("updateService", () => {
  const entry = (source: string, description = ""): object => ({ source, description });

  test("removes, then adds; ignores missing entries to remove and existing entries to add", async () => {
    const simulator = await start();
    const change = (ipAccessList: object): Promise<Service> =>
      ok<Service>(simulator, "PATCH", "", { ipAccessList });
    await change({ add: [entry("10.0.0.0/8", "a"), entry("10.0.0.0/8", "a"), entry("192.168.0.0/16")] });
    const after = await change({
      remove: [entry("10.0.0.0/8", "a"), entry("172.16.0.0/12")],
      add: [entry("10.0.0.0/8", "b"), entry("192.168.0.0/16")],
    });
    expect(after.ipAccessList).toEqual([entry("192.168.0.0/16"), entry("10.0.0.0/8", "b")]);
  });

  test("changes private endpoints, endpoints, name and encryption key, and leaves the rest", async () => {
    const simulator = await start();
    const first = await ok<Service>(simulator, "PATCH", "", {
      privateEndpointIds: { add: ["vpce-1", "vpce-2"] },
    });
    const after = await ok<Service>(simulator, "PATCH", "", {
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

describe("listBackups", () => {
  test("lists the same backups in every simulator, most recent first", async () => {
    const backups = await ok<Backup[]>(await start(), "GET", "/backups");
    expect(backups.length).toBeGreaterThanOrEqual(3);
    const starts = backups.map(({ startedAt }) => startedAt);
    expect(starts).toEqual([...starts].sort().reverse());
    expect(backups[0]?.bucket).toHaveProperty("bucketPath");
    expect(await ok<Backup[]>(await start(), "GET", "/backups")).toEqual(backups);
  });
});

describe("deletion, which the API's document does not have", () => {
  test("takes a pipe and an endpoint away, and answers 404 the second time", async () => {
    const simulator = await start();
    const { id } = await createPipe(simulator, KAFKA);
    const body = { type: "VPC_ENDPOINT_SERVICE" };
    const endpoint = await ok<ReversePrivateEndpoint>(
      simulator,
      "POST",
      "/pipesReversePrivateEndpoints",
      body,
    );
    for (const path of [`/pipes/${id}`, `/pipesReversePrivateEndpoints/${endpoint.id}`]) {
      expect((await call(simulator, "DELETE", path)).status).toBe(200);
      expect((await call(simulator, "DELETE", path)).status).toBe(404);
    }
    expect(await ok<Pipe[]>(simulator, "GET", "/pipes")).toEqual([]);
  });

  test("is answered with 405 when it is turned off", async () => {
    const simulator = await start({ deletes: false });
    const { id } = await createPipe(simulator, KAFKA);
    expect((await call(simulator, "DELETE", `/pipes/${id}`)).status).toBe(405);
    expect(await ok<Pipe[]>(simulator, "GET", "/pipes")).toHaveLength(1);
  });
});
