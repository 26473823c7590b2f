import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format } from "prettier/standalone";
import { programOf } from "../../../provider/src/cli/import/program";
import type { ImportedPipe } from "../../../provider/src/cli/import/resources";
import { brokenObject, codeOf, Expression, type Members } from "../../../provider/src/cli/import/printer";
import { complete, tableMapping } from "../../kit/pipes";

const withDefaults = (code: string): Promise<string> =>
  format(code, { parser: "typescript", plugins: [typescript, estree] });

const VALUES: Readonly<Record<string, Members>> = {
  ...complete,
  "texts that do not fit": {
    url: "https://x.example/".padEnd(90, "a"),
    topics: "b".repeat(90),
    longerName: "c".repeat(60),
  },
  quotes: { a: 'say "yes"', b: "it's", c: `both " and '`, d: 'back\\slash "x"', e: `it's "no"` },
  "small lists of objects": { columns: [{ name: "a" }, { name: "b" }], one: [{ name: "id", type: "UInt8" }] },
  "lists of objects": {
    source: {
      postgres: { tableMappings: [tableMapping("customers"), tableMapping("customers", "customers_eu")] },
    },
  },
  lists: {
    empty: [],
    nested: [
      ["a", "b"],
      ["c", "d"],
    ],
    texts: ["topic-a", "topic-b"].map((text) => text.padEnd(40, "-")),
  },
  "other values": { no: false, none: null, number: -1.5, empty: {}, "not-a-name": 1 },
  expressions: {
    source: {
      kafka: {
        credentials: {
          username: new Expression('config.requireSecret("ordersUsername")'),
          password: new Expression('config.requireSecret("ordersPassword")'),
        },
      },
    },
  },
};

test.each(Object.entries(VALUES))(
  "brokenObject and codeOf print %s as Prettier does by default",
  async (_, args) => {
    const statement = `new datapipes.Pipe("orders", ${brokenObject(args)});\n`;
    expect(statement).toBe(await withDefaults(statement));
    const constant = `const kafkaSettings = ${codeOf(args, "", "const kafkaSettings = ".length)};\n`;
    expect(constant).toBe(await withDefaults(constant));
  },
);

const serviceId = "0a1b2c3d-0000-4000-8000-0000000000a1";

const pipe = (name: string, streamingMaxInsertWaitMs: number, brokers = "k:9092"): ImportedPipe => ({
  id: `id of ${name}`,
  name,
  serviceId,
  logicalName: name,
  prefix: name,
  scope: { serviceId },
  args: {
    source: { kafka: { brokers, topics: name, iamRole: "arn" } },
    destination: { database: "shop", table: name, managedTable: true },
    settings: { streamingMaxInsertWaitMs, dbmsMaxThreads: 8, dbmsParallelViewProcessing: true },
  },
  returned: [],
  undeclared: [],
  inputs: {},
  outputs: {},
});
const PIPES = [pipe("a", 1), pipe("b", 2), pipe("c", 2, "other:9092")];

test("writes once what most pipes of a file share, in the order of the reference", () => {
  const { "index.ts": program = "" } = programOf(PIPES, { mode: "adopt", withCredentials: true });
  expect(program.slice(program.indexOf("const serviceId"))).toBe(`const serviceId = "${serviceId}";

const pipeSettings = {
  streamingMaxInsertWaitMs: 2,
  dbmsMaxThreads: 8,
  dbmsParallelViewProcessing: true,
};

const kafkaSource = {
  brokers: "k:9092",
  iamRole: "arn",
};

const destination = {
  database: "shop",
  managedTable: true,
};

new datapipes.Pipe("a", {
  adopt: "id of a",
  serviceId,
  source: { kafka: { ...kafkaSource, topics: "a" } },
  destination: { ...destination, table: "a" },
  settings: { ...pipeSettings, streamingMaxInsertWaitMs: 1 },
});

new datapipes.Pipe("b", {
  adopt: "id of b",
  serviceId,
  source: { kafka: { ...kafkaSource, topics: "b" } },
  destination: { ...destination, table: "b" },
  settings: pipeSettings,
});

new datapipes.Pipe("c", {
  adopt: "id of c",
  serviceId,
  source: { kafka: { ...kafkaSource, brokers: "other:9092", topics: "c" } },
  destination: { ...destination, table: "c" },
  settings: pipeSettings,
});
`);
});
