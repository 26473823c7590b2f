import { changesBetween } from "../../../provider/src/lifecycle/comparison/changes";
import { fieldsOf } from "../../../provider/src/lifecycle/comparison/fields";
import type { ResourceDefinition, Update } from "../../../provider/src/lifecycle/program/definition";
import * as outputs from "../../../provider/src/lifecycle/state/outputs";
import * as privateStates from "../../../provider/src/lifecycle/state/private-state";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { thing, thingSchema } from "./thing";

type PrivateState = privateStates.PrivateState;
const fields = fieldsOf(thingSchema(), new Set());
const read = () => Promise.resolve(undefined);
const room = (text: string) => ({ immutableObject: { room: text } });

describe("the output observed", () => {
  const differing: [declared: PropertyMap, current: PropertyMap, observed: PropertyMap] = [
    { name: "a", immutableObject: { room: "x", floor: 1 } },
    { name: "a", immutableObject: { room: "x", floor: 2, door: "3" } },
    { immutableObject: { floor: 2, door: "3" } },
  ];

  test.each<[what: string, declared: PropertyMap, current: PropertyMap, observed: PropertyMap]>([
    ["omits a declared value", { name: "a" }, { name: "a" }, {}],
    ["omits an object of declared values", room("x"), room("x"), {}],
    ["has a value that differs", { name: "a" }, { name: "A" }, { name: "A" }],
    ["has a value that is not declared", {}, { name: "a" }, { name: "a" }],
    ["has an empty value that is not declared", {}, { books: [], name: null }, { books: [], name: null }],
    ["has the members that differ or are not declared", ...differing],
    ["has what the schema does not know", { door: "3" }, { door: "3" }, { door: "3" }],
    [
      "has a value that the API should never return",
      { writeOnlyText: "u" },
      { writeOnlyText: "u" },
      { writeOnlyText: "u" },
    ],
  ])("%s, and with the declared values it is what the API returned", (_, declared, current, observed) => {
    expect(outputs.withoutDeclaredValues(fields, declared, current)).toStrictEqual(observed);
    expect(outputs.withDeclaredValues(fields, declared, observed)).toStrictEqual(current);
  });

  test.each<[what: string, declared: PropertyMap]>([
    ["an empty list, which equals none", { books: [] }],
    ["a value that the API never returns", { writeOnlyText: "u" }],
    ["nothing", { immutableObject: undefined }],
  ])("gets back no declared value that is %s", (_, declared) => {
    expect(outputs.withDeclaredValues(fields, declared, { name: "a" })).toStrictEqual({ name: "a" });
  });

  test.each<[what: string, declared: PropertyMap, current: PropertyMap]>([
    ["null where an object is declared", room("x"), { immutableObject: null }],
    ["the whole object where the state holds a text in its place", { immutableObject: "x" }, room("x")],
  ])("has %s", (_, declared, current) => {
    expect(outputs.withoutDeclaredValues(fields, declared, current)).toEqual(current);
  });

  test("repeats neither the id nor another output", async () => {
    const current = { id: "1", serviceId: "other", name: "a", state: "up", zone: "z" };
    const create = () => Promise.resolve({ id: "1", current });
    const { lifecycle } = thing({ create, read }, { defaults: () => ({ serviceId: "s" }) });
    const created = await lifecycle.create({ serviceId: "s", name: "a" });
    expect(created.outputs).toMatchObject({ serviceId: "s", name: "a", state: "up" });
    expect(created.outputs["observed"]).toEqual({ zone: "z" });
  });
});

test.each<[what: string, more: Partial<ResourceDefinition>, lastRead: PropertyMap]>([
  ["with the declared values and outputs", { read }, { name: "a", state: "up", zone: "z" }],
  ["as the output observed has it, where no read can detect drift", {}, { zone: "z" }],
])("an update gets what the API returned, %s", async (_, more, lastRead) => {
  const update = jest.fn(({ inputs }: Update) => Promise.resolve(inputs));
  const { lifecycle } = thing({ ...more, update });
  await lifecycle.update("1", { name: "a", state: "up", observed: { zone: "z" } }, { name: "b" });
  expect(update.mock.calls.map(([given]) => given.lastRead)).toEqual([lastRead]);
});

test.each<[what: string, declared: PropertyMap, read: PropertyMap]>([
  ["the new value of a sent field", { name: "b" }, { name: "B", ...room("new") }],
  ["the old value of a declared field that was not sent", room("x"), { name: "B", ...room("old") }],
  ["the new value of a field that is not declared", {}, { name: "B", ...room("new") }],
])("after an update, the state has %s as read", (_, declared, read) => {
  const lastRead = { name: "a", ...room("old") };
  const answers = { lastRead, current: { name: "B", ...room("new") }, sent: new Set(["name"]) };
  expect(outputs.readAfterUpdate(fields, answers, declared)).toEqual(read);
});

describe("an update", () => {
  const declared = { name: "a", note: "n" };
  const state = { ...declared, observed: declared };
  const updating = (current: PropertyMap | undefined, more: Partial<ResourceDefinition> = {}) =>
    thing({ update: () => Promise.resolve(current), ...more });

  test("warns of a sent field that the API returns with another value, and of no other", async () => {
    const { lifecycle, lines } = updating({ name: "B", note: "N" });
    // Sent fields stay as declared; the next preview shows what another client changed.
    const updated = await lifecycle.update("1", state, { name: "b", note: "n" });
    expect(updated).toMatchObject({ name: "b", note: "N" });
    expect(lines).toEqual([
      'warning: Thing 1: name was sent as "b", but the API returned "B". The service may have ignored the value.',
    ]);
  });

  test("leaves changes of other clients to the next refresh, where the API can read the resource", async () => {
    const answer = { name: "B", note: "N" };
    const { lifecycle } = updating(answer, { read: () => Promise.resolve(answer) });
    const updated = await lifecycle.update("1", { ...state, observed: {} }, { name: "b", note: "n" });
    expect(updated).toMatchObject({ name: "b", note: "n", observed: { name: "B" } });
    expect((await lifecycle.read("1", updated))?.inputs).toMatchObject({ name: "b", note: "N" });
  });

  test.each([
    ["sends nothing", "a", undefined],
    ["sends another field", "b", { name: "b", immutableText: "old" }],
  ])("that %s keeps the old value of a field that it cannot change", async (_, name, answer) => {
    const newInputs = { name, note: "n", immutableText: "new" };
    const updated = await updating(answer).lifecycle.update(
      "1",
      { ...state, immutableText: "old" },
      newInputs,
    );
    // So the next diff finds it again.
    expect(updated).toMatchObject({ name, immutableText: "old" });
  });

  test("with nothing to send logs nothing, and keeps the observed values", async () => {
    const { lifecycle, lines } = updating(undefined);
    const known = { ...state, state: "up", observed: { ...state.observed, state: "up" } };
    const before = { ...known, deletionPolicy: "delete" };
    const updated = await lifecycle.update("1", before, { ...declared, adopt: "b" });
    expect(updated).toEqual({ ...known, adopt: "b" });
    expect(lines).toEqual([]);
  });
});

/** What the state of a resource holds for its next call. */
const storedOf = (privateState: PrivateState): unknown =>
  privateStates.withPrivateState({}, privateState)[privateStates.PRIVATE_STATE];

test("outputs have the members of the private state that are not empty, and none without any", () => {
  const empty = { key: undefined, written: false, sent: [], former: {}, omitted: [] };
  expect(privateStates.withPrivateState({ name: "a" }, empty)).toStrictEqual({ name: "a" });
  const full = { key: "k", written: true, sent: ["name"] };
  expect(storedOf({ ...empty, ...full })).toStrictEqual(full);
});

const sentName = { sent: ["name"], former: { name: "a" } };
const writtenName = { written: true, ...sentName };
type Adopted = Parameters<typeof privateStates.privateStateAfterCreate>[2];

test.each<[what: string, adopt: unknown, adopted: Adopted, stored: PrivateState]>([
  ["a create was a write", undefined, undefined, { written: true }],
  ["an adoption that sent nothing was none", "id", { sent: [], former: {} }, { adopt: "id" }],
  ["an adoption sent a field, and its value before", "id", sentName, { adopt: "id", ...writtenName }],
  ["only an id was adopted", 5, undefined, { written: true }],
])("the state of a new resource says that %s", (_, adopt, adopted, stored) => {
  const privateState = privateStates.privateStateAfterCreate("k", adopt, adopted);
  expect(storedOf(privateState)).toEqual({ key: "k", ...stored });
});

describe("after an update, the state", () => {
  const updated = (known: PrivateState, before: PropertyMap, after: PropertyMap): unknown =>
    storedOf(privateStates.privateStateAfterUpdate(known, changesBetween(fields, before, after), before));
  const both = ["name", "immutableObject.room"];

  test("has the paths that it sent, and what the API returned for them before", () => {
    const stored = { key: "k", written: true, sent: both, former: { name: "a" } };
    expect(updated({ key: "k" }, { name: "a" }, { name: "b", ...room("u") })).toEqual(stored);
  });

  test("keeps the oldest value of a path that two updates sent", () => {
    const stored = { written: true, sent: both, former: { name: "a", ...room("u") } };
    expect(updated(sentName, { name: "b", ...room("u") }, { name: "c", ...room("v") })).toEqual(stored);
  });

  test("has no value before of a field that the API never returns", () => {
    expect(updated({}, { writeOnlyText: "old" }, { writeOnlyText: "new" })).toEqual({
      written: true,
      sent: ["writeOnlyText"],
    });
  });

  test("forgets that the API left out a field, once an update sends it", () => {
    const left = updated({ omitted: both }, { name: "a" }, { name: "b" });
    expect(left).toMatchObject({ omitted: ["immutableObject.room"] });
  });
});
