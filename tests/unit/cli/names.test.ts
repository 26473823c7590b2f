import fc from "fast-check";
import { namesOf, type NamedPipe } from "../../../provider/src/cli/import/names";

const id = (start: string): string => `${start.padEnd(8, "0")}-0000-4000-8000-000000000000`;

const PREFIX = /^[\p{L}\p{N}]+$/u;

const named = (pipes: readonly NamedPipe[]): [prefix: string, logicalName: string][] => {
  const names = namesOf(pipes);
  return pipes.map((pipe) => {
    const { prefix = "", logicalName = "" } = names.get(pipe.id) ?? {};
    return [prefix, logicalName];
  });
};

test.each<[name: unknown, prefix: string, logicalName: string]>([
  ["orders", "orders", "orders"],
  ["orders-eu", "ordersEu", "orders-eu"],
  ["Orders EU", "ordersEU", "Orders EU"],
  ["24h orders", "24hOrders", "24h orders"],
  [" Orders EU ", "ordersEU", "Orders EU"],
  ["class", "class", "class"],
  ["__proto__", "proto", "proto"],
  ["注文", "注文", "注文"],
  ["données été", "donnéesÉté", "données été"],
  ["orders */ `${x}` \"'", "ordersX", "ordersX"],
  ["a\nb", "aB", "aB"],
  ["a\u202eb", "aB", "aB"],
  ["a\u2e2fb", "aB", "a\u2e2fb"],
  ["\u3164", "pipe1A2B3C4D", "pipe1A2B3C4D"],
  ["a\u3164b", "aB", "aB"],
  ["🚀", "pipe1A2B3C4D", "pipe1A2B3C4D"],
  ["", "pipe1A2B3C4D", "pipe1A2B3C4D"],
  [undefined, "pipe1A2B3C4D", "pipe1A2B3C4D"],
  [7, "pipe1A2B3C4D", "pipe1A2B3C4D"],
])("names a pipe %j", (name, prefix, logicalName) => {
  expect(named([{ id: id("1A2B3C4D"), name }])).toEqual([[prefix, logicalName]]);
});

test("keeps the plain name for the oldest of several pipes, whatever the order of the list", () => {
  const pipes = [
    { id: id("b1"), name: "orders", createdAt: "2026-01-01T00:00:00Z" },
    { id: id("a1"), name: "orders", createdAt: "2026-02-01T00:00:00Z" },
    { id: id("c1"), name: "Orders", createdAt: "2026-03-01T00:00:00Z" },
  ];
  const names = ["orders orders", "ordersa1000000 orders-a1000000", "ordersc1000000 Orders"];
  expect(named(pipes).map((each) => each.join(" "))).toEqual(names);
  expect(named(pipes.toReversed()).map((each) => each.join(" "))).toEqual(names.toReversed());
});

test("gives every pipe a prefix of letters and digits and a logical name of its own", () => {
  // Not the unit "binary" of fast-check, which takes seconds to make a table of all characters.
  const character = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const alike = fc.constantFrom("a", "A", "a-a", "aA", "class", "pipe2", "a2");
  const pipe = fc.record({
    id: fc.uuid(),
    name: fc.oneof(fc.string(), fc.string({ unit: character }), alike),
    createdAt: fc.constantFrom("1", "2"),
  });
  fc.assert(
    fc.property(fc.uniqueArray(pipe, { selector: (each) => each.id, maxLength: 12 }), (pipes) => {
      const names = named(pipes);
      expect(new Set(names.map(([prefix]) => prefix)).size).toBe(pipes.length);
      expect(new Set(names.map(([, logicalName]) => logicalName)).size).toBe(pipes.length);
      expect(names.filter(([prefix]) => !PREFIX.test(prefix))).toEqual([]);
    }),
  );
});
