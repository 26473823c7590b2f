import {
  UNKNOWN,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/lifecycle/comparison/property-value";
import { loadsOf, overlap } from "../../../provider/src/resources/pipe/loads";
import { withProperty } from "../../kit/lifecycle";
import { tableMapping } from "../../kit/pipes";

const pipe = (source: PropertyMap): PropertyMap => ({ source, destination: { table: "orders" } });
const kafka = (more: PropertyMap = {}) =>
  pipe({ kafka: { brokers: "a:9092,b:9092", topics: "orders", ...more } });
const storage = (more: PropertyMap = {}) =>
  pipe({ objectStorage: { url: "https://s3.example/orders/*", ...more } });
const azure = (account: string | undefined, url?: string) =>
  pipe({
    objectStorage: {
      azureContainerName: "in",
      path: "orders/*",
      ...(account !== undefined && { connectionString: `AccountName=${account};AccountKey=abc` }),
      ...(url !== undefined && { url }),
    },
  });
const kinesis = (region: string | null, more: PropertyMap = {}) =>
  pipe({ kinesis: { streamName: "orders", region, ...more } });
const postgres = (...tableMappings: readonly PropertyMap[]) =>
  pipe({ postgres: { host: "db", database: "shop", tableMappings } });

const inDatabase = (database: string | null) => withProperty(kafka(), "destination.database", database);
const inTable = (table: string) => withProperty(kafka(), "destination.table", table);
const orders = tableMapping("orders");
const emptyKinds = { kinesis: null, postgres: {}, objectStorage: { url: null } };
const withEmptyKinds = pipe({ ...emptyKinds, kafka: valueAt(kafka(), ["source", "kafka"]) });
const READER = {
  credentials: { ciphertext: "v1:…" },
  consumerGroup: "x",
  offset: { timestamp: "2026-01-31" },
};
const masked = { ciphertext: "v1:…" };

const loadSame = (one: PropertyMap, other: PropertyMap): boolean => overlap(loadsOf(one), loadsOf(other));

test.each<[claim: string, one: PropertyMap, other: PropertyMap]>([
  ["with different names and settings", kafka(), { ...kafka(), name: "a", settings: { dbmsMaxThreads: 1 } }],
  ["with different credentials, groups and offsets", kafka(), kafka(READER)],
  ["with one common broker", kafka(), kafka({ brokers: "c:9092, B:9092" })],
  ["with one common topic", kafka(), kafka({ topics: "more, orders" })],
  ["into the default database", kafka(), inDatabase("default")],
  ["of which one has null as its database", inDatabase(null), inDatabase("default")],
  ["with other, empty kinds of source", kafka(), withEmptyKinds],
  ["of a host in another case", storage(), storage({ url: "HTTPS://S3.Example/orders/*" })],
  ["of a URL with more slashes", storage(), storage({ url: "https://s3.example//orders/*/" })],
  ["in different formats", storage({ compression: "gzip" }), storage({ delimiter: ";" })],
  ["of one container", azure("acct"), azure("acct")],
  ["of one container, whose account only one names", azure("acct"), azure(undefined)],
  [
    "of one container, whose account a URL names",
    azure("acct"),
    azure(undefined, "https://acct.blob.example/"),
  ],
  ["of one stream", kinesis("eu"), kinesis("eu", { useEnhancedFanOut: true, timestamp: 1 })],
  ["of one stream, whose region only one names", kinesis("eu"), kinesis(null)],
  [
    "of a database server in another case",
    postgres(orders),
    withProperty(postgres(orders), "source.postgres.host", "DB"),
  ],
  ["of which one has the default schema", postgres(orders), postgres({ ...orders, sourceSchemaName: null })],
  ["with one common table mapping", postgres(orders), postgres(tableMapping("returns"), orders)],
  ["with different excluded columns", postgres(orders), postgres({ ...orders, excludedColumns: ["x"] })],
  [
    "of which one has the default port",
    postgres(orders),
    withProperty(postgres(orders), "source.postgres.port", 5432),
  ],
])("pipes %s load the same data", (_, one, other) => {
  expect(loadSame(one, other)).toBe(true);
  expect(loadSame(other, one)).toBe(true);
});

test.each<[claim: string, one: PropertyMap, other: PropertyMap]>([
  ["brokers", kafka(), kafka({ brokers: "c:9092" })],
  ["topics that differ in case", kafka(), kafka({ topics: "Orders" })],
  ["tables that differ in case", inTable("orders"), inTable("Orders")],
  ["databases that differ in case", inDatabase("shop"), inDatabase("Shop")],
  ["keys that differ in case", storage(), storage({ url: "https://s3.example/Orders/*" })],
  ["streams that differ in case", kinesis("eu"), kinesis("eu", { streamName: "Orders" })],
  ["accounts with one container", azure("acct"), azure("other")],
  ["accounts with one container, by URL", azure("acct"), azure(undefined, "https://other.blob.example")],
  ["kinds of source", kafka(), kinesis("eu")],
  ["containers", storage({ azureContainerName: "a" }), storage({ azureContainerName: "b" })],
  ["regions of streams with one name", kinesis("eu"), kinesis("us")],
  ["target tables", postgres(orders), postgres({ ...orders, targetTable: "b" })],
  [
    "databases of one server",
    postgres(orders),
    withProperty(postgres(orders), "source.postgres.database", "other"),
  ],
])("pipes of different %s load different data", (_, one, other) => {
  expect(loadSame(one, other)).toBe(false);
  expect(loadSame(other, one)).toBe(false);
});

test.each<[claim: string, both: PropertyMap]>([
  ["without a source", pipe({})],
  ["without table mappings", postgres()],
  ["of a kind that this package does not know", pipe({ toString: { a: 1 } })],
  ["whose source is unknown", { ...kafka(), source: UNKNOWN }],
  ["whose topics are unknown", kafka({ topics: UNKNOWN })],
  ["whose table is unknown", withProperty(kafka(), "destination.table", UNKNOWN)],
  ["whose URL is encrypted in the state", storage({ url: masked })],
  ["whose account is unknown", withProperty(azure("acct"), "source.objectStorage.connectionString", UNKNOWN)],
  ["whose region is unknown", withProperty(kinesis("eu"), "source.kinesis.region", UNKNOWN)],
])("pipes %s are never compared", (_, both) => {
  expect(loadSame(both, both)).toBe(false);
});

describe("what a pipe loads by the program and by the list", () => {
  const listed = kafka({ topics: "listed" });

  test("has the declared values, and the listed ones for what is not declared", () => {
    const loads = loadsOf({ source: { kafka: { topics: "declared" } } }, listed);
    expect(loads).toEqual(loadsOf(kafka({ topics: "declared" })));
  });

  test.each<[what: string, source: PropertyValue]>([
    ["unknown", UNKNOWN],
    ["null", null],
    ["without topics", { kafka: {} }],
    ["with unknown topics", { kafka: { topics: UNKNOWN } }],
  ])("has the listed topics if the source is %s", (_, source) => {
    expect(loadsOf({ source }, listed)).toEqual(loadsOf(listed));
  });

  test("has a declared list whole", () => {
    const loads = loadsOf(postgres(orders), postgres(orders, tableMapping("returns")));
    expect(loads).toEqual(loadsOf(postgres(orders)));
  });
});
