import fc from "fast-check";
import { namesOf, type NamedPipe } from "../../../provider/src/cli/import/names";

const id = (start: string): string => `${start.padEnd(8, "0")}-0000-4000-8000-000000000000`;

const named = (pipes: readonly NamedPipe[]) => {
  const names = namesOf(pipes);
  return pipes.map(({ id }) => names.get(id));
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
  ["İstanbul ᾶ", "istanbulΑ", "İstanbul ᾶ"],
  ["orders */ `${x}` \"'", "ordersX", "ordersX"],
  ["a\nb", "aB", "aB"],
  ["a\u202eb", "aB", "aB"],
  ["a\u2e2fb", "aB", "a\u2e2fb"],
  ["a\u3164b", "aB", "aB"],
  ["🚀", "pipe1A2B3C4D", "pipe1A2B3C4D"],
  ["", "pipe1A2B3C4D", "pipe1A2B3C4D"],
  [7, "pipe1A2B3C4D", "pipe1A2B3C4D"],
])("a pipe with the name %j gets the prefix %s and the logical name %s", (name, prefix, logicalName) => {
  expect(named([{ id: id("1A2B3C4D"), name }])).toEqual([{ prefix, logicalName }]);
});

test("keeps the plain name for the oldest of several pipes, whatever the order of the list", () => {
  const pipes = [
    { id: id("b1"), name: "orders", createdAt: "2026-01-01T00:00:00Z" },
    { id: id("a1"), name: "orders", createdAt: "2026-02-01T00:00:00Z" },
    { id: id("c1"), name: "Orders", createdAt: "2026-03-01T00:00:00Z" },
  ];
  const names = [
    { prefix: "orders", logicalName: "orders" },
    { prefix: "ordersa1000000", logicalName: "orders-a1000000" },
    { prefix: "ordersc1000000", logicalName: "Orders" },
  ];
  expect(named(pipes)).toEqual(names);
  expect(named(pipes.toReversed())).toEqual(names.toReversed());
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
      expect(new Set(names.map((name) => name?.prefix)).size).toBe(pipes.length);
      expect(new Set(names.map((name) => name?.logicalName)).size).toBe(pipes.length);
      for (const name of names) expect(name?.prefix).toMatch(/^[\p{L}\p{N}]+$/u);
    }),
  );
});
