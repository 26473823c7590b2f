import { duplicatesOf, matchOf } from "../../../provider/src/resources/recovery/match";
import type { Identified, WireObject } from "../../../provider/src/api/wire";

const body: WireObject = {
  name: "Orders",
  source: {
    kafka: { brokers: "B:9092", topics: "orders", credentials: { username: "u", password: "p" } },
    validateSamples: true,
  },
  destination: { database: "default", table: "Orders" },
};
const { source } = body;
const kafka = (more: WireObject): WireObject => ({ ...body, source: { kafka: more } });

test.each<[what: string, pipe: WireObject]>([
  ["all the same", body],
  ["without what is never returned", kafka({ brokers: "B:9092", topics: "orders" })],
  ["a secret member of another value", kafka({ credentials: { username: "another" } })],
  ["a summary of it", { name: "Orders" }],
  ["nulls in place of what is absent", { name: "Orders", source: null, destination: { table: null } }],
  ["null for a member", kafka({ brokers: "B:9092", topics: null })],
  ["null for another kind of source", { ...body, source: { kinesis: null } }],
  ["a list in place of a text", kafka({ brokers: ["another:9092"], topics: "orders" })],
  ["a broker in another case", kafka({ brokers: "b:9092 " })],
  ["made at any time, which is compared elsewhere", { ...body, createdAt: "2020-01-31T11:55:00Z" }],
])("a pipe equals the requested one: %s", (_, pipe) => {
  expect(matchOf(body, pipe)).toBe("exact");
});

const storage = (path: string, more: WireObject = {}): WireObject => ({
  ...body,
  source: { objectStorage: { path, connectionString: "AccountKey=k", ...more } },
});

test.each<[what: string, asked: WireObject, pipe: WireObject]>([
  ["its table in another case", body, { ...body, destination: { table: "orders" } }],
  ["its path without superfluous slashes", storage("/in//*.json/"), storage("in/*.json")],
  ["the same with a masked secret", storage("/in"), storage("in", { connectionString: "AccountKey=***" })],
])("a pipe equals the requested one when normalized: %s", (_, asked, pipe) => {
  expect(matchOf(asked, pipe)).toBe("normalized");
});

test.each<[what: string, asked: WireObject, pipe: WireObject]>([
  ["no source", { name: "Orders" }, body],
  ["null for a member", kafka({ brokers: "B:9092", topics: null }), body],
  ["another list", kafka({ brokers: ["one"] }), kafka({ brokers: ["two"] })],
  ["a list where the pipe has a text", kafka({ brokers: ["one"] }), body],
])("a pipe equals the requested one, which has %s", (_, asked, pipe) => {
  expect(matchOf(asked, pipe)).toBe("exact");
});

test("a slash inside of a path is a difference", () => {
  expect(matchOf(storage("in/a.json"), storage("ina.json"))).toBe("possible");
});

test("a masked connection string is no difference, and another path is one", () => {
  expect(matchOf(storage("in"), storage("in", { connectionString: "***" }))).toBe("exact");
  expect(matchOf(storage("in"), storage("out"))).toBe("possible");
});

test.each<[what: string, pipe: WireObject]>([
  ["its name in another case", { ...body, name: "orders" }],
  ["its name with a space", { ...body, name: "Orders " }],
  ["another database", { ...body, destination: { database: "another", table: "Orders" } }],
  ["another topic", kafka({ topics: "returns" })],
])("a pipe may be the same or another client's: %s", (_, pipe) => {
  expect(matchOf(body, pipe)).toBe("possible");
});

test.each<[what: string, pipe: WireObject]>([
  ["another name", { ...body, name: "returns" }],
  ["another table", { ...body, destination: { table: "returns" } }],
  ["another kind of source", { ...body, source: { kinesis: { streamName: "orders" } } }],
  ["no name", { source }],
])("a pipe differs from the requested one: %s", (_, pipe) => {
  expect(matchOf(body, pipe)).toBe("none");
});

describe("a pipe and others of its list", () => {
  const pipe: Identified = { ...body, id: "1", createdAt: "2026-01-31T12:00:00Z" };
  const doubles = (...others: readonly Identified[]): readonly string[] => {
    const pipes = new Map([pipe, ...others].map((each) => [each.id, each]));
    return duplicatesOf(body, pipe, pipes.values()).map(({ id }) => id);
  };

  test.each<[what: string, other: WireObject]>([
    ["made at the same moment", {}],
    ["made a little later", { createdAt: "2026-01-31T12:09:00Z" }],
    ["made ten minutes later", { createdAt: "2026-01-31T12:10:00Z" }],
    ["made a little earlier", { createdAt: "2026-01-31T11:51:00Z" }],
    ["created at an unknown time", { createdAt: null }],
    ["whose table is in another case", { destination: { table: "orders" } }],
    ["with a name of its own for what was not asked for", kafka({ brokers: "B:9092", consumerGroup: "2" })],
  ])("has a similar pipe as duplicate: %s", (_, other) => {
    expect(doubles({ ...pipe, ...other, id: "2" })).toEqual(["2"]);
  });

  test.each<[what: string, other: WireObject]>([
    ["of another name", { name: "orders" }],
    ["of another topic", kafka({ brokers: "B:9092", topics: "returns" })],
    ["of another table", { destination: { database: "default", table: "Returns" } }],
    ["of another database", { destination: { database: "another", table: "Orders" } }],
    ["made long after", { createdAt: "2026-01-31T12:11:00Z" }],
    ["made long before", { createdAt: "2026-01-31T11:49:00Z" }],
  ])("has no duplicate in a pipe %s", (_, other) => {
    expect(doubles({ ...pipe, ...other, id: "2" })).toEqual([]);
  });

  test("names all duplicates, and searches each list by itself", () => {
    expect(doubles({ ...pipe, id: "2" }, { ...pipe, id: "3", name: "more" }, { ...pipe, id: "4" })).toEqual([
      "2",
      "4",
    ]);
    expect(doubles()).toEqual([]);
  });
});
