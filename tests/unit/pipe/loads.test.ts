import { UNKNOWN } from "../../../provider/src/lifecycle/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/property-value";
import { loadsOf, sameLoads } from "../../../provider/src/resources/pipe/loads";
import { serviceId } from "../../kit/lifecycle";
import { tableMapping } from "../../kit/pipes";

const into = { database: "default", table: "orders" };
const pipe = (source: PropertyMap, destination: PropertyMap = into, more: PropertyMap = {}): PropertyMap => ({
  serviceId,
  source,
  destination,
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
