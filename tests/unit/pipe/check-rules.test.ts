import type { PropertyMap } from "../../../provider/src/core/property-value";
import { complete } from "../../../testkit/pipes";
import { failuresOf, edited, offline, organizationId } from "../../../testkit/offline";
import { refuses, type Case } from "./refuses";

const UUID = "must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000";
const MINUTE = "must be a date and time without seconds and zone, in the form YYYY-MM-DDTHH:MM";
const KINDS = "kafka, objectStorage, kinesis, postgres";

describe("check refuses a text without the required format", () => {
  const timestamp = "source.kafka.offset.timestamp";
  const moments = [
    "",
    "2026-01-31",
    "2026-01-31 00:00",
    "2026-01-31T00:00:00",
    "2026-01-31T00:00Z",
    "2026-1-31T0:00",
    "2026-02-29T00:00",
    "2026-02-30T00:00",
    "2026-04-31T12:00",
    "2026-13-01T00:00",
    "2026-00-10T00:00",
    "2026-01-00T00:00",
    "2026-01-31T24:00",
    "2026-01-31T25:00",
    "2026-01-31T00:60",
    "… 2026-01-31T00:00",
    "2026-01-31T00:00\n",
    "now",
  ];
  refuses(
    "kafka",
    moments.map((moment): Case => [timestamp, moment, `${timestamp} ${MINUTE}`]),
  );
  const ids = ["", "1", organizationId.slice(1), `…{${organizationId}}`, `…${organizationId}\n`, "me/../you"];
  refuses(
    "kafka",
    ids.flatMap((id): Case[] => [
      ["organizationId", id, `… ${UUID}`],
      ["serviceId", id, `… ${UUID}`],
      ["adopt", id, `… ${UUID}`],
    ]),
  );
  refuses("kafka", [
    ["deletionPolicy", "keep", '… must be one of "retain", "delete"'],
    ["replacementPolicy", true, '… must be one of "refuse", "allow"'],
  ]);
});

describe("check refuses values that contradict each other", () => {
  const both = { kafka: {}, postgres: {} };
  const all = { kafka: {}, objectStorage: {}, kinesis: {}, postgres: {} };
  refuses("kafka", [
    ["source", {}, `… must have exactly one of ${KINDS}; it has none`],
    ["source", { validateSamples: true }, `… must have exactly one of ${KINDS}; it has none`],
    ["source.kafka", null, `source must have exactly one of ${KINDS}; it has none`],
    ["source", both, `… must have exactly one of ${KINDS}; it has kafka and postgres`],
    [
      "source",
      all,
      `… must have exactly one of ${KINDS}; it has kafka and objectStorage and kinesis and postgres`,
    ],
    ["fieldMappings", undefined, '… must cover every destination column; missing: "id", "note"'],
    ["fieldMappings", [], '… must cover every destination column; missing: "id", "note"'],
    [
      "fieldMappings.1.destinationField",
      "notes",
      'fieldMappings must cover every destination column; missing: "note"',
    ],
    ["destination.columns.1", { name: "id", type: "String" }, '….name repeats the column "id" of element 0'],
    [
      "fieldMappings.2",
      { sourceField: "$.id", destinationField: "id" },
      '… repeats the field mapping "$.id", "id" of element 0',
    ],
    ["destination.roles", ["a", "b", "a"], '…[2] repeats the entry "a" of element 0'],
    ["source.kafka.reversePrivateEndpointIds", ["a", "a"], '…[1] repeats the entry "a" of element 0'],
    ["destination.tableDefinition.sortingKey", ["id", "id"], '…[1] repeats the entry "id" of element 0'],
    [
      "destination.tableDefinition.engine.columnIds",
      ["id", "id"],
      '…[1] repeats the entry "id" of element 0',
    ],
  ]);
  refuses("postgres", [
    [
      "source.postgres.tableMappings.1.targetTable",
      "orders",
      '… repeats the target table "orders" of element 0',
    ],
    [
      "source.postgres.tableMappings.0.excludedColumns",
      ["a", "a"],
      '…[1] repeats the entry "a" of element 0',
    ],
    [
      "source.postgres.tableMappings.1.sortingKeys",
      ["a", "b", "b"],
      '…[2] repeats the entry "b" of element 1',
    ],
  ]);
});

test("names all failures at once, configuration first", () => {
  const wrong: PropertyMap = {
    nme: "orders",
    source: { kafka: { brokers: 1 }, kinesis: {} },
    destination: { columns: [{ name: "a", type: "b" }] },
  };
  const { lifecycle } = offline({ configurationProblems: () => ["datapipes:baseUrl is not set."] });
  const { failures } = lifecycle.check(undefined, wrong);
  expect(failures.map(({ path }) => path.join("."))).toEqual([
    "",
    "source.kafka.brokers",
    "nme",
    "source",
    "fieldMappings",
  ]);
});

test("no failure repeats the value of a secret", () => {
  const secret = "canary-of-a-secret";
  const wrong = edited(complete.kafka, "source.kafka.credentials", {
    username: [secret],
    password: { a: secret },
  });
  const said = failuresOf(edited(wrong, "source.kafka.schemaRegistry.credentials", secret));
  expect(said).toHaveLength(3);
  expect(said.join("\n")).not.toContain(secret);
});
