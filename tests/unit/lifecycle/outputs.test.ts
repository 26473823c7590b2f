import { changesBetween } from "../../../provider/src/lifecycle/comparison/changes";
import { fieldsOf } from "../../../provider/src/lifecycle/comparison/fields";
import type { ResourceDefinition, Update } from "../../../provider/src/lifecycle/program/definition";
import * as outputs from "../../../provider/src/lifecycle/state/outputs";
import * as privateStates from "../../../provider/src/lifecycle/state/private-state";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { thing, thingSchema } from "./thing";

type PrivateState = privateStates.PrivateState;
const fields = fieldsOf(thingSchema, new Set());
const read = () => Promise.resolve(undefined);
const room = (text: string) => ({ immutableObject: { room: text } });

describe("the output observed", () => {
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

test("a field that the API never returns is no drift, in any refresh after the create", async () => {
  const current = { id: "1", name: "a" };
  const create = () => Promise.resolve({ id: "1", current });
  const { lifecycle } = thing({ create, read: () => Promise.resolve(current) });
  const { outputs: created } = await lifecycle.create({ name: "a", note: "n" });
  const first = await lifecycle.read("1", created);
  const second = await lifecycle.read("1", first?.outputs ?? {});
  expect(first?.inputs).toMatchObject({ name: "a", note: "n" });
  expect(second?.inputs).toMatchObject({ name: "a", note: "n" });
});

/** What the state of a resource holds for its next call. */
const storedOf = (privateState: PrivateState): unknown =>
  privateStates.withPrivateState({}, privateState)[privateStates.PRIVATE_STATE];

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
