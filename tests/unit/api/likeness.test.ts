import { likenessOf } from "../../../provider/src/api/likeness";
import type { WireObject } from "../../../provider/src/api/wire";

const now = Date.parse("2026-01-31T12:00:00Z");
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
  ["a broker in another case", kafka({ brokers: "b:9092 " })],
  ["made a little before, for clocks differ", { ...body, createdAt: "2026-01-31T11:55:00Z" }],
  ["made long before, in a zone that nobody knows", { ...body, createdAt: "2026-01-31 01:00:00" }],
  ["a moment that is none", { ...body, createdAt: 7 }],
])("a pipe is the same that was asked for: %s", (_, pipe) => {
  expect(likenessOf(body, pipe, now)).toBe("same");
});

test.each<[what: string, pipe: WireObject]>([
  ["its name in another case", { ...body, name: "orders" }],
  ["its name with a space", { ...body, name: "Orders " }],
  ["its table in another case", { ...body, destination: { table: "orders" } }],
  ["another topic", kafka({ topics: "returns" })],
  ["made long before", { ...body, createdAt: "2026-01-31T11:00:00.000Z" }],
  ["made long before, in another zone", { ...body, createdAt: "2026-01-31T12:00:00+01:00" }],
])("a pipe may be the same or somebody else's: %s", (_, pipe) => {
  expect(likenessOf(body, pipe, now)).toBe("perhaps");
});

test.each<[what: string, pipe: WireObject]>([
  ["another name", { ...body, name: "returns" }],
  ["another table", { ...body, destination: { table: "returns" } }],
  ["another kind of source", { ...body, source: { kinesis: { streamName: "orders" } } }],
  ["no name", { source }],
])("a pipe is another one: %s", (_, pipe) => {
  expect(likenessOf(body, pipe, now)).toBe("no");
});
