import { z } from "zod";
import { fieldsOf, immutable, leafFields, updatable, writeOnly } from "../../../provider/src/core/fields";

const schema = z.strictObject({
  silent: z.string().optional(),
  place: updatable(
    z.strictObject({
      room: z.string(),
      floor: immutable(z.int()),
      door: z.strictObject({ key: writeOnly(z.string()) }),
    }),
  ),
  books: updatable(
    z.array(z.strictObject({ title: z.string(), cover: z.strictObject({ color: z.string() }) })),
  ),
});
const fields = fieldsOf(schema, new Set(["door"]));

test.each([
  [
    "a change of a field without metadata replaces the resource",
    "silent",
    { onChange: "replace", required: false },
  ],
  ["a member without metadata has that of its object", "place.room", { onChange: "update", required: true }],
  [
    "metadata of a member wins over that of its object",
    "place.floor",
    { onChange: "replace", type: "integer" },
  ],
  ["a member of a secret object is secret", "place.door.key", { secret: true, writeOnly: true }],
])("%s", (_, path, expected) => {
  const field = leafFields(fields).find((candidate) => candidate.path.join(".") === path);
  expect(field).toMatchObject(expected);
});

test("the path of an element's member begins at the element", () => {
  const elements = fields.find(({ name }) => name === "books")?.elements ?? [];
  expect(leafFields(elements).map(({ path }) => path.join("."))).toEqual(["title", "cover.color"]);
});
