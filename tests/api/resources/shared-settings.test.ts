import type { RunContext } from "../../../provider/src/resources/context";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/account";
import type { Json, JsonObject } from "../../kit/json";
import { stackWithState } from "../../kit/lifecycle";
import { home } from "../../kit/resources";
import { deployResource, newRun, up } from "../../kit/run";
import { takeBodies } from "../../kit/simulator";

const serviceIds = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"];
const [first = ""] = serviceIds;
const CAPITALS = first.toUpperCase();
const desk = { source: "10.0.0.1", description: "office" };
const lab = { source: "10.0.0.2" };
const lists = { ipAccessList: [desk, lab], privateEndpointIds: ["vpce-1", "vpce-2"] };
const old = { ...lists, deletionPolicy: "delete", __key: "old" };

/** Settings in the stack. `nextRun` goes on in another process, to which the engine has given the resources of this state. */
async function deployed(...stored: JsonObject[]) {
  const state = JSON.stringify({ deployment: { resources: stored } });
  const define = (context: RunContext) =>
    serviceSettingsDefinition({ ...context, stack: stackWithState(() => Promise.resolve(state)) });
  const { run, before } = await deployResource(define, old, {
    accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }],
  });
  run.nextRun();
  return { run, before };
}

const spelled = [{ source: "10.0.0.1/32", description: "office " }];
const some = { serviceId: CAPITALS, ipAccessList: spelled, privateEndpointIds: ["vpce-2"] };
const rest = { ipAccessList: { remove: [lab] }, privateEndpointIds: { remove: ["vpce-1"] } };
const both = { ipAccessList: { remove: [desk, lab] }, privateEndpointIds: { remove: ["vpce-1", "vpce-2"] } };
const elsewhere = { ...old, serviceId: serviceIds[1] ?? "" };

type Beside = [what: string, inputs: JsonObject, ...bodies: Json[]];
const rows: Beside[] = [
  ["keep all entries", old],
  ["keep all entries when that one has the policy to retain", { ...old, deletionPolicy: "retain" }],
  ["keep entries under other spellings of the id and of the entry, and lose the rest", some, rest],
  ["lose all entries when that one is for another service", elsewhere, both],
];

describe("settings that another resource of the process declares, too", () => {
  test.each<Beside>(rows)("%s", async (_, inputs, ...bodies) => {
    const { run, before } = await deployed();
    const { outputs } = await up(run, { ...inputs, __key: "component/new" });
    expect(outputs).not.toHaveProperty("__key");
    takeBodies(run.simulator);
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual(bodies);
  });
});

/** A resource of the stack in its exported state. */
const stored = (name: string, inputs: JsonObject, more: JsonObject = {}): JsonObject => ({
  urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/datapipes:ServiceSettings::${name}`,
  type: "pulumi-nodejs:dynamic/datapipes:ServiceSettings",
  id: inputs["serviceId"] ?? first,
  inputs,
  ...more,
});

describe("settings that a resource of another process declares, too", () => {
  test.each<Beside>([...rows, ["lose all entries when that one is replaced already", old, both]])(
    "%s",
    async (what, inputs, ...bodies) => {
      const isReplaced = what.includes("replaced");
      const { run, before } = await deployed(stored("new", inputs, { delete: isReplaced }));
      await run.lifecycle.delete(before.id, before.outputs);
      expect(takeBodies(run.simulator)).toEqual(bodies);
    },
  );
});

const oldKey = "ServiceSettings::old";

test.each<[what: string, states: JsonObject[], ...bodies: Json[]]>([
  ["lose their entries with their resource", [stored("old", old)], both],
  [
    "keep those of the resource that has replaced theirs",
    [stored("old", old, { delete: true }), stored("old", some)],
    rest,
  ],
])("settings of another provider instance %s", async (_, states, ...bodies) => {
  const { run, before } = await deployed(...states);
  await run.lifecycle.delete(before.id, before.outputs, oldKey);
  expect(takeBodies(run.simulator)).toEqual(bodies);
});

test("settings that the engine replaces keep their entries", async () => {
  const { run, before } = await deployed();
  // As the engine does for `--replace`: the check of the change, the check of the new one, create, delete.
  run.lifecycle.check(before.outputs, before.outputs);
  await up(run, old);
  await run.lifecycle.delete(before.id, before.outputs);
  expect(run.control.state().services[0]).toMatchObject(lists);
});

test("settings stay where the state of the stack cannot be read", async () => {
  const stack = stackWithState(() => Promise.reject(new Error("no pulumi")));
  const define = (context: RunContext) => serviceSettingsDefinition({ ...context, stack });
  const { run, before } = await deployResource(define, old);
  run.nextRun();
  // Another resource may declare their entries.
  await expect(run.lifecycle.delete(before.id, before.outputs)).rejects.toThrow(
    /Nothing was deleted: .*no pulumi/,
  );
  expect(takeBodies(run.simulator)).toEqual([]);
});

test("two stacks on one service change and remove their own entries only", async () => {
  const run = await newRun(serviceSettingsDefinition);
  const entries = () => run.control.state().services[0]?.ipAccessList;
  const mine = await up(run, { ipAccessList: [desk], deletionPolicy: "delete" });
  const others = await up(run, { ipAccessList: [home], deletionPolicy: "delete" });
  expect(mine.outputs["unmanagedIpAccessList"]).toEqual([]);
  expect(others.outputs["unmanagedIpAccessList"]).toEqual([desk]);
  const { outputs } = await up(run, { ipAccessList: [lab], deletionPolicy: "delete" }, mine);
  expect(entries()).toEqual([home, lab]);
  expect(outputs["unmanagedIpAccessList"]).toEqual([home]);
  await run.lifecycle.delete(others.id, others.outputs);
  expect(entries()).toEqual([lab]);
});
