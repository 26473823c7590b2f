import type { PropertyMap } from "../../provider/src/lifecycle/comparison/property-value";
import { summaryOf } from "../../provider/src/program/functions/pipe-summary";
import { QUERIES } from "../../provider/src/program/functions/queries";

const pipe = { id: "id", serviceId: "s", name: "orders", state: "Running" };

const times = { createdAt: "", updatedAt: "" };
const empty = { destination: {}, fieldMappings: [], scaling: {}, settings: {}, ...times };
const kafka = { brokers: "b", offset: null, schemaRegistry: { url: "u", caCertificate: null } };
const table = { table: "t", tableDefinition: null, columns: [{ name: "a", type: null }] };
const objectStorage = { url: "u", connectionString: "hidden", accessKey: { secretKey: "k" } };

test.each<[claim: string, stated: PropertyMap, shown: object]>([
  [
    "has its one kind of source, and no nulls at any depth",
    { source: { kafka, objectStorage: null, kinesis: null }, destination: table },
    {
      source: { kafka: { brokers: "b", schemaRegistry: { url: "u" } } },
      destination: { table: "t", columns: [{ name: "a" }] },
    },
  ],
  [
    "has no kind without a value, and keeps unknown members",
    {
      source: { kafka: { brokers: "b" }, kinesis: { region: null }, postgres: {}, schedule: "hourly" },
      more: 1,
    },
    { source: { kafka: { brokers: "b" }, schedule: "hourly" }, more: 1 },
  ],
  ["keeps its one kind, also without a value", { source: { kafka: {} } }, { source: { kafka: {} } }],
  [
    "with a sparse answer has all its parts, without secrets",
    { source: { objectStorage }, scaling: null },
    { source: { objectStorage: { url: "u" } } },
  ],
  [
    "does not have a secret of the pipe in another text",
    { source: { objectStorage }, lastError: "hidden is refused" },
    { source: { objectStorage: { url: "u" } }, lastError: "[secret] is refused" },
  ],
])("the summary of a pipe %s", (_, stated, shown) => {
  expect(summaryOf({ ...pipe, ...stated })).toEqual({ ...pipe, ...empty, ...shown });
});

test("getBackups leaves out secrets, and members that the API returns as null", async () => {
  const backup = { id: "b", serviceId: "s", startedAt: "2026-01-31T00:00:00Z" };
  const bucket = { bucketPath: null, accessKey: { secretKey: "k" } };
  const items = [{ ...backup, finishedAt: null, bucket, encryptionPassword: "p" }];
  const connection = { client: { listBackups: () => Promise.resolve({ items }) }, scope: {} };
  expect(await QUERIES.getBackups(connection as never, {})).toEqual({
    backups: [{ ...backup, bucket: {} }],
  });
});

test("getPipeSettings leaves out secrets", async () => {
  const settings = { dbmsMaxThreads: 1, kafkaPassword: "p" };
  const connection = { client: { getPipeSettings: () => Promise.resolve(settings) }, scope: {} };
  expect(await QUERIES.getPipeSettings(connection as never, { pipeId: "p" })).toEqual({ dbmsMaxThreads: 1 });
});
