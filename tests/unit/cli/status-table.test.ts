import { tableOf, widthOf } from "../../../provider/src/cli/status/table";

const pipe = {
  id: "0a1b2c3d-0000-4000-8000-00000000feed",
  name: "n".repeat(120),
  serviceId: "0a1b2c3d-0000-4000-8000-00000000beef",
  state: "Running",
  kind: "kafka",
  table: "t".repeat(90),
  duplicates: [],
};

test.each([
  ["of a terminal", true, 160, 160],
  ["of a narrow terminal, at least 100", true, 80, 100],
  ["without end where stdout is no terminal", false, 0, Infinity],
])("the width is that %s", (_, isTTY, columns, width) => {
  expect(widthOf({ isTTY, columns })).toBe(width);
});

test("a table cuts its widest columns to the width, but never the ID", () => {
  const [, row] = tableOf([pipe], [], 130).text.split("\n");
  expect(row).toBe(`${"n".repeat(29)}…  ${pipe.id}  Running  kafka   ${"t".repeat(29)}…  no resource`);
});

test("a table without a width cuts nothing", () => {
  const { text } = tableOf([pipe], [], Infinity);
  for (const value of [pipe.name, pipe.table]) expect(text).toContain(value);
});
