import { z } from "zod";
import { changesBetween } from "../../../provider/src/core/changes";
import { fieldsOf, updatable, writeOnly } from "../../../provider/src/core/fields";
import {
  PRIVATE_STATE,
  privateStateAfterCreate,
  privateStateAfterUpdate,
  withPrivateState,
  type PrivateState,
} from "../../../provider/src/core/private-state";
import type { PropertyMap } from "../../../provider/src/core/property-value";

const text = () => z.string().optional();
const fields = fieldsOf(
  z.strictObject({
    name: updatable(text()),
    login: updatable(z.strictObject({ user: text(), password: writeOnly(text()) }).optional()),
  }),
  new Set(),
);

/** What the state of a resource holds for its next call. */
const storedOf = (privateState: PrivateState): unknown => withPrivateState({}, privateState)[PRIVATE_STATE];

describe("outputs", () => {
  test("have no private state where all its members are empty", () => {
    const empty = { key: undefined, written: false, sent: [], former: {}, omitted: [] };
    expect(withPrivateState({ name: "a" }, empty)).toStrictEqual({ name: "a" });
  });

  test("have the members of the private state that are not empty", () => {
    const privateState = { key: "k", written: true, sent: ["name"], former: {}, omitted: [] };
    expect(withPrivateState({ name: "a" }, privateState)).toStrictEqual({
      name: "a",
      [PRIVATE_STATE]: { key: "k", written: true, sent: ["name"] },
    });
  });
});

test.each<
  [what: string, adopt: unknown, adopted: Parameters<typeof privateStateAfterCreate>[2], stored: PrivateState]
>([
  ["a create was a write", undefined, undefined, { key: "k", written: true }],
  ["an adoption that sent nothing was none", "id", { sent: [], former: {} }, { key: "k", adopt: "id" }],
  [
    "an adoption that sent fields was one, and what they were before",
    "id",
    { sent: ["name"], former: { name: "a" } },
    { key: "k", adopt: "id", written: true, sent: ["name"], former: { name: "a" } },
  ],
  ["only an id was adopted", 5, undefined, { key: "k", written: true }],
])("the state of a new resource says that %s", (_, adopt, adopted, stored) => {
  expect(storedOf(privateStateAfterCreate("k", adopt, adopted))).toEqual(stored);
});

describe("after an update, the state", () => {
  const updated = (privateState: PrivateState, before: PropertyMap, after: PropertyMap): unknown =>
    storedOf(privateStateAfterUpdate(privateState, changesBetween(fields, before, after), before));

  test("has the paths that it sent, and what the API returned for them before", () => {
    expect(updated({ key: "k" }, { name: "a" }, { name: "b", login: { user: "u" } })).toEqual({
      key: "k",
      written: true,
      sent: ["name", "login.user"],
      former: { name: "a" },
    });
  });

  test("keeps the oldest value of a path that two updates sent", () => {
    const first = { sent: ["name"], former: { name: "a" } };
    const both = { login: { user: "v" }, name: "c" };
    expect(updated(first, { login: { user: "u" }, name: "b" }, both)).toEqual({
      written: true,
      sent: ["name", "login.user"],
      former: { name: "a", login: { user: "u" } },
    });
  });

  test("has no value before of a field that the API never returns", () => {
    const [before, after] = [{ login: { password: "old" } }, { login: { password: "new" } }];
    expect(updated({}, before, after)).toEqual({ written: true, sent: ["login.password"] });
  });

  test("forgets that the API left out a field, once an update sends it", () => {
    const known = { omitted: ["name", "login.user"] };
    expect(updated(known, { name: "a" }, { name: "b" })).toMatchObject({ omitted: ["login.user"] });
  });
});
