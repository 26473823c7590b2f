import { summaryOf, withoutNulls } from "../../../provider/src/functions/pipe-summary";

const pipe = { id: "id", serviceId: "s", name: "orders", state: "Running" };

test("the source of a pipe holds its one kind, and no nulls at any depth", () => {
  const kinds = { objectStorage: null, kinesis: null, postgres: null, mysql: null };
  const kafka = { brokers: "b", offset: null, schemaRegistry: { url: "u", caCertificate: null } };
  const { source, destination } = summaryOf({
    ...pipe,
    source: { kafka, ...kinds },
    destination: { table: "t", tableDefinition: null, columns: [{ name: "a", type: null }, null] },
  });
  expect(source).toEqual({ kafka: { brokers: "b", schemaRegistry: { url: "u" } } });
  expect(destination).toEqual({ table: "t", columns: [{ name: "a" }] });
});

test("leaves out a kind without a value, and keeps unknown members", () => {
  const source = { kafka: { brokers: "b" }, kinesis: { region: null }, postgres: {}, schedule: "hourly" };
  expect(summaryOf({ ...pipe, source, more: { of: 1 } })).toMatchObject({
    source: { kafka: { brokers: "b" }, schedule: "hourly" },
    more: { of: 1 },
  });
  expect(summaryOf({ ...pipe, source }).source).not.toHaveProperty("kinesis");
  expect(summaryOf({ ...pipe, source: { kafka: {} } }).source).toEqual({ kafka: {} });
});

test("a pipe with a sparse answer has all its parts, without secrets", () => {
  const source = { objectStorage: { url: "u", connectionString: "hidden", accessKey: { secretKey: "k" } } };
  expect(summaryOf({ ...pipe, source, scaling: null })).toEqual({
    ...pipe,
    source: { objectStorage: { url: "u" } },
    destination: {},
    fieldMappings: [],
    scaling: {},
    settings: {},
  });
});

test("a backup under way lacks what the API states as null", () => {
  const backup = { id: "b", serviceId: "s", startedAt: "2026-01-31T00:00:00Z", finishedAt: null };
  expect(withoutNulls({ ...backup, bucket: { bucketPath: null } })).toEqual({
    id: "b",
    serviceId: "s",
    startedAt: "2026-01-31T00:00:00Z",
    bucket: {},
  });
});
