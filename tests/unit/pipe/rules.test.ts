import {
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/lifecycle/comparison/property-value";
import { credentialWarnings, gapWarnings, stateWarnings } from "../../../provider/src/resources/pipe/rules";
import type { PipeDraft } from "../../../provider/src/resources/pipe/schema";
import { withProperty, offlineLifecycle, organizationId, serviceId } from "../../kit/lifecycle";
import { complete, minimal } from "../../kit/pipes";
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
  ["a URL or a path", pipe("objectStorage", { azureContainerName: "c" }), "source.objectStorage.url"],
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
  ...KINDS.flatMap((kind): [string, PropertyMap][] => [
    [`a complete ${kind} pipe`, complete[kind]],
    [`a minimal ${kind} pipe`, minimal[kind]],
  ]),
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

test.each<[kind: SourceKind, field: string, value: PropertyValue]>([
  ["kafka", "credentials", { username: "u", password: "p" }],
  ["kafka", "iamRole", "arn"],
  ["objectStorage", "accessKey", UNKNOWN],
  ["objectStorage", "connectionString", "AccountKey=k"],
  ["kinesis", "accessKey", { accessKeyId: "i", secretKey: "s" }],
  ["postgres", "credentials", UNKNOWN],
])("no such warning is about a %s pipe that declares %s", (kind, field, value) => {
  expect(credentialWarnings(draft(withProperty(minimal[kind], `source.${kind}.${field}`, value)))).toEqual(
    [],
  );
});

test("a source that is not known yet has no such warning", () => {
  expect(credentialWarnings(draft({ source: UNKNOWN }))).toEqual([]);
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
  const taken = { ...args, serviceId, __privateState: { key: "Pipe::orders", imported: true } };

  /** What a preview says of a pipe: a new one, one of the stack, or one that the run replaces. */
  async function linesOf(inputs: PropertyMap, state?: PropertyMap): Promise<readonly string[]> {
    const { lifecycle, lines } = offlineLifecycle();
    const check = async (old: PropertyMap | undefined) => {
      const checked = lifecycle.check(old, { ...inputs, __key: "Pipe::orders" });
      expect(checked.failures).toEqual([]);
      expect(await lifecycle.checkAgainstOthers(checked)).toEqual([]);
      return checked.inputs;
    };
    const checked = await check(state);
    if (state === undefined) return lines;
    if (lifecycle.diff("1", state, checked, "Pipe::orders").replaces.length > 0) await check(undefined);
    return lines;
  }

  const allowed = { ...args, replacementPolicy: "allow", scaling: { replicas: 2 } };
  const imported = { ...taken, scaling: { replicas: 1 } };

  test.each<[what: string, inputs: PropertyMap, state: PropertyMap | undefined, lines: string[]]>([
    ["a new pipe warns of what it lacks", args, undefined, [warning]],
    ["an adopted pipe warns of nothing", { ...args, adopt: UNKNOWN }, undefined, []],
    ["a pipe of the stack warns of nothing", args, { ...args, serviceId }, []],
    [
      "a replacement of an imported pipe warns of missing credentials, too",
      allowed,
      imported,
      [warning, again],
    ],
  ])("of %s", async (_, inputs, state, lines) => {
    expect(await linesOf(inputs, state)).toEqual(lines);
  });
});

describe("a state to wait for", () => {
  const waiting = (waitFor: PropertyValue): PipeDraft => draft({ ...minimal.kafka, waitFor });

  test("causes a warning if services write it in another case", () => {
    expect(stateWarnings(waiting({ states: ["running", "Completed"] }))).toEqual([
      'pipe "orders": waitFor.states has "running", but services return "Running". The provider treats both as the same state.',
    ]);
  });

  test.each<[what: string, waitFor: PropertyValue]>([
    ["is a known one", { states: ["Running"] }],
    ["is not known", { states: ["Warming"] }],
    ["is unknown at preview", { states: [UNKNOWN] }],
    ["is in an unknown list", { states: UNKNOWN }],
    ["is in an unknown object", UNKNOWN],
    ["is absent", undefined],
  ])("causes no warning if it %s", (_, waitFor) => {
    expect(stateWarnings(waiting(waitFor))).toEqual([]);
  });
});
