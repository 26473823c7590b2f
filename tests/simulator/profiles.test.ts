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
    const { scaling } = await createPipe(simulator, { ...KAFKA, scaling: { replicaCpuMillicores: 0 } });
    expect(scaling).toMatchObject({ replicaCpuMillicores: "0m" });
  });

  test.each([
    [{ replicaCpuMillicores: "125m" }, "scaling.replicaCpuMillicores must be integer", 400],
    [{ replicaCpuMillicores: -5 }, "scaling.replicaCpuMillicores must be a quantity", 200],
    [{ replicaCpuMillicores: 1e21 }, "scaling.replicaCpuMillicores must be a quantity", 200],
    [{ replicaMemoryGb: -0.5 }, "scaling.replicaMemoryGb must be a quantity", 200],
    [{ replicaMemoryGb: 1e-7, replicas: -1 }, "scaling.replicaMemoryGb must be a quantity", 200],
  ])("refuses %j in a create, and lists it as it is if the pipe is older", async (scaling, says, before) => {
    const create = () => call(simulator, "POST", "/pipes", { ...KAFKA, scaling });
    const refused = await create();
    expect(refused.status).toBe(400);
    expect(refused.envelope.error).toContain(says);
    expect(await listPipes(simulator)).toEqual([]);
    use();
    expect((await create()).status).toBe(before);
    use("quantity");
    expect(await listPipes(simulator)).toHaveLength(before === 200 ? 1 : 0);
  });
});

test("omit leaves fields out of lists, or states null or an empty list, for every kind", async () => {
  use("omit");
  const offset = { timestamp: "2026-01-31T00:00" };
  const kafka = { ...KAFKA.source.kafka, consumerGroup: "group", offset };
  const destination = { table: "t", tableDefinition: TABLE_DEFINITION };
  const { url, connectionString, accessKey } = OBJECT_STORAGE.source.objectStorage;
  const queue = { delimiter: ",", queueUrl: "https://queue.example" };
  const created = await createPipe(simulator, {
    ...SCALED,
    source: { kafka },
    destination: { ...KAFKA.destination, tableDefinition: TABLE_DEFINITION },
  });
  const objectStorage = { url, connectionString, accessKey, ...queue };
  await createPipe(simulator, { ...OBJECT_STORAGE, source: { objectStorage }, destination });
  await createPipe(simulator, { ...KINESIS, destination });
  await createPipe(simulator, POSTGRES);
  for (const pipe of [created, stored()])
    expect(pipe?.source.kafka).toMatchObject({ consumerGroup: "group", offset });
  const [orders, files, stream, replica] = await listPipes(simulator);
  const { brokers, topics } = kafka;
  expect(orders?.source).toEqual({ kafka: { brokers, topics, offset: null, schemaRegistry: [] } });
  expect(orders?.destination).not.toHaveProperty("tableDefinition");
  expect(orders?.destination.managedTable).toBeNull();
  expect(orders?.scaling).not.toHaveProperty("concurrency");
  expect(files?.source).toEqual({
    objectStorage: { url, connectionString, compression: null, queueUrl: [] },
  });
  expect(files?.destination.tableDefinition).toEqual({ engine: null, sortingKey: [], primaryKey: null });
  const { streamName, region } = KINESIS.source.kinesis;
  expect(stream?.source).toEqual({ kinesis: { streamName, region, timestamp: null } });
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

const namesOf = (table: string, database: string, column: string, version: string) => ({
  destination: {
    database,
    table,
    columns: [{ name: column, type: "UInt64" }],
    tableDefinition: {
      ...TABLE_DEFINITION,
      engine: { versionColumnId: version, columnIds: [column] },
      sortingKey: [column],
    },
  },
  fieldMappings: [{ sourceField: "$.Id", destinationField: column }],
});

test("lower-case stores and lists the destination's names in lower case, and echoes creates", async () => {
  const declared = namesOf("Orders", "Shop", "Id", "Version");
  const lowered = namesOf("orders", "shop", "id", "version");
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

const credentials = { username: "pg-user", password: "pg-password" };

const added = { tableMappingsToAdd: [tableMapping("items")] };
const REFUSED = "Authentication failed";
const RUNNING = /^CONFLICT: the pipe must be paused .*its state is Running$/;

test.each<[profile: Profile, postgres: object, status: number, says: RegExp | string | null]>([
  ["recheck-connection", { host: "other.example" }, 400, REFUSED],
  ["recheck-connection", { port: 5433 }, 400, REFUSED],
  ["recheck-connection", { database: "other" }, 400, REFUSED],
  ["recheck-connection", { host: "other.example", credentials }, 200, null],
  ["recheck-connection", { credentials }, 200, null],
  ["recheck-connection", { settings: { pullBatchSize: 5 } }, 200, null],
  ["pause-required", added, 409, RUNNING],
  ["pause-required", { host: "other.example" }, 409, RUNNING],
  ["pause-required", { credentials }, 409, RUNNING],
])("%s answers an update of a running Postgres pipe, %j: %d", async (profile, postgres, expected, says) => {
  use(profile);
  const { id } = await createPipe(simulator, POSTGRES);
  const before = stored();
  const { status, envelope } = await call(simulator, "PATCH", `/pipes/${id}`, { source: { postgres } });
  expect(status).toBe(expected);
  if (says === null) return;
  expect(envelope.error).toMatch(says);
  expect(stored()).toEqual(before);
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
