import type { Pipe, Profile, Service, Simulator } from "../../simulator/src/index";
import { call, createPipe, listed, listPipes, ok, start, updatePipe } from "./client";
import { KAFKA, KINESIS, OBJECT_STORAGE, POSTGRES, SCALING } from "./client";
import { tableMapping } from "../kit/pipes";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await start({ stateSeconds: 0 });
});

const TABLE_DEFINITION = {
  engine: { versionColumnId: "Version", columnIds: ["Id"] },
  sortingKey: ["Id"],
  partitionBy: "toYYYYMM(At)",
  primaryKey: "Id",
};

const SCALED = { ...KAFKA, scaling: SCALING };

const use = (...profiles: Profile[]) => simulator.control.setBehaviour({ profiles });

const stored = (): Pipe | undefined => simulator.control.state().pipes[0];

describe("quantity", () => {
  beforeEach(() => use("quantity"));

  test("states millicores and gigabytes as quantities in lists and in answers to writes", async () => {
    const created = await createPipe(simulator, SCALED);
    const updated = await updatePipe(simulator, created.id, { name: "renamed" });
    const quantities = { ...SCALING, replicaCpuMillicores: "125m", replicaMemoryGb: "1.5Gi" };
    for (const pipe of [created, updated, await listed(simulator)]) expect(pipe?.scaling).toEqual(quantities);
    expect(stored()?.scaling).toEqual(SCALING);
  });

  test.each([
    [{ replicaCpuMillicores: -5 }, "scaling.replicaCpuMillicores must be a quantity"],
    [{ replicaCpuMillicores: 1e21 }, "scaling.replicaCpuMillicores must be a quantity"],
    [{ replicaMemoryGb: -0.5 }, "scaling.replicaMemoryGb must be a quantity"],
    [{ replicaMemoryGb: 1e-7, replicas: -1 }, "scaling.replicaMemoryGb must be a quantity"],
  ])("refuses %j in a create, and lists it as it is if the pipe is older", async (scaling, says) => {
    const { status, envelope } = await call(simulator, "POST", "/pipes", { ...KAFKA, scaling });
    expect(status).toBe(400);
    expect(envelope.error).toContain(says);
    expect(await listPipes(simulator)).toEqual([]);
    use();
    await createPipe(simulator, { ...KAFKA, scaling });
    use("quantity");
    expect(await listPipes(simulator)).toHaveLength(1);
  });
});

describe("omit", () => {
  beforeEach(() => use("omit"));

  test("leaves fields of a Kafka pipe out of lists alone, or states null or an empty list", async () => {
    const offset = { timestamp: "2026-01-31T00:00" };
    const kafka = { ...KAFKA.source.kafka, consumerGroup: "group", offset };
    const destination = { ...KAFKA.destination, tableDefinition: TABLE_DEFINITION };
    const created = await createPipe(simulator, { ...SCALED, source: { kafka }, destination });
    for (const pipe of [created, stored()])
      expect(pipe?.source.kafka).toMatchObject({ consumerGroup: "group", offset });
    const pipe = await listed(simulator);
    const { brokers, topics } = kafka;
    expect(pipe?.source).toEqual({ kafka: { brokers, topics, offset: null, schemaRegistry: [] } });
    expect(pipe?.destination).not.toHaveProperty("tableDefinition");
    expect(pipe?.destination.managedTable).toBeNull();
    expect(pipe?.scaling).not.toHaveProperty("concurrency");
  });

  test("states the table definition of a Kinesis pipe as an empty list", async () => {
    await createPipe(simulator, {
      ...KINESIS,
      destination: { table: "t", tableDefinition: TABLE_DEFINITION },
    });
    expect((await listed(simulator))?.destination.tableDefinition).toEqual([]);
  });

  test("leaves settings of a Postgres pipe out of lists, or states null or an empty list", async () => {
    await createPipe(simulator, POSTGRES);
    expect((await listed(simulator))?.source.postgres?.settings).toEqual({
      syncIntervalSeconds: 60,
      pullBatchSize: 100_000,
      replicationSlotName: null,
      initialLoadParallelism: null,
      snapshotNumberOfParallelTables: null,
      enableFailoverSlots: [],
    });
  });
});

test("zero-later states 0 for scaling in two lists after each create, but not after a seed", async () => {
  use("zero-later");
  simulator.control.seedPipes([{ ...KINESIS, scaling: SCALING }]);
  const { scaling } = await createPipe(simulator, SCALED);
  expect(scaling).toEqual(SCALING);
  const first = (await listPipes(simulator)).map((pipe) => pipe.scaling);
  await createPipe(simulator, { ...POSTGRES, scaling: SCALING });
  const lists = [first];
  for (const _ of [2, 3, 4]) lists.push((await listPipes(simulator)).map((pipe) => pipe.scaling));
  const zeros = { replicas: 0, concurrency: 0, replicaCpuMillicores: 0, replicaMemoryGb: 0 };
  expect(lists).toEqual([
    [SCALING, zeros],
    [SCALING, zeros, zeros],
    [SCALING, SCALING, zeros],
    [SCALING, SCALING, SCALING],
  ]);
});

test.each([
  ["AccountName=demo;AccountKey=a+b==;Suffix=core", "AccountName=demo;AccountKey=***;Suffix=core"],
  ["Endpoint=https://x;SharedAccessSignature=sv=1&sig=2", "Endpoint=https://x;SharedAccessSignature=***"],
  ["no-members", "***"],
])("masked shows %s as %s", async (connectionString, masked) => {
  use("masked");
  const objectStorage = { url: "https://bucket.example", connectionString, path: "/in//2026/*.json/" };
  const created = await createPipe(simulator, { ...OBJECT_STORAGE, source: { objectStorage } });
  expect(created.source.objectStorage).toMatchObject({ connectionString: masked, path: "in/2026/*.json" });
  expect((await listed(simulator))?.source).toEqual(created.source);
  expect(stored()?.source.objectStorage).toMatchObject(objectStorage);
});

describe("cidr", () => {
  const update = async (ipAccessList: object) =>
    (await ok<Service>(simulator, "PATCH", "", { ipAccessList })).ipAccessList;
  const entry = (source: string, description: string) => ({ source, description });

  test("keeps entries with a prefix length and trimmed descriptions", async () => {
    use("cidr");
    const network = entry("192.168.0.0/16", "net");
    const same = entry("10.0.0.1/32", "office");
    const add = [entry("10.0.0.1", " office "), { source: "fd00::1" }, network, same];
    const entries = [entry("10.0.0.1/32", "office"), { source: "fd00::1/128" }, network];
    expect(await update({ add })).toEqual(entries);
    expect(simulator.control.state().services[0]?.ipAccessList).toEqual(entries);
  });

  test("removes the stored format alone, and ignores another format", async () => {
    const old = entry("10.0.0.1", "office ");
    simulator.control.editService(simulator.account.serviceIds[0] ?? "", { ipAccessList: [old] });
    use("cidr");
    const network = entry("10.0.0.1/32", "office");
    expect(await update({ remove: [old] })).toEqual([network]);
    expect(await update({ remove: [network] })).toEqual([]);
  });
});

test("lower-case stores and lists the destination's names in lower case, and echoes creates", async () => {
  const declared = {
    destination: {
      database: "Shop",
      table: "Orders",
      columns: [{ name: "Id", type: "UInt64" }],
      tableDefinition: TABLE_DEFINITION,
    },
    fieldMappings: [{ sourceField: "$.Id", destinationField: "Id" }],
  };
  const engine = { versionColumnId: "version", columnIds: ["id"] };
  const lowered = {
    destination: {
      database: "shop",
      table: "orders",
      columns: [{ name: "id", type: "UInt64" }],
      tableDefinition: { ...TABLE_DEFINITION, engine, sortingKey: ["id"] },
    },
    fieldMappings: [{ sourceField: "$.Id", destinationField: "id" }],
  };
  simulator.control.seedPipes([{ ...KAFKA, ...declared }]);
  use("lower-case");
  const { id, destination } = await createPipe(simulator, { ...KAFKA, ...declared });
  expect(destination).toMatchObject(declared.destination);
  expect(await listPipes(simulator)).toMatchObject([lowered, lowered]);
  expect(simulator.control.state().pipes).toMatchObject([declared, lowered]);
  const { columns } = declared.destination;
  const change = { destination: { columns }, fieldMappings: declared.fieldMappings };
  expect(await updatePipe(simulator, id, change)).toMatchObject(lowered);
});

const added = { tableMappingsToAdd: [tableMapping("items")] };
const credentials = { username: "pg-user", password: "pg-password" };

test.each<[profile: Profile, postgres: object, status: number, says: string]>([
  ["recheck-connection", { host: "other.example" }, 400, "Authentication failed"],
  ["recheck-connection", { port: 5433 }, 400, "Authentication failed"],
  ["recheck-connection", { database: "other" }, 400, "Authentication failed"],
  ["pause-required", added, 409, "its state is Running"],
  ["pause-required", { host: "other.example" }, 409, "its state is Running"],
  ["pause-required", { credentials }, 409, "its state is Running"],
])("%s refuses an update of a running Postgres pipe, %j, and stores nothing", async (profile, ...row) => {
  const [postgres, expected, says] = row;
  use(profile);
  const { id } = await createPipe(simulator, POSTGRES);
  const before = stored();
  const { status, envelope } = await call(simulator, "PATCH", `/pipes/${id}`, { source: { postgres } });
  expect(status).toBe(expected);
  expect(envelope.error).toContain(says);
  expect(stored()).toEqual(before);
});

test.each([
  [{ host: "other.example", credentials }],
  [{ credentials }],
  [{ settings: { pullBatchSize: 5 } }],
])("recheck-connection accepts an update of a Postgres pipe, %j", async (postgres) => {
  use("recheck-connection");
  const { id } = await createPipe(simulator, POSTGRES);
  expect(await updatePipe(simulator, id, { source: { postgres } })).toMatchObject({ id });
});

test("pause-required takes any change of a paused pipe, and some of a running one", async () => {
  use("pause-required");
  const { id } = await createPipe(simulator, POSTGRES);
  const change = { name: "renamed", source: { postgres: { settings: { pullBatchSize: 5 } } } };
  expect(await updatePipe(simulator, id, change)).toMatchObject({ name: "renamed" });
  simulator.control.editPipe(id, { state: "Paused" });
  const after = await updatePipe(simulator, id, { source: { postgres: added } });
  expect(after).toMatchObject({ state: "Paused" });
});
