import type { Pipe, Profile, Service, Simulator } from "../../../simulator/src/index";
import { call, createPipe, listed, listPipes, ok, start, updatePipe } from "./client";
import { KAFKA, KINESIS, OBJECT_STORAGE, POSTGRES, SCALING } from "./client";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ stateSeconds: 0 });
});
beforeEach(() => {
  simulator.control.reset();
});

const TABLE_DEFINITION = {
  engine: { versionColumnId: "Version", columnIds: ["Id"] },
  sortingKey: ["Id"],
  partitionBy: "toYYYYMM(At)",
  primaryKey: "Id",
};

const use = (...profiles: Profile[]) => simulator.control.setBehaviour({ profiles });

const stored = (): Pipe | undefined => simulator.control.state().pipes[0];

describe("quantity", () => {
  test("states millicores and gigabytes as quantities in lists and in answers to writes", async () => {
    use("quantity");
    const quantities = { ...SCALING, replicaCpuMillicores: "125m", replicaMemoryGb: "1.5Gi" };
    const created = await createPipe(simulator, { ...KAFKA, scaling: SCALING });
    expect(created.scaling).toEqual(quantities);
    expect((await listed(simulator))?.scaling).toEqual(quantities);
    const updated = await updatePipe(simulator, created.id, { name: "renamed" });
    expect(updated.scaling).toEqual(quantities);
    expect(stored()?.scaling).toEqual(SCALING);
  });

  test.each([
    [{ replicaCpuMillicores: "125m" }, "scaling.replicaCpuMillicores must be integer"],
    [{ replicaCpuMillicores: -5 }, "scaling.replicaCpuMillicores must be a quantity"],
    [{ replicaCpuMillicores: 1e21 }, "scaling.replicaCpuMillicores must be a quantity"],
    [{ replicaMemoryGb: -0.5 }, "scaling.replicaMemoryGb must be a quantity"],
    [{ replicaMemoryGb: 1e-7, replicas: -1 }, "scaling.replicaMemoryGb must be a quantity"],
  ])("refuses %j in a create, and lists it as it is if the pipe existed before", async (scaling, says) => {
    use("quantity");
    const refused = await call(simulator, "POST", "/pipes", { ...KAFKA, scaling });
    expect([refused.status, refused.envelope.error]).toEqual([400, expect.stringContaining(says)]);
    expect(await listPipes(simulator)).toEqual([]);
    use();
    const { status } = await call(simulator, "POST", "/pipes", { ...KAFKA, scaling });
    use("quantity");
    expect(await listPipes(simulator)).toHaveLength(status === 200 ? 1 : 0);
  });

  test("takes zero", async () => {
    use("quantity");
    const { scaling } = await createPipe(simulator, { ...KAFKA, scaling: { replicaCpuMillicores: 0 } });
    expect(scaling).toMatchObject({ replicaCpuMillicores: "0m" });
  });
});

describe("omit", () => {
  test("leaves fields out of the list, or states null or an empty list for them", async () => {
    use("omit");
    const kafka = {
      ...KAFKA.source.kafka,
      consumerGroup: "group",
      offset: { timestamp: "2026-01-31T00:00" },
    };
    const destination = { ...KAFKA.destination, tableDefinition: TABLE_DEFINITION };
    const created = await createPipe(simulator, {
      ...KAFKA,
      source: { kafka },
      destination,
      scaling: SCALING,
    });
    expect(created.source.kafka).toMatchObject({ consumerGroup: "group", offset: kafka.offset });
    const pipe = await listed(simulator);
    expect(pipe?.source.kafka).toEqual({
      brokers: kafka.brokers,
      topics: kafka.topics,
      offset: null,
      schemaRegistry: [],
    });
    expect(pipe?.destination).not.toHaveProperty("tableDefinition");
    expect(pipe?.destination.managedTable).toBeNull();
    expect(pipe?.scaling).not.toHaveProperty("concurrency");
    expect(stored()).toMatchObject({ source: { kafka: { consumerGroup: "group" } } });
  });

  test("does so with every kind of source", async () => {
    use("omit");
    const { objectStorage } = OBJECT_STORAGE.source;
    const destination = { table: "t", tableDefinition: TABLE_DEFINITION };
    const storage = {
      objectStorage: { ...objectStorage, delimiter: ",", queueUrl: "https://queue.example" },
    };
    await createPipe(simulator, { ...OBJECT_STORAGE, source: storage, destination });
    await createPipe(simulator, { ...KINESIS, destination });
    await createPipe(simulator, POSTGRES);
    const [files, stream, replica] = await listPipes(simulator);
    expect(files?.source.objectStorage).toEqual({
      url: objectStorage.url,
      connectionString: objectStorage.connectionString,
      compression: null,
      queueUrl: [],
    });
    expect(files?.destination.tableDefinition).toEqual({ engine: null, sortingKey: [], primaryKey: null });
    expect(stream?.source.kinesis).toEqual({ streamName: "clicks", region: "eu-central-1", timestamp: null });
    expect(stream?.destination.tableDefinition).toEqual([]);
    expect(replica?.source.postgres?.settings).toEqual({
      syncIntervalSeconds: 60,
      pullBatchSize: 100_000,
      replicationSlotName: null,
      initialLoadParallelism: null,
      snapshotNumberOfParallelTables: null,
      enableFailoverSlots: [],
    });
  });
});

describe("zero-later", () => {
  const ZEROS = { replicas: 0, concurrency: 0, replicaCpuMillicores: 0, replicaMemoryGb: 0 };

  test("states 0 for scaling in the first two lists after a create, and the values then", async () => {
    use("zero-later");
    const { scaling } = await createPipe(simulator, { ...KAFKA, scaling: SCALING });
    expect(scaling).toEqual(SCALING);
    const lists: (Pipe["scaling"] | undefined)[] = [];
    for (const _ of [1, 2, 3]) lists.push((await listed(simulator))?.scaling);
    expect(lists).toEqual([ZEROS, ZEROS, SCALING]);
  });

  test("counts for each pipe by itself, and leaves pipes alone that control has seeded", async () => {
    use("zero-later");
    simulator.control.seedPipes([{ ...KINESIS, scaling: SCALING }]);
    await createPipe(simulator, { ...KAFKA, scaling: SCALING });
    await listPipes(simulator);
    await createPipe(simulator, { ...POSTGRES, scaling: SCALING });
    await listPipes(simulator);
    const replicas = (await listPipes(simulator)).map(({ name, scaling }) => [name, scaling?.replicas]);
    expect(replicas).toEqual([
      ["stream", 2],
      ["orders", 2],
      ["replica", 0],
    ]);
  });
});

test("sparse answers writes with id, name and state, and lists in full", async () => {
  use("sparse");
  const created = await createPipe(simulator, KAFKA);
  expect(created).toEqual({ id: created.id, name: "orders", state: "Running" });
  const updated = await updatePipe(simulator, created.id, { name: "renamed" });
  expect(updated).toEqual({ id: created.id, name: "renamed", state: "Running" });
  expect(await listed(simulator)).toMatchObject({ name: "renamed", source: { kafka: { topics: "orders" } } });
});

describe("masked", () => {
  test.each([
    ["AccountName=demo;AccountKey=a+b==;Suffix=core", "AccountName=demo;AccountKey=***;Suffix=core"],
    [
      "Endpoint=https://x.example;SharedAccessSignature=sv=1&sig=2",
      "Endpoint=https://x.example;SharedAccessSignature=***",
    ],
    ["no-members", "***"],
  ])("shows %s as %s", async (connectionString, masked) => {
    use("masked");
    const objectStorage = { url: "https://bucket.example", connectionString, path: "/in//2026/*.json/" };
    const created = await createPipe(simulator, { ...OBJECT_STORAGE, source: { objectStorage } });
    expect(created.source.objectStorage).toMatchObject({ connectionString: masked, path: "in/2026/*.json" });
    expect((await listed(simulator))?.source).toEqual(created.source);
    expect(stored()?.source.objectStorage).toMatchObject(objectStorage);
  });
});

describe("cidr", () => {
  const update = (simulator: Simulator, ipAccessList: object): Promise<Service> =>
    ok<Service>(simulator, "PATCH", "", { ipAccessList });

  test("keeps entries with a prefix length and trimmed descriptions", async () => {
    use("cidr");
    const add = [
      { source: "10.0.0.1", description: " office " },
      { source: "fd00::1" },
      { source: "192.168.0.0/16", description: "net" },
      { source: "10.0.0.1/32", description: "office" },
    ];
    const entries = [
      { source: "10.0.0.1/32", description: "office" },
      { source: "fd00::1/128" },
      { source: "192.168.0.0/16", description: "net" },
    ];
    expect((await update(simulator, { add })).ipAccessList).toEqual(entries);
    expect(simulator.control.state().services[0]?.ipAccessList).toEqual(entries);
  });

  test("removes the stored spelling alone, and ignores another spelling", async () => {
    const [serviceId = ""] = simulator.account.serviceIds;
    const entry = { source: "10.0.0.1", description: "office " };
    simulator.control.editService(serviceId, { ipAccessList: [entry] });
    simulator.control.setBehaviour({ profiles: ["cidr"] });
    const network = { source: "10.0.0.1/32", description: "office" };
    expect((await update(simulator, { remove: [entry] })).ipAccessList).toEqual([network]);
    expect((await update(simulator, { remove: [network] })).ipAccessList).toEqual([]);
  });
});

describe("lower-case", () => {
  const destination = {
    database: "Shop",
    table: "Orders",
    columns: [{ name: "Id", type: "UInt64" }],
    tableDefinition: TABLE_DEFINITION,
  };
  const body = { ...KAFKA, destination, fieldMappings: [{ sourceField: "$.Id", destinationField: "Id" }] };
  const lowered = {
    destination: {
      database: "shop",
      table: "orders",
      columns: [{ name: "id", type: "UInt64" }],
      tableDefinition: {
        ...TABLE_DEFINITION,
        engine: { versionColumnId: "version", columnIds: ["id"] },
        sortingKey: ["id"],
      },
    },
    fieldMappings: [{ sourceField: "$.Id", destinationField: "id" }],
  };

  test("stores and lists the names of the destination in lower case, and echoes them in the create", async () => {
    use("lower-case");
    const { id, destination: echoed } = await createPipe(simulator, body);
    expect(echoed).toMatchObject(destination);
    expect(await listed(simulator)).toMatchObject(lowered);
    expect(stored()).toMatchObject(lowered);
    const { columns } = destination;
    const change = { destination: { columns }, fieldMappings: body.fieldMappings };
    expect(await updatePipe(simulator, id, change)).toMatchObject(lowered);
  });

  test("changes the case of earlier pipes too", async () => {
    simulator.control.seedPipes([body]);
    simulator.control.setBehaviour({ profiles: ["lower-case"] });
    expect(await listed(simulator)).toMatchObject(lowered);
    expect(stored()?.destination.table).toBe("Orders");
  });
});

describe("recheck-connection", () => {
  const credentials = { username: "pg-user", password: "pg-password" };

  test.each([
    ["a host without credentials", { host: "other.example" }, 400],
    ["a port without credentials", { port: 5433 }, 400],
    ["a database without credentials", { database: "other" }, 400],
    ["a host with credentials", { host: "other.example", credentials }, 200],
    ["credentials alone", { credentials }, 200],
    ["settings alone", { settings: { pullBatchSize: 5 } }, 200],
  ])("answers %s of postgres", async (_what, postgres, status) => {
    use("recheck-connection");
    const { id } = await createPipe(simulator, POSTGRES);
    const before = stored();
    const answer = await call(simulator, "PATCH", `/pipes/${id}`, { source: { postgres } });
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.envelope.error).toContain("Authentication failed");
    expect(stored()).toEqual(before);
  });
});

describe("pause-required", () => {
  const added = { sourceSchemaName: "public", sourceTable: "items", targetTable: "items" };

  test.each([
    ["table mappings", { tableMappingsToAdd: [added] }],
    ["the connection", { host: "other.example" }],
    ["credentials", { credentials: { username: "u", password: "p" } }],
  ])("refuses %s of a running pipe with 409 and its state", async (_what, postgres) => {
    use("pause-required");
    const { id } = await createPipe(simulator, POSTGRES);
    const { status, envelope } = await call(simulator, "PATCH", `/pipes/${id}`, { source: { postgres } });
    expect(status).toBe(409);
    expect(envelope.error).toMatch(/^CONFLICT: the pipe must be paused .*its state is Running$/);
    expect(stored()?.source.postgres).toMatchObject({ host: "db.example" });
  });

  test("takes other changes of a running pipe, and any of a paused one, which stays paused", async () => {
    use("pause-required");
    const { id } = await createPipe(simulator, POSTGRES);
    const change = { name: "renamed", source: { postgres: { settings: { pullBatchSize: 5 } } } };
    expect((await call(simulator, "PATCH", `/pipes/${id}`, change)).status).toBe(200);
    simulator.control.editPipe(id, { state: "Paused" });
    const add = { source: { postgres: { tableMappingsToAdd: [added] } } };
    expect(await updatePipe(simulator, id, add)).toMatchObject({ state: "Paused" });
  });
});
