import { UNKNOWN } from "../../../provider/src/lifecycle/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/property-value";
import { storedResources } from "../../../provider/src/lifecycle/stack-state";
import { loadsOf, sameLoads } from "../../../provider/src/resources/pipe/loads";
import { SecondPipes } from "../../../provider/src/resources/pipe/second-pipe";
import { serviceId } from "../../../testkit/offline";
import { minimal, tableMapping, withValue, type JsonObject } from "../../../testkit/pipes";
import { typeToken } from "../../../provider/src/pulumi/type-tokens";

const into = { database: "default", table: "orders" };
const pipe = (source: PropertyMap, destination: PropertyMap = into, more: PropertyMap = {}): PropertyMap => ({
  ...{ serviceId, source, destination },
  ...more,
});
const kafka = (more: PropertyMap = {}, ...rest: readonly PropertyMap[]): PropertyMap =>
  pipe({ kafka: { brokers: "a:9092,b:9092", topics: "orders", ...more } }, ...rest);
const bucket = "https://in.s3.eu.example.com/";
const storage = (more: PropertyMap, ...rest: readonly PropertyMap[]): PropertyMap =>
  pipe({ objectStorage: { url: `${bucket}orders/*.json`, ...more } }, ...rest);
const kinesis = (more: PropertyMap = {}): PropertyMap =>
  pipe({ kinesis: { streamName: "orders", region: "eu-west-1", ...more } });
const mapping = (more: PropertyMap = {}): PropertyMap => ({ ...tableMapping("orders"), ...more });
const postgres = (more: PropertyMap = {}, ...tableMappings: readonly PropertyMap[]): PropertyMap =>
  pipe({ postgres: { host: "db", port: 5432, database: "shop", tableMappings, ...more } }, {});
const masked: PropertyValue = { ciphertext: "v1:…" };

const ofService = (id: string) => kafka({}, into, { serviceId: id });
const noOthers = { kinesis: null, postgres: {}, objectStorage: { url: null } };
const allKinds = { ...noOthers, ...(kafka()["source"] as object) };
const gzipped = { compression: "gzip", accessKey: masked };
const noPort = postgres({ port: null, credentials: masked }, mapping({ excludedColumns: ["x"] }));

/** Two pipes, the second one a Kafka pipe unless it is given. */
type Row = [what: string, one: PropertyMap, other?: PropertyMap];

const SAME: Row[] = [
  ["of other names", kafka({}, into, { name: "a" })],
  ["of other settings", kafka({}, into, { settings: { dbmsMaxThreads: 1 } })],
  ["with other credentials, of another consumer group", kafka({ credentials: masked, consumerGroup: "x" })],
  ["that begin at another time", kafka({ offset: { timestamp: "2026-01-31T00:00" } })],
  ["with one broker in common, in another case", kafka({ brokers: "c:9092, B:9092" })],
  ["with one topic in common", kafka({ topics: "more, orders" })],
  ["whose table is written in another case", kafka({}, { database: "Default", table: "ORDERS" })],
  ["of which one names no database", kafka({}, { table: "orders" })],
  ["of services in another case", ofService("AB"), ofService("ab")],
  ["of which the service returns the other kinds, too", pipe(allKinds)],
  ["of one URL without superfluous slashes", storage({}), storage({ url: `${bucket}/orders/*.json/` })],
  ["with another compression, delimiter and key", storage(gzipped), storage({ delimiter: ";" })],
  ["of one stream", kinesis(), kinesis({ useEnhancedFanOut: true, timestamp: 1 })],
  ["with a table mapping in common", postgres({}, mapping(), mapping({ targetTable: "b" })), noPort],
];

/** Of the last rows, each is compared with itself. */
const DIFFERENT: Row[] = [
  ["of other topics", kafka({ topics: "returns" })],
  ["of other brokers", kafka({ brokers: "c:9092" })],
  ["of other tables", kafka({}, { table: "returns" })],
  ["of other databases", kafka({}, { ...into, database: "other" })],
  ["of other services", ofService("33333333-3333-4333-8333-333333333333")],
  ["of other kinds of source", kinesis()],
  ["of other URLs", storage({}), storage({ url: `${bucket}returns/*.json` })],
  ["of other containers", storage({ azureContainerName: "a" }), storage({ azureContainerName: "b" })],
  ["of one stream in two regions", kinesis(), kinesis({ region: "eu-west-2" })],
  ["with mappings to other tables", postgres({}, mapping()), postgres({}, mapping({ targetTable: "b" }))],
  ["of other databases of one server", postgres({}, mapping()), postgres({ database: "other" }, mapping())],
  ...Object.entries({
    "without mappings": postgres(),
    "whose topics are unknown": kafka({ topics: UNKNOWN }),
    "whose source is unknown": pipe(UNKNOWN as never),
    "whose table is unknown": kafka({}, { table: UNKNOWN }),
    "whose URLs are encrypted in the state": storage({ url: masked }),
    "of a kind that this package does not know": pipe({ toString: { a: 1 } }),
    "without a source": pipe({}),
  }).map(([what, one]): Row => [what, one, one]),
];

test.each<[isSame: boolean, ...Row]>([
  ...SAME.map((row): [boolean, ...Row] => [true, ...row]),
  ...DIFFERENT.map((row): [boolean, ...Row] => [false, ...row]),
])("it is %p that pipes load the same %s", (...[isSame, , one, other = kafka()]) => {
  expect(sameLoads(loadsOf(one), [other], loadsOf)).toEqual(isSame ? [other] : []);
  expect(sameLoads(loadsOf(other), [one], loadsOf)).toEqual(isSame ? [one] : []);
});

/** What the state says of most pipes. */
const plain = { inputs: {}, outputs: {}, awaitsReplacement: false, retains: false };

test("reads the pipes that a stack manages, in both forms", () => {
  const urn = (types: string, name: string): string => `urn:pulumi:dev::project::${types}::${name}`;
  const [dynamic, native] = [typeToken("Pipe"), typeToken("Pipe", "native")];
  const [inputs, outputs] = [{ name: "orders" }, { state: "Running" }];
  const ofComponent = urn(`my:Component$${native}`, "a::b");
  const resources = [
    { urn: urn("pulumi:pulumi:Stack", "project-dev"), type: "pulumi:pulumi:Stack" },
    { urn: urn(dynamic, "a"), type: dynamic, id: "1", inputs, outputs, retainOnDelete: true },
    { urn: ofComponent, type: native, id: "2", pendingReplacement: true },
    { urn: urn(dynamic, "read"), type: dynamic, id: "3", external: true },
    { urn: urn(dynamic, "replaced"), type: dynamic, id: "4", delete: true },
    { urn: urn(typeToken("ServiceSettings"), "s"), type: typeToken("ServiceSettings"), id: "5" },
  ];
  const stored = storedResources(JSON.stringify({ version: 3, deployment: { resources } }), "Pipe");
  expect(stored).toEqual([
    { ...plain, urn: urn(dynamic, "a"), id: "1", key: "Pipe::a", inputs, outputs, retains: true },
    { ...plain, urn: ofComponent, id: "2", key: "my:Component$Pipe::a::b", awaitsReplacement: true },
  ]);
  expect(storedResources(JSON.stringify({ version: 3, deployment: {} }), "Pipe")).toEqual([]);
});

const copying = (name: string, ...tables: readonly string[]): JsonObject => {
  const mappings = tables.map((table) => tableMapping(table));
  return { ...withValue(minimal.postgres, "source.postgres.tableMappings", mappings), name };
};
const stored = (inputs: JsonObject) => {
  const name = inputs["name"] as string;
  return { ...plain, urn: `urn:${name}`, id: `id-${name}`, key: `Pipe::${name}`, inputs };
};
const CREATED = { key: "Pipe::new", creation: { stack: "dev" } };
const withStored = (...pipes: readonly JsonObject[]) =>
  new SecondPipes(() => Promise.resolve(pipes.map(stored)));
const [twoOfThree, all] = [copying("overlap", "a", "b"), copying("old", "a", "b", "c")];

test("names the pipe of the stack that has most in common with the new one, and last what the program declares", async () => {
  const named = async (second: SecondPipes) => {
    const [line = ""] = await second.warnings(CREATED, copying("new", "a", "b", "c"));
    return /add the option aliases: \["urn:(\w+)"\].* (\d+) more of the stack/.exec(line)?.slice(1);
  };
  expect(await named(withStored(twoOfThree, all))).toEqual(["old", "1"]);
  const second = withStored(twoOfThree, all);
  await second.warnings({ key: "Pipe::old" }, all);
  expect(await named(second)).toEqual(["overlap", "1"]);
});

test("a pipe that a refresh of the run has not found loads nothing, and one that was moved has no other name", async () => {
  const second = withStored(all);
  second.addMissing("ID-OLD");
  expect(await second.warnings(CREATED, all)).toEqual([]);
  const retained = { ...stored({ ...all, deletionPolicy: "delete" }), retains: true };
  const [kept] = await new SecondPipes(() => Promise.resolve([retained])).warnings(CREATED, all);
  expect(kept).toContain("goes on loading");
  const key = "my:Team$Pipe::old";
  const [moved] = await withStored(all).warnings({ ...CREATED, key }, all);
  expect(moved).toContain('If it was moved, add the option aliases: ["urn:old"] to it');
});
