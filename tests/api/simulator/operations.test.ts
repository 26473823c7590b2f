import type { Backup, Pipe, PipeSettings } from "../../../simulator/src/index";
import type { ReversePrivateEndpoint, Service } from "../../../simulator/src/index";
import { DEFAULT_SETTINGS } from "../../../simulator/src/index";
import { call, createPipe, listPipes, ok, start, updatePipe } from "./client";
import { KAFKA, KINESIS, ORDERS_MAPPING, POSTGRES } from "./client";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("updatePipe", () => {
  test("changes what the body names and leaves everything else as it is", async () => {
    const simulator = await start({ stateSeconds: 0 });
    const before = await createPipe(simulator, KAFKA);
    const after = await updatePipe(simulator, before.id, {
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
    expect(await listPipes(simulator)).toEqual([after]);
  });

  test("leaves the name when it is null, and changes nothing with an empty body", async () => {
    const simulator = await start({ stateSeconds: 0 });
    const before = await createPipe(simulator, KAFKA);
    expect(await updatePipe(simulator, before.id, { name: null })).toEqual(before);
    expect(await updatePipe(simulator, before.id, {})).toEqual(before);
    const samples = { source: { validateSamples: true } };
    expect(await updatePipe(simulator, before.id, samples)).toEqual(before);
  });

  test("takes columns with field mappings in one body", async () => {
    const simulator = await start();
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
    const simulator = await start();
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
    const simulator = await start({ ignoreSettings: true });
    const { id } = await createPipe(simulator, KAFKA);
    const after = await updatePipe(simulator, id, { settings: { dbms_max_threads: 3 } });
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
    const pipes = await listPipes(simulator);
    expect(pipes.map(({ name }) => name)).toEqual(["orders", "stream"]);
    const settings = await ok<PipeSettings>(simulator, "GET", `/pipes/${id}/settings`);
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, dbms_max_threads: 2 });
  });

  test("answer 404 for the settings of an existing postgres pipe", async () => {
    const simulator = await start();
    const { id } = await createPipe(simulator, POSTGRES);
    expect((await call(simulator, "GET", `/pipes/${id}/settings`)).status).toBe(404);
    expect(await listPipes(simulator)).toHaveLength(1);
  });

  test("list ten thousand pipes, checked against the contract", async () => {
    const simulator = await start();
    simulator.control.seedPipes(
      Array.from({ length: 10_000 }, (_, index) => ({ ...KAFKA, name: `pipe-${index}` })),
    );
    const pipes = await listPipes(simulator);
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
    expect(await listPipes(simulator)).toEqual([]);
  });

  test("is answered with 405 when it is turned off", async () => {
    const simulator = await start({ deletes: false });
    const { id } = await createPipe(simulator, KAFKA);
    expect((await call(simulator, "DELETE", `/pipes/${id}`)).status).toBe(405);
    expect(await listPipes(simulator)).toHaveLength(1);
  });
});
