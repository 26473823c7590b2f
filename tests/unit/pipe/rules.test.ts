import {
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/lifecycle/comparison/property-value";
import { credentialWarnings, gapWarnings } from "../../../provider/src/resources/pipe/rules";
import type { PipeDraft } from "../../../provider/src/resources/pipe/schema";
import { withProperty, offlineLifecycle, organizationId, serviceId } from "../../kit/lifecycle";
import { minimal } from "../../kit/pipes";
import { KINDS, type SourceKind } from "../../kit/pipe-fields";

/** A pipe as a check passes it on. */
const draft = (pipe: PropertyMap): PipeDraft => ({ name: "orders", ...pipe });

const into = { table: "orders" };
const pipe = (kind: SourceKind, source: PropertyValue, destination: PropertyValue = into): PropertyMap => ({
  source: { [kind]: source },
  destination,
});

const gap = (fields: string): string => `pipe "orders" has no ${fields}, so it cannot load anything.`;

test.each<[what: string, pipe: PropertyMap, fields: string]>([
  ["topics", pipe("kafka", { brokers: "b:9092" }), "source.kafka.topics"],
  ["brokers", pipe("kafka", { brokers: "", topics: "t" }), "source.kafka.brokers"],
  ["a cluster", pipe("kafka", {}), "source.kafka.brokers or source.kafka.topics"],
  ["a URL", pipe("objectStorage", {}), "source.objectStorage.url"],
  [
    "a URL beside a container without a path",
    pipe("objectStorage", { azureContainerName: "c" }),
    "source.objectStorage.url",
  ],
  ["a stream", pipe("kinesis", { region: "eu-west-1" }), "source.kinesis.streamName"],
  [
    "a database server",
    pipe("postgres", { tableMappings: [{}] }),
    "source.postgres.host or source.postgres.database",
  ],
  [
    "table mappings",
    pipe("postgres", { host: "h", database: "d", tableMappings: [] }),
    "source.postgres.tableMappings",
  ],
  ["a destination", { source: { kinesis: { streamName: "s" } } }, "destination.table"],
  ["a table", pipe("kinesis", { streamName: "s" }, { database: "d" }), "destination.table"],
  ["anything", pipe("kafka", { brokers: "b:9092" }, {}), "source.kafka.topics or destination.table"],
])("one warning names all that a new pipe lacks: %s", (_, lacking, fields) => {
  expect(gapWarnings(draft(lacking))).toEqual([gap(fields)]);
});

const inContainer = { azureContainerName: "c", path: "p", connectionString: "x" };

test.each<[what: string, pipe: PropertyMap]>([
  ["a minimal Kafka pipe", minimal.kafka],
  ["a minimal pipe of object storage", minimal.objectStorage],
  ["a minimal Kinesis pipe", minimal.kinesis],
  ["a minimal Postgres pipe", minimal.postgres],
  ["a container with a path, which need no URL", pipe("objectStorage", inContainer)],
  ["table mappings, which name their tables", withProperty(minimal.postgres, "destination", undefined)],
  ["values that are not known yet", pipe("kafka", { brokers: UNKNOWN, topics: UNKNOWN }, { table: UNKNOWN })],
  ["a destination that is not known yet", pipe("kinesis", { streamName: "s" }, UNKNOWN)],
  ["a kind of source that is not known yet", { source: { kafka: UNKNOWN } }],
  ["a source that is not known yet", { source: UNKNOWN }],
])("no warning is about %s", (_, full) => {
  expect(gapWarnings(draft(full))).toEqual([]);
});

const uncredited = (kind: SourceKind): string =>
  'pipe "orders" was imported or adopted, and is created again without credentials, which the API does not return. If the source requires ' +
  `credentials, declare them in source.${kind}.`;

test.each(KINDS)("a warning says that a taken-over %s pipe is created again without credentials", (kind) => {
  expect(credentialWarnings(draft(minimal[kind]))).toEqual([uncredited(kind)]);
});

test.each<[what: string, pipe: PropertyMap]>([
  ["credentials", pipe("kafka", { credentials: { username: "u", password: "p" } })],
  ["credentials that are not known yet", pipe("postgres", { credentials: UNKNOWN })],
  ["a role", pipe("kafka", { iamRole: "arn" })],
  ["a connection string", pipe("objectStorage", { connectionString: "AccountKey=k" })],
  ["an access key", pipe("kinesis", { accessKey: { accessKeyId: "i", secretKey: "s" } })],
  ["a source that is not known yet", { source: UNKNOWN }],
])("no such warning is about a pipe that declares %s", (_, credited) => {
  expect(credentialWarnings(draft(credited))).toEqual([]);
});

describe("a preview", () => {
  /** A pipe of a service that is not known yet, so that no list can be read. */
  const args: PropertyMap = {
    name: "orders",
    source: { kafka: {} },
    destination: into,
    organizationId,
    serviceId: UNKNOWN,
  };
  const warning = `warning: ${gap("source.kafka.brokers or source.kafka.topics")}`;
  const again = `warning: ${uncredited("kafka")}`;

  /** What it says of a pipe that is not replaced. */
  async function linesOf(inputs: PropertyMap, state?: PropertyMap): Promise<readonly string[]> {
    const { lifecycle, lines } = offlineLifecycle();
    const checked = lifecycle.check(state, { ...inputs, __key: "Pipe::orders" });
    expect(await lifecycle.checkAgainstOthers(checked)).toEqual([]);
    return lines;
  }

  test("of a new pipe warns of what it lacks", async () => {
    expect(await linesOf(args)).toEqual([warning]);
  });

  test("of an adopted pipe warns of nothing", async () => {
    expect(await linesOf({ ...args, adopt: UNKNOWN })).toEqual([]);
  });

  test("of a pipe of the stack warns of nothing", async () => {
    expect(await linesOf(args, { ...args, serviceId })).toEqual([]);
  });

  test("of a replacement of an imported pipe warns of missing credentials, too", async () => {
    const { lifecycle, lines } = offlineLifecycle();
    const state = { ...args, serviceId, __privateState: { key: "Pipe::orders", imported: true } };
    const inputs = { ...args, __key: "Pipe::orders", replacementPolicy: "allow" };
    const update = lifecycle.check(state, inputs);
    await lifecycle.checkAgainstOthers(update);
    expect(lifecycle.diff("1", state, update.inputs, "Pipe::orders").replaces).toEqual(["serviceId"]);
    await lifecycle.checkAgainstOthers(lifecycle.check(undefined, inputs));
    expect(lines).toEqual([warning, again]);
  });
});
