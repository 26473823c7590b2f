import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format } from "prettier/standalone";
import { brokenObject, codeOf, Expression, type Members } from "../../../provider/src/cli/import/printer";
import { complete, manyPipes } from "../../kit/pipes";

const withDefaults = (code: string): Promise<string> =>
  format(code, { parser: "typescript", plugins: [typescript, estree] });

const mapping = (targetTable: string) => ({
  sourceSchemaName: "public",
  sourceTable: "customers",
  targetTable,
});

const VALUES: Readonly<Record<string, Members>> = {
  ...complete,
  ...Object.fromEntries(manyPipes(8).map((pipe) => [pipe.name, pipe])),
  "texts that do not fit": {
    url: "https://x.example/".padEnd(90, "a"),
    topics: "b".repeat(90),
    longerName: "c".repeat(60),
  },
  quotes: { a: 'say "yes"', b: "it's", c: `both " and '`, d: 'back\\slash "x"', e: `it's "no"` },
  "small lists of objects": { columns: [{ name: "a" }, { name: "b" }], one: [{ name: "id", type: "UInt8" }] },
  "lists of objects": {
    source: { postgres: { tableMappings: [mapping("customers"), mapping("customers_eu")] } },
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

test.each(Object.entries(VALUES))("prints %s as Prettier does by default", async (_, args) => {
  const statement = `new datapipes.Pipe("orders", ${brokenObject(args)});\n`;
  expect(statement).toBe(await withDefaults(statement));
  const constant = `const kafkaSettings = ${codeOf(args, "", "const kafkaSettings = ".length)};\n`;
  expect(constant).toBe(await withDefaults(constant));
});
