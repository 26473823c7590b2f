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
import {
  away,
  DELETE,
  deployed,
  failingAfter,
  ID,
  keyOfName,
  named,
  run,
  thing as thingAlone,
  thingSchema,
} from "./thing";

const thing = (more: Partial<ResourceDefinition> = {}) =>
  thingAlone(more, { defaults: () => ({ serviceId: "s" }) });

/** What a preview logs of a resource in the stack. */
function previewLines(outputs: PropertyMap, newInputs: PropertyMap, id = "1"): string[] {
  const { lifecycle, lines } = thing();
  expect(preview(lifecycle, { id, outputs: { serviceId: "s", ...outputs } }, newInputs).failures).toEqual([]);
  return lines;
}

test("a preview logs no change that the engine shows", () => {
  expect(previewLines({ name: "a", size: 1 }, { name: "b", size: 2 })).toEqual([]);
});

test("a preview logs no unchanged value that the service ignores", () => {
  expect(previewLines({ size: 5, observed: { size: 4 } }, { size: 5 })).toEqual([]);
});

const OTHER_ID = "0a1b2c3d-0000-4000-8000-00000000bbbb";
const adopted = { adopt: ID, [PRIVATE_STATE]: { key: "k", adopt: ID } };

test.each<[what: string, id: string, outputs: PropertyMap, adopt: string | undefined]>([
  ["nothing is adopted", ID, {}, undefined],
  ["adopt names its own id, in any format", ID.toUpperCase(), {}, ID],
  ["it was adopted by this id", "1", adopted, ID.toUpperCase()],
])("a preview does not warn of a resource in the stack if %s", (_, id, outputs, adopt) => {
  expect(previewLines(outputs, { adopt }, id)).toEqual([]);
});

test.each<[what: string, outputs: PropertyMap]>([
  ["was created", { [PRIVATE_STATE]: { key: "k" } }],
  ["was adopted by another id", adopted],
  ["got this warning before", { ...adopted, adopt: OTHER_ID }],
])("a preview warns that adopt has no effect on a resource in the stack that %s", (_, outputs) => {
  expect(previewLines(outputs, { adopt: OTHER_ID })).toEqual([
    `warning: Thing 1 is in the stack already, so adopt does not take over ${OTHER_ID}.`,
  ]);
});

describe("a read", () => {
  const current = { name: "a", note: "n", state: "up", immutableObject: { room: "x" } };
  const allInputs = { serviceId: "s", name: "a", note: "n", immutableObject: { room: "x" } };
  /** A type with a required field. */
  const schema = { ...thingSchema, name: updatable(text) };
  const reading = (more: Partial<ResourceDefinition> = {}) =>
    thing({ schema, read: () => Promise.resolve(current), ...more }).lifecycle;

  test.each<[what: string, properties: PropertyMap]>([
    ["only the id is given", {}],
    ["only the id and the service are given", { serviceId: "s" }],
    ["less is given than a program must declare", { serviceId: "s", note: "other" }],
  ])("shows all declarable fields where %s", async (_, properties) => {
    const outputs = { ...allInputs, state: "up", observed: {} };
    expect(await reading().read("1", properties)).toEqual({ inputs: allInputs, outputs });
  });

  test.each<[what: string, properties: PropertyMap, inputs: PropertyMap]>([
    ["that is not in the stack", { serviceId: "s", name: "a" }, { serviceId: "s", name: "a" }],
    ["of the stack", { serviceId: "s", name: "a", observed: {} }, { serviceId: "s", name: "a" }],
    ["of the stack that declares nothing", { observed: current }, { serviceId: "s" }],
  ])("shows only the declared fields of a resource %s", async (_, properties, inputs) => {
    expect((await reading().read("1", properties))?.inputs).toEqual(inputs);
  });

  test.each<[what: string, properties: PropertyMap, inputs: PropertyMap]>([
    ["all fields where only the service is given", { serviceId: "s" }, allInputs],
    ["only a field that is given", { name: "a" }, { serviceId: "s", name: "a" }],
  ])("of a type without required fields shows %s", async (_, properties, inputs) => {
    const read = await reading({ schema: thingSchema }).read("1", properties);
    expect(read?.inputs).toEqual(inputs);
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
    const read = await reading().read("1", { name: "a", observed: current, [PRIVATE_STATE]: privateState });
    expect(read?.outputs[PRIVATE_STATE]).toEqual(kept);
  });

  const declared = { serviceId: "s", name: "a", immutableObject: { room: "x" } };
  const stored = { ...declared, state: "up", observed: { note: "n" }, [PRIVATE_STATE]: { key: "k" } };
  const moved = { immutableObject: { room: "y" } };
  const found = { ...moved, [PRIVATE_STATE]: { key: "k", drifted: ["immutableObject.room"] } };

  test.each<[what: string, answer: PropertyMap, changed: PropertyMap]>([
    ["the state of an unchanged resource as it is", { id: "1", serviceId: "s", ...current }, {}],
    ["an undeclared field in `observed`", { ...current, note: "m" }, { observed: { note: "m" } }],
    ["an immutable field as it is now, which no program has declared", { ...current, ...moved }, found],
  ])("returns %s", async (_, answer, changed) => {
    // As the ids of organization and service are.
    const serviceId = writeOnly(immutable(optional(text)));
    const reader = reading({ schema: { ...schema, serviceId }, read: () => Promise.resolve(answer) });
    expect((await reader.read("1", stored))?.outputs).toEqual({ ...stored, ...changed });
  });
});

describe("after a create", () => {
  async function linesAfter(inputs: PropertyMap, current: PropertyMap): Promise<string[]> {
    const { lifecycle, lines } = thing({ create: () => Promise.resolve({ id: "1", current }) });
    await lifecycle.create(inputs);
    return lines;
  }

  test("a warning names a value that the API returned otherwise", async () => {
    expect(await linesAfter({ name: "a" }, { name: "A" })).toEqual([
      'warning: Thing 1: name was sent as "a", but the API returned "A". The service may have ignored the value.',
    ]);
  });

  test("a warning leaves out a secret in a value", async () => {
    const [sent, returned] = [
      { name: "t", key: "hush" },
      { name: "T", key: "else" },
    ];
    expect(await linesAfter({ tags: [sent] }, { tags: [returned] })).toEqual([
      'warning: Thing 1: tags was sent as [{"name":"t","key":"[secret]"}], but the API returned ' +
        '[{"name":"T","key":"[secret]"}]. The service may have ignored the value.',
    ]);
  });

  test.each<[what: string, inputs: PropertyMap, current: PropertyMap]>([
    ["a secret, which services mask", { key: "hush" }, { key: "else" }],
    ["a field that the API leaves out", { name: "a", note: "n" }, { name: "a" }],
    ["a field of the provider alone", { adopt: "b" }, {}],
    ["a field that the API never returns", { writeOnlyText: "a" }, { writeOnlyText: "b" }],
    ["a field that the program does not declare", { name: "a" }, { name: "a", note: "n" }],
  ])("no warning names %s", async (_, inputs, current) => {
    expect(await linesAfter(inputs, current)).toEqual([]);
  });
});

test("the outputs have no hidden input", async () => {
  const { outputs } = await deployed(named("orders", { name: "a" }));
  expect(outputs).not.toHaveProperty("__key");
});

test("a failure after something exists keeps its cause, also if it is no error", async () => {
  const cause = "away" as unknown as Error;
  const { lifecycle } = thing(failingAfter([{ state: "new" }], cause));
  const failure = await rejection(lifecycle.create({ name: "a" }));
  expect(failure).toBeInstanceOf(WriteFailure);
  const stored = { id: "1", outputs: { name: "a", state: "new" } };
  expect(failure).toMatchObject({ message: "away", cause, stored });
});

test.each<[what: string, newInputs: PropertyMap, logicalName: string | undefined, name: unknown]>([
  ["fills in what the program leaves out", {}, "Orders", "orders"],
  ["fills in what the program gives as null", { name: null }, "orders", "orders"],
  ["gives way to what the program gives", { name: "returns" }, "orders", "returns"],
  ["is none where the adapter knows no logical name", {}, undefined, undefined],
])("a default from the logical name %s", (_, newInputs, logicalName, name) => {
  const { lifecycle } = thing({ defaultsOf: (logical) => ({ name: logical.toLowerCase() }) });
  expect(lifecycle.check(undefined, fromEngine(newInputs), logicalName).inputs["name"]).toBe(name);
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
  const known: PropertyMap[] = [];
  const sendRequest = () => {
    expect(known).toContainEqual(expect.objectContaining({ key: "hush-1" }));
    return Promise.reject(away);
  };
  const operations = { create: sendRequest, read: sendRequest, update: sendRequest, delete: sendRequest };
  const { lifecycle } = thingAlone(
    { ...operations, checkAgainstOthers: sendRequest },
    { trackSecrets: (...properties) => known.push(...properties) },
  );
  const failed = call(lifecycle, { serviceId: "s", name: "a", key: "hush-1", ...DELETE });
  await expect(failed).rejects.toThrow(away.message);
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
