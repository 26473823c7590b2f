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
  ["a field that says nothing needs another resource", "silent", { onChange: "replace", required: false }],
  ["a member that says nothing is as its object", "place.room", { onChange: "update", required: true }],
  ["a member can say otherwise than its object", "place.floor", { onChange: "replace", type: "integer" }],
  ["what is in a secret object is secret", "place.door.key", { secret: true, writeOnly: true }],
])("%s", (_, path, expected) => {
  const field = leafFields(fields).find((candidate) => candidate.path.join(".") === path);
  expect(field).toMatchObject(expected);
});

test("members of elements have their place inside the element", () => {
  const elements = fields.find(({ name }) => name === "books")?.elements ?? [];
  expect(leafFields(elements).map(({ path }) => path.join("."))).toEqual(["title", "cover.color"]);
});
