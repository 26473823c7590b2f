import type { Pipe, ReversePrivateEndpoint } from "../../../simulator/src/index";
import { DEFAULT_SCALING, DEFAULT_SETTINGS } from "../../../simulator/src/index";
import { call, createPipe, listPipes, ok, REQUEST_ONLY_VALUES, start } from "./client";
import { KAFKA, KINESIS, OBJECT_STORAGE, POSTGRES } from "./client";

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
    const [kafka] = await listPipes(simulator);
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
    const [listed] = await listPipes(simulator);
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
