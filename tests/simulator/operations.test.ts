import type { Backup, ReversePrivateEndpoint, Service, Simulator } from "../../simulator/src/index";
import { DEFAULT_SCALING, DEFAULT_SETTINGS } from "../../simulator/src/index";
import { call, createEndpoint, createPipe, listPipes, ok, start, updatePipe } from "./client";
import { ENDPOINTS, KAFKA, OBJECT_STORAGE, POSTGRES } from "./client";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let simulator: Simulator;
beforeEach(async () => {
  simulator = await start({ stateSeconds: 0 });
});

describe("createPipe", () => {
  test("fills in what a request leaves out, and keeps what it gives", async () => {
    const kafka = await createPipe(simulator);
    expect(kafka).toMatchObject({
      source: { kafka: { consumerGroup: `datapipes-${kafka.id}` } },
      destination: { database: "default", managedTable: true },
    });
    expect(kafka.settings).toEqual(DEFAULT_SETTINGS);
    expect(kafka.scaling).toEqual(DEFAULT_SCALING);
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

test.each([{ name: null }, {}, { source: { validateSamples: true } }])(
  "updatePipe changes nothing with %j",
  async (body) => {
    const before = await createPipe(simulator);
    expect(await updatePipe(simulator, before.id, body)).toEqual(before);
  },
);

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
  expect(endpoint.dnsNames).toHaveLength(1);
  expect(endpoint.privateDnsNames).toHaveLength(1);
  const status = () => provisioning.control.state().endpoints[0]?.status;
  expect(status()).toBe("Provisioning");
  provisioning.control.advance(2);
  expect(status()).toBe("Ready");
});

test("updateService removes, then adds, and ignores entries that are missing or there already", async () => {
  const entry = (source: string, description = ""): object => ({ source, description });
  const change = (body: object) => ok<Service>(simulator, "PATCH", "", body);
  const net = entry("192.168.0.0/16");
  const twice = [entry("10.0.0.0/8", "a"), entry("10.0.0.0/8", "a")];
  await change({ ipAccessList: { add: [...twice, entry("10.0.0.0/8", "c"), net] } });
  const remove = [entry("10.0.0.0/8", "a"), entry("172.16.0.0/12")];
  const after = await change({ ipAccessList: { remove, add: [entry("10.0.0.0/8", "b"), net] } });
  expect(after.ipAccessList).toEqual([entry("10.0.0.0/8", "c"), net, entry("10.0.0.0/8", "b")]);
  const { ipAccessList } = await change({ ipAccessList: { remove: [{ source: "192.168.0.0/16" }] } });
  expect(ipAccessList).toEqual([entry("10.0.0.0/8", "c"), entry("10.0.0.0/8", "b")]);
});

test("listBackups lists the same backups in every simulator, most recent first", async () => {
  const backups = await ok<Backup[]>(simulator, "GET", "/backups");
  expect(backups.length).toBeGreaterThanOrEqual(3);
  const starts = backups.map(({ startedAt }) => startedAt);
  expect(starts).toEqual([...starts].sort().reverse());
  expect(backups[0]?.bucket).toHaveProperty("bucketPath");
  expect(await ok<Backup[]>(await start(), "GET", "/backups")).toEqual(backups);
});
