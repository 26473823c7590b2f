import { changesBetween } from "../../../provider/src/core/changes";
import { fieldsOf } from "../../../provider/src/core/fields";
import type { ResourceDefinition } from "../../../provider/src/core/lifecycle";
import {
  readAfterUpdate,
  withDeclaredValues,
  withoutDeclaredValues,
} from "../../../provider/src/core/outputs";
import {
  PRIVATE_STATE,
  privateStateAfterCreate,
  privateStateAfterUpdate,
  withPrivateState,
  type PrivateState,
} from "../../../provider/src/core/private-state";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { thing, thingSchema } from "./thing";

const fields = fieldsOf(thingSchema(), new Set());

describe("the output observed", () => {
  test.each<[what: string, declared: PropertyMap, current: PropertyMap, observed: PropertyMap]>([
    ["omits a declared value", { name: "a" }, { name: "a" }, {}],
    ["omits an object of declared values", { place: { room: "x" } }, { place: { room: "x" } }, {}],
    ["has a value that differs", { name: "a" }, { name: "A" }, { name: "A" }],
    ["has a value that is not declared", {}, { name: "a" }, { name: "a" }],
    ["has an empty value that is not declared", {}, { books: [], name: null }, { books: [], name: null }],
    [
      "has the members that differ or are not declared",
      { name: "a", place: { room: "x", floor: 1 } },
      { name: "a", place: { room: "x", floor: 2, door: "3" } },
      { place: { floor: 2, door: "3" } },
    ],
    ["has what the schema does not know", { door: "3" }, { door: "3" }, { door: "3" }],
    ["has a value that the API should never return", { login: "u" }, { login: "u" }, { login: "u" }],
  ])("%s, and with the declared values it is what the API returned", (_, declared, current, observed) => {
    expect(withoutDeclaredValues(fields, declared, current)).toStrictEqual(observed);
    expect(withDeclaredValues(fields, declared, observed)).toStrictEqual(current);
  });

  test.each<[what: string, declared: PropertyMap]>([
    ["an empty list, which equals none", { books: [] }],
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
    const create = () => Promise.resolve({ id: "1", current });
    const { lifecycle } = thing({ hasReadOperation: true, create }, { defaults: () => ({ serviceId: "s" }) });
    const { outputs } = await lifecycle.create({ serviceId: "s", name: "a" });
    expect(outputs).toMatchObject({ serviceId: "s", name: "a", state: "up" });
    expect(outputs["observed"]).toEqual({ zone: "z" });
  });
});

test.each<[what: string, more: Partial<ResourceDefinition>, lastRead: PropertyMap]>([
  [
    "with the declared values and the other outputs",
    { hasReadOperation: true },
    { name: "a", state: "up", zone: "z" },
  ],
  ["as the output observed has it, where no read can detect drift", {}, { zone: "z" }],
])("an update gets what the API returned, %s", async (_, more, lastRead) => {
  const seen: PropertyMap[] = [];
  const { lifecycle } = thing({
    ...more,
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

describe("an update", () => {
  const olds = { name: "a", note: "n", observed: { name: "a", note: "n" } };
  const updating = (current: PropertyMap | undefined, more: Partial<ResourceDefinition> = {}) =>
    thing({ update: () => Promise.resolve(current), ...more });

  test("sends the changed fields, and not those that the program no longer declares", async () => {
    const sent: string[][] = [];
    const { lifecycle } = thing({
      update: ({ changes }) => {
        sent.push(changes.map(({ path }) => path));
        return Promise.resolve({ name: "b", note: "n" });
      },
    });
    await lifecycle.update("1", olds, { name: "b" });
    expect(sent).toEqual([["name"]]);
  });

  test("warns of a sent field that the API returns with another value, and of no other", async () => {
    const { lifecycle, lines } = updating({ name: "B", note: "N" });
    const outputs = await lifecycle.update("1", olds, { name: "b", note: "n" });
    // Sent fields stay as declared; the next preview shows what another client changed.
    expect(outputs).toMatchObject({ name: "b", note: "N" });
    expect(lines).toEqual([
      'warning: Thing 1: name was sent as "b", but the API returned "B". The service may have ignored the value.',
    ]);
  });

  test("leaves changes of other clients to the next refresh, where the API can read the resource", async () => {
    const answer = { name: "B", note: "N" };
    const { lifecycle } = updating(answer, { hasReadOperation: true, read: () => Promise.resolve(answer) });
    const outputs = await lifecycle.update("1", { ...olds, observed: {} }, { name: "b", note: "n" });
    expect(outputs).toMatchObject({ name: "b", note: "n", observed: { name: "B" } });
    expect((await lifecycle.read("1", outputs))?.inputs).toMatchObject({ name: "b", note: "N" });
  });

  test("keeps the old value of a field that it cannot change, so that the next diff finds it again", async () => {
    const known = { ...olds, spot: "old" };
    for (const answer of [undefined, { name: "b", spot: "old" }]) {
      const name = answer === undefined ? "a" : "b";
      const outputs = await updating(answer).lifecycle.update("1", known, { name, note: "n", spot: "new" });
      expect(outputs).toMatchObject({ name, spot: "old" });
    }
  });

  test("with nothing to send logs nothing, and keeps the observed values", async () => {
    const { lifecycle, lines } = updating(undefined);
    const known = { ...olds, state: "up", observed: { ...olds.observed, state: "up" } };
    const outputs = await lifecycle.update("1", known, { name: "a", note: "n", adopt: "b" });
    expect(outputs).toEqual({ ...known, adopt: "b" });
    expect(lines).toEqual([]);
  });
});

/** What the state of a resource holds for its next call. */
const storedOf = (privateState: PrivateState): unknown => withPrivateState({}, privateState)[PRIVATE_STATE];

test("outputs have the members of the private state that are not empty, and none without any", () => {
  const empty = { key: undefined, written: false, sent: [], former: {}, omitted: [] };
  expect(withPrivateState({ name: "a" }, empty)).toStrictEqual({ name: "a" });
  const full = { key: "k", written: true, sent: ["name"] };
  expect(storedOf({ ...empty, ...full })).toStrictEqual(full);
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
    expect(updated({ key: "k" }, { name: "a" }, { name: "b", place: { room: "u" } })).toEqual({
      key: "k",
      written: true,
      sent: ["name", "place.room"],
      former: { name: "a" },
    });
  });

  test("keeps the oldest value of a path that two updates sent", () => {
    const first = { sent: ["name"], former: { name: "a" } };
    const both = { place: { room: "v" }, name: "c" };
    expect(updated(first, { place: { room: "u" }, name: "b" }, both)).toEqual({
      written: true,
      sent: ["name", "place.room"],
      former: { name: "a", place: { room: "u" } },
    });
  });

  test("has no value before of a field that the API never returns", () => {
    expect(updated({}, { login: "old" }, { login: "new" })).toEqual({ written: true, sent: ["login"] });
  });

  test("forgets that the API left out a field, once an update sends it", () => {
    const known = { omitted: ["name", "place.room"] };
    expect(updated(known, { name: "a" }, { name: "b" })).toMatchObject({ omitted: ["place.room"] });
  });
});
