import {
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/lifecycle/property-value";
import { storedResources } from "../../../provider/src/lifecycle/stack-state";
import { loadsOf, sameLoads } from "../../../provider/src/resources/pipe/loads";
import { serviceId } from "../../../testkit/offline";
import { typeToken } from "../../../provider/src/pulumi/type-tokens";

const into = { database: "default", table: "orders" };
const pipe = (source: PropertyMap, destination: PropertyMap = into, more: PropertyMap = {}): PropertyMap => ({
  ...{ serviceId, source, destination },
  ...more,
});
const kafka = (more: PropertyMap = {}, ...rest: readonly PropertyMap[]): PropertyMap =>
  pipe({ kafka: { brokers: "a:9092,b:9092", topics: "orders", ...more } }, ...rest);
const storage = (more: PropertyMap, ...rest: readonly PropertyMap[]): PropertyMap =>
  pipe({ objectStorage: { url: "https://in.s3.eu.example.com/orders/*.json", ...more } }, ...rest);
const kinesis = (more: PropertyMap = {}): PropertyMap =>
  pipe({ kinesis: { streamName: "orders", region: "eu-west-1", ...more } });
const mapping = (more: PropertyMap = {}): PropertyMap => ({
  ...{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" },
  ...more,
});
const postgres = (more: PropertyMap = {}, ...tableMappings: readonly PropertyMap[]): PropertyMap =>
  pipe({ postgres: { host: "db", port: 5432, database: "shop", tableMappings, ...more } }, {});
const masked: PropertyValue = { ciphertext: "v1:…" };

test.each<[isSame: boolean, what: string, one: PropertyMap, other: PropertyMap]>([
  [
    true,
    "of other names and settings",
    kafka({}, into, { name: "a" }),
    kafka({}, into, { settings: { dbmsMaxThreads: 1 } }),
  ],
  [
    true,
    "with other credentials and of another consumer group",
    kafka({ credentials: masked }),
    kafka({ consumerGroup: "x" }),
  ],
  [true, "that begin at another time", kafka(), kafka({ offset: { timestamp: "2026-01-31T00:00" } })],
  [true, "with one broker in common, in another case", kafka(), kafka({ brokers: "c:9092, B:9092" })],
  [true, "with one topic in common", kafka({ topics: "orders,returns" }), kafka({ topics: "returns, more" })],
  [false, "of other topics", kafka(), kafka({ topics: "returns" })],
  [false, "of other brokers", kafka(), kafka({ brokers: "c:9092" })],
  [
    true,
    "whose table is written in another case",
    kafka(),
    kafka({}, { database: "Default", table: "ORDERS" }),
  ],
  [true, "of which one names no database", kafka(), kafka({}, { table: "orders" })],
  [false, "of other tables", kafka(), kafka({}, { table: "returns" })],
  [false, "of other databases", kafka(), kafka({}, { ...into, database: "other" })],
  [
    false,
    "of other services",
    kafka(),
    kafka({}, into, { serviceId: "33333333-3333-4333-8333-333333333333" }),
  ],
  [
    true,
    "of services in another case",
    kafka({}, into, { serviceId: "AB" }),
    kafka({}, into, { serviceId: "ab" }),
  ],
  [false, "of other kinds of source", kafka(), kinesis()],
  [
    true,
    "of which the service returns the other kinds, too",
    kafka(),
    pipe({
      kinesis: null,
      postgres: {},
      objectStorage: { url: null },
      ...(kafka()["source"] as PropertyMap),
    }),
  ],
  [
    true,
    "of one URL without superfluous slashes",
    storage({}),
    storage({ url: "https://in.s3.eu.example.com//orders/*.json/" }),
  ],
  [
    true,
    "with another compression, delimiter and key",
    storage({ compression: "gzip", accessKey: masked }),
    storage({ delimiter: ";" }),
  ],
  [false, "of other URLs", storage({}), storage({ url: "https://in.s3.eu.example.com/returns/*.json" })],
  [false, "of other containers", storage({ azureContainerName: "a" }), storage({ azureContainerName: "b" })],
  [true, "of one stream", kinesis(), kinesis({ useEnhancedFanOut: true, timestamp: 1 })],
  [false, "of one stream in two regions", kinesis(), kinesis({ region: "eu-west-2" })],
  [
    true,
    "with a table mapping in common",
    postgres({}, mapping(), mapping({ targetTable: "b" })),
    postgres({ port: null, credentials: masked }, mapping({ excludedColumns: ["x"] })),
  ],
  [
    false,
    "with mappings to other tables",
    postgres({}, mapping()),
    postgres({}, mapping({ targetTable: "b" })),
  ],
  [
    false,
    "of other databases of one server",
    postgres({}, mapping()),
    postgres({ database: "other" }, mapping()),
  ],
  [false, "without mappings", postgres(), postgres()],
  [false, "whose topics are unknown", kafka({ topics: UNKNOWN }), kafka({ topics: UNKNOWN })],
  [false, "whose source is unknown", pipe(UNKNOWN as never), pipe(UNKNOWN as never)],
  [false, "whose table is unknown", kafka({}, { table: UNKNOWN }), kafka({}, { table: UNKNOWN })],
  [false, "whose URLs are encrypted in the state", storage({ url: masked }), storage({ url: masked })],
  [
    false,
    "of a kind that this package does not know",
    pipe({ toString: { a: 1 } }),
    pipe({ toString: { a: 1 } }),
  ],
  [false, "without a source", pipe({}), pipe({})],
])("it is %p that pipes load the same %s", (isSame, _, one, other) => {
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const)
    expect(sameLoads(loadsOf(a), [b], loadsOf)).toEqual(isSame ? [b] : []);
});

test("reads the pipes that a stack manages, in both forms", () => {
  const urn = (types: string, name: string): string => `urn:pulumi:dev::project::${types}::${name}`;
  const [dynamic, native] = [typeToken("Pipe"), typeToken("Pipe", "native")];
  const inputs = { name: "orders" };
  const resources = [
    { urn: urn("pulumi:pulumi:Stack", "project-dev"), type: "pulumi:pulumi:Stack" },
    { urn: urn(dynamic, "a"), type: dynamic, id: "1", inputs, retainOnDelete: true },
    { urn: urn(`my:Component$${native}`, "a::b"), type: native, id: "2" },
    { urn: urn(dynamic, "read"), type: dynamic, id: "3", external: true },
    { urn: urn(dynamic, "replaced"), type: dynamic, id: "4", delete: true },
    { urn: urn(typeToken("ServiceSettings"), "s"), type: typeToken("ServiceSettings"), id: "5" },
  ];
  const stored = storedResources(JSON.stringify({ version: 3, deployment: { resources } }), "Pipe");
  expect(stored).toEqual([
    { urn: urn(dynamic, "a"), id: "1", key: "Pipe::a", inputs, retains: true },
    {
      urn: urn(`my:Component$${native}`, "a::b"),
      id: "2",
      key: "my:Component$Pipe::a::b",
      inputs: {},
      retains: false,
    },
  ]);
  expect(storedResources(JSON.stringify({ version: 3, deployment: {} }), "Pipe")).toEqual([]);
});
