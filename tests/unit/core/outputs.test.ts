import { z } from "zod";
import { fieldsOf, immutable, updatable, writeOnly } from "../../../provider/src/core/fields";
import {
  readAfterUpdate,
  withDeclaredValues,
  withoutDeclaredValues,
} from "../../../provider/src/core/outputs";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { testLifecycle } from "./test-lifecycle";

const text = () => z.string().optional();
const fields = fieldsOf(
  z.strictObject({
    name: updatable(text()),
    tags: updatable(z.array(z.string()).optional()),
    place: immutable(z.strictObject({ room: text(), floor: text() }).optional()),
    login: writeOnly(updatable(text())),
  }),
  new Set(),
);

describe("the output observed", () => {
  test.each<[what: string, declared: PropertyMap, current: PropertyMap, observed: PropertyMap]>([
    ["omits a declared value", { name: "a" }, { name: "a" }, {}],
    ["omits an object of declared values", { place: { room: "x" } }, { place: { room: "x" } }, {}],
    ["has a value that differs", { name: "a" }, { name: "A" }, { name: "A" }],
    ["has a value that is not declared", {}, { name: "a" }, { name: "a" }],
    ["has an empty value that is not declared", {}, { tags: [], name: null }, { tags: [], name: null }],
    [
      "has the members that differ or are not declared",
      { name: "a", place: { room: "x", floor: "1" } },
      { name: "a", place: { room: "x", floor: "2", door: "3" } },
      { place: { floor: "2", door: "3" } },
    ],
    ["has what the schema does not know", { door: "3" }, { door: "3" }, { door: "3" }],
    ["has a value that the API should never return", { login: "u" }, { login: "u" }, { login: "u" }],
  ])("%s, and with the declared values it is what the API returned", (_, declared, current, observed) => {
    expect(withoutDeclaredValues(fields, declared, current)).toStrictEqual(observed);
    expect(withDeclaredValues(fields, declared, observed)).toStrictEqual(current);
  });

  test.each<[what: string, declared: PropertyMap]>([
    ["an empty list, which equals none", { tags: [] }],
    ["a value that the API never returns", { login: "u" }],
    ["nothing", { place: undefined }],
  ])("gets back no declared value that is %s", (_, declared) => {
    expect(withDeclaredValues(fields, declared, { name: "a" })).toStrictEqual({ name: "a" });
  });

  test.each<[what: string, declared: PropertyMap, current: PropertyMap]>([
    ["null where an object is declared", { place: { room: "x" } }, { place: null }],
    ["the whole object where the state holds a text in its place", { place: "x" }, { place: { room: "x" } }],
  ])("has %s", (_, declared, current) => {
    expect(withoutDeclaredValues(fields, declared, current)).toEqual(current);
  });

  test("repeats neither the id nor another output", async () => {
    const current = { id: "1", serviceId: "other", name: "a", state: "up", zone: "z" };
    const { lifecycle } = testLifecycle({
      hasReadOperation: true,
      create: () => Promise.resolve({ id: "1", current }),
    });
    const { outputs } = await lifecycle.create({ serviceId: "s", name: "a" });
    expect(outputs).toMatchObject({ serviceId: "s", name: "a", state: "up" });
    expect(outputs["observed"]).toEqual({ zone: "z" });
  });
});

test.each<[what: string, hasReadOperation: true | undefined, lastRead: PropertyMap]>([
  ["with the declared values and the other outputs", true, { name: "a", state: "up", zone: "z" }],
  ["as the output observed has it, where no read can detect drift", undefined, { zone: "z" }],
])("an update gets what the API returned, %s", async (_, hasReadOperation, lastRead) => {
  const seen: PropertyMap[] = [];
  const { lifecycle } = testLifecycle({
    ...(hasReadOperation && { hasReadOperation }),
    update: (update) => {
      seen.push(update.lastRead);
      return Promise.resolve({ name: "b" });
    },
  });
  await lifecycle.update("1", { name: "a", state: "up", observed: { zone: "z" } }, { name: "b" });
  expect(seen).toEqual([lastRead]);
});

test.each<[what: string, declared: PropertyMap, read: PropertyMap]>([
  ["the new value of a sent field", { name: "b" }, { name: "B", place: { room: "new" } }],
  [
    "the old value of a declared field that was not sent",
    { place: { room: "x" } },
    { name: "B", place: { room: "old" } },
  ],
  ["the new value of a field that is not declared", {}, { name: "B", place: { room: "new" } }],
])("after an update, the state has %s as read", (_, declared, read) => {
  const answers = {
    lastRead: { name: "a", place: { room: "old" } },
    current: { name: "B", place: { room: "new" } },
    sent: new Set(["name"]),
  };
  expect(readAfterUpdate(fields, answers, declared)).toEqual(read);
});
