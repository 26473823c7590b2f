import {
  immutable,
  optional,
  text,
  updatable,
  writeOnly,
} from "../../../provider/src/lifecycle/comparison/field-schema";
import { fromEngine } from "../../../provider/src/lifecycle/protocol/engine-values";
import type { ResourceDefinition } from "../../../provider/src/lifecycle/program/definition";
import { WriteFailure } from "../../../provider/src/lifecycle/state/write-failure";
import { PRIVATE_STATE } from "../../../provider/src/lifecycle/state/private-state";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { preview } from "../../kit/lifecycle";
import { rejection } from "../../kit/client";
import { DELETE, failingAfter, ID, keyOfName, named, run, thing as thingAlone, thingSchema } from "./thing";

const thing = (more: Partial<ResourceDefinition> = {}) =>
  thingAlone(more, { defaults: () => ({ serviceId: "s" }) });

/** What a preview logs of a resource in the stack. */
function previewLines(outputs: PropertyMap, newInputs: PropertyMap, id = "1"): string[] {
  const { lifecycle, lines } = thing();
  expect(preview(lifecycle, { id, outputs: { serviceId: "s", ...outputs } }, newInputs).failures).toEqual([]);
  return lines;
}

test("a preview logs no change that the engine shows, and no value that the service ignores", () => {
  expect(previewLines({ name: "a", size: 1 }, { name: "b", size: 2 })).toEqual([]);
  expect(previewLines({ size: 5, observed: { size: 4 } }, { size: 5 })).toEqual([]);
});

const other = "0a1b2c3d-0000-4000-8000-00000000bbbb";
const adoptedFirst = { adopt: ID, [PRIVATE_STATE]: { key: "k", adopt: ID } };
const late =
  `warning: Thing 1 is in the stack already, so adopt does not take over ${other}. To manage that one instead, run ` +
  "`pulumi state delete <URN of the resource>`, which leaves 1 unmanaged, then `pulumi up`.";

test.each<[what: string, id: string, outputs: PropertyMap, adopt: string | undefined, lines: string[]]>([
  ["does not warn if nothing is adopted", ID, {}, undefined, []],
  ["does not warn if it is the same id, in any format", ID.toUpperCase(), {}, ID, []],
  ["does not warn if the resource was adopted by this id", "1", adoptedFirst, ID.toUpperCase(), []],
  ["warns if the resource was created", "1", { [PRIVATE_STATE]: { key: "k" } }, other, [late]],
  ["warns if it has adopted another id", "1", adoptedFirst, other, [late]],
  ["warns if it got this warning before", "1", { ...adoptedFirst, adopt: other }, other, [late]],
])("of adopt for a resource that is in the stack already, a preview %s", (_, id, outputs, adopt, lines) => {
  expect(previewLines(outputs, { adopt }, id)).toEqual(lines);
});

describe("a read", () => {
  const now = { name: "a", note: "n", state: "up", immutableObject: { room: "x" } };
  /** A type with a required field. */
  const schema = { ...thingSchema, name: updatable(text) };
  const reading = (more: Partial<ResourceDefinition> = {}) =>
    thing({ schema, read: () => Promise.resolve(now), ...more }).lifecycle;

  test.each<[what: string, properties: PropertyMap]>([
    ["only the id is given", {}],
    ["only the id and the service are given", { serviceId: "s" }],
    ["less is given than a program must declare", { serviceId: "s", note: "other" }],
  ])("shows all declarable fields where %s", async (_, properties) => {
    const read = await reading().read("1", properties);
    expect(read?.inputs).toEqual({ serviceId: "s", name: "a", note: "n", immutableObject: { room: "x" } });
    expect(read?.outputs).toEqual({ ...read?.inputs, state: "up", observed: {} });
  });

  test("fails with its own code and finding where the resource does not exist", async () => {
    const absent = reading({ read: () => Promise.resolve(undefined) }).read("1", {});
    const message = "read Thing 1 failed: the service has no thing with this ID.";
    await expect(absent).rejects.toMatchObject({ code: "not-found", finding: "not-found", message });
  });

  test("by an ID fails with what is wrong with the configuration, and sends nothing", async () => {
    const problem = "datapipes:serviceId is not set.";
    const { lifecycle } = thingAlone({}, { configurationProblems: () => [problem] });
    await expect(lifecycle.read("1", {})).rejects.toThrow(problem);
  });

  test("keeps the key and the adopted id in the state, and forgets what was sent", async () => {
    const kept = { key: "k", adopt: "a" };
    const privateState = { ...kept, written: true, sent: ["name"], former: { name: "b" } };
    const read = await reading().read("1", { name: "a", observed: now, [PRIVATE_STATE]: privateState });
    expect(read?.outputs[PRIVATE_STATE]).toEqual(kept);
  });

  test("passes an unchanged resource through", async () => {
    const stored = {
      serviceId: "s",
      name: "a",
      immutableObject: { room: "x" },
      state: "up",
      observed: { note: "n" },
      [PRIVATE_STATE]: { key: "k" },
    };
    // As the ids of organization and service are.
    const serviceId = writeOnly(immutable(optional(text)));
    const readOf = async (current: PropertyMap) => {
      const read = () => Promise.resolve(current);
      const reader = reading({ schema: { ...schema, serviceId }, read });
      return (await reader.read("1", stored))?.outputs;
    };
    expect(await readOf({ id: "1", serviceId: "s", ...now })).toEqual(stored);
    expect(await readOf({ ...now, note: "m" })).toEqual({ ...stored, observed: { note: "m" } });
    expect(await readOf({ ...now, immutableObject: { room: "y" } })).toEqual({
      ...stored,
      immutableObject: { room: "y" },
    });
  });

  test("shows only the declared fields of a resource that the program declares", async () => {
    const declared = { serviceId: "s", name: "a" };
    expect((await reading().read("1", declared))?.inputs).toEqual(declared);
    expect((await reading().read("1", { ...declared, observed: {} }))?.inputs).toEqual(declared);
    expect((await reading().read("1", { observed: now }))?.inputs).toEqual({ serviceId: "s" });
    // Of a type without required fields, those that are given count.
    const loose = reading({ schema: thingSchema });
    expect((await loose.read("1", { serviceId: "s" }))?.inputs).toHaveProperty("note", "n");
    expect((await loose.read("1", { name: "a" }))?.inputs).not.toHaveProperty("note");
  });
});

const otherwise = (path: string, sent: string, states: string): string =>
  `warning: Thing 1: ${path} was sent as ${sent}, but the API returned ${states}. The service may have ignored the value.`;
const tags = (name: string, key: string) => ({ tags: [{ name, key }] });
const hidden = otherwise("tags", '[{"name":"t","key":"[secret]"}]', '[{"name":"T","key":"[secret]"}]');

test.each<[what: string, inputs: PropertyMap, current: PropertyMap, lines: string[]]>([
  ["another value than was sent", { name: "a" }, { name: "A" }, [otherwise("name", '"a"', '"A"')]],
  ["a value without the secret in it", tags("t", "hush"), tags("T", "else"), [hidden]],
  ["no secret, which services mask", { key: "hush" }, { key: "else" }, []],
  ["no field that the API leaves out", { name: "a", note: "n" }, { name: "a" }, []],
  ["no field of the provider alone", { adopt: "b" }, {}, []],
  ["no field that the API never returns", { writeOnlyText: "a" }, { writeOnlyText: "b" }, []],
  ["no field that the program does not declare", { name: "a" }, { name: "a", note: "n" }, []],
])("after a create, a warning names %s", async (_, inputs, current, expected) => {
  const { lifecycle, lines } = thing({ create: () => Promise.resolve({ id: "1", current }) });
  await lifecycle.create(inputs);
  expect(lines).toEqual(expected);
});

test("a failure after something exists keeps its cause, also if it is no error", async () => {
  const cause = "away" as unknown as Error;
  const failure = await rejection(
    thing(failingAfter([{ state: "new" }], cause)).lifecycle.create({ name: "a" }),
  );
  expect(failure).toBeInstanceOf(WriteFailure);
  const stored = { id: "1", outputs: { name: "a", state: "new" } };
  expect(failure).toMatchObject({ message: "away", cause, stored });
});

test.each<[what: string, newInputs: PropertyMap, logicalName: string | undefined, name: unknown]>([
  ["fill in what the program leaves out", {}, "Orders", "orders"],
  ["fill in what the program gives as null", { name: null }, "orders", "orders"],
  ["give way to what the program gives", { name: "returns" }, "orders", "returns"],
  ["are none where the adapter knows no logical name", {}, undefined, undefined],
])("defaults from the logical name %s", (_, newInputs, logicalName, name) => {
  const { lifecycle } = thing({ defaultsOf: (logical) => ({ name: logical.toLowerCase() }) });
  expect(lifecycle.check(undefined, fromEngine(newInputs), logicalName).inputs["name"]).toBe(name);
  // Not every type has such defaults.
  expect(thing().lifecycle.check(undefined, {}, "orders").inputs).toEqual({ serviceId: "s" });
});

type Call = (lifecycle: ReturnType<typeof thing>["lifecycle"], state: PropertyMap) => Promise<unknown>;

test.each<[operation: string, call: Call]>([
  [
    "check",
    (lifecycle, inputs) => lifecycle.checkAgainstOthers(lifecycle.check(undefined, { ...inputs, adopt: ID })),
  ],
  ["create", (lifecycle, inputs) => lifecycle.create(inputs)],
  ["read", (lifecycle, state) => lifecycle.read("1", state)],
  ["update", (lifecycle, state) => lifecycle.update("1", state, { ...state, name: "b" })],
  ["delete", (lifecycle, state) => lifecycle.delete("1", state)],
])("the secrets that %s gets are known before its first request", async (_, call) => {
  const known: string[] = [];
  const sendRequest = () => Promise.reject(new Error(JSON.stringify(known)));
  const operations = { create: sendRequest, read: sendRequest, update: sendRequest, delete: sendRequest };
  const { lifecycle } = thingAlone(
    { ...operations, checkAgainstOthers: sendRequest },
    { trackSecrets: (...properties) => known.push(JSON.stringify(properties)) },
  );
  const failure = await rejection(call(lifecycle, { serviceId: "s", name: "a", key: "hush-1", ...DELETE }));
  expect(String(failure)).toContain("hush-1");
});

test("the state of an imported resource needs no change for the program of the import", () => {
  const args = { name: "a", immutableText: "x" };
  const observed = { ...args, zone: "z" };
  const { inputs, failures, outputs } = run().lifecycle.imported("key", args, observed);
  expect({ inputs, failures }).toEqual({ inputs: args, failures: [] });
  expect(outputs).toEqual({ ...args, observed, __privateState: { key: keyOfName("key") } });
  const next = preview(run().lifecycle, { id: ID, outputs }, named("key", args));
  expect(next).toMatchObject({ failures: [], difference: { changed: false } });
  const wrong = [{ path: ["name"], reason: "must be a string, got 1" }];
  expect(run().lifecycle.imported("key", { name: 1 }, {}).failures).toEqual(wrong);
});
