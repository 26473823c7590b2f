import type { RunContext } from "../../../provider/src/resources/context";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/account";
import type { Json, JsonObject } from "../../kit/json";
import { exportedResource, exportOf } from "../../kit/deployment";
import { stackWithState } from "../../kit/lifecycle";
import { deployResource, up } from "../../kit/run";
import { takeBodies } from "../../kit/simulator";

const serviceIds = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"];
const [first = ""] = serviceIds;
const CAPITALS = first.toUpperCase();
const desk = { source: "10.0.0.1", description: "office" };
const lab = { source: "10.0.0.2" };
const lists = { ipAccessList: [desk, lab], privateEndpointIds: ["vpce-1", "vpce-2"] };
const KEY = "ServiceSettings::old";
const old = { ...lists, deletionPolicy: "delete", __key: KEY };

/** Settings in the stack. `nextRun` goes on in another process, to which the engine has given the resources of this state. */
async function deployed(...resources: ReturnType<typeof exportedResource>[]) {
  const read = () => Promise.resolve(exportOf(resources));
  const define = (context: RunContext) =>
    serviceSettingsDefinition({ ...context, stack: stackWithState(read) });
  const { run, before } = await deployResource(define, old, {
    accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }],
  });
  run.nextRun();
  return { run, before };
}

const written = [{ source: "10.0.0.1/32", description: "office " }];
const some = { serviceId: CAPITALS, ipAccessList: written, privateEndpointIds: ["vpce-2"] };
const rest = { ipAccessList: { remove: [lab] }, privateEndpointIds: { remove: ["vpce-1"] } };
const both = { ipAccessList: { remove: [desk, lab] }, privateEndpointIds: { remove: ["vpce-1", "vpce-2"] } };
const elsewhere = { ...old, serviceId: serviceIds[1] ?? "" };

type Inputs = JsonObject & { readonly serviceId?: string };

const retained = { ...old, deletionPolicy: "retain" };

/** What the other resource declares, and the PATCHes of the deletion. */
const SHARED: { readonly claim: string; readonly other: Inputs; readonly patches: Json[] }[] = [
  { claim: "keep all entries", other: old, patches: [] },
  { claim: "keep all entries when that one has the policy to retain", other: retained, patches: [] },
  { claim: "keep entries that it spells in another way, and lose the rest", other: some, patches: [rest] },
  { claim: "lose all entries when that one is for another service", other: elsewhere, patches: [both] },
];

/** A resource of the stack in its exported state. */
const stored = (name: string, inputs: Inputs, more: { readonly delete?: boolean } = {}) =>
  exportedResource(name, inputs.serviceId ?? first, { type: "ServiceSettings", inputs, ...more });

describe("settings that another resource of the process declares, too", () => {
  test.each(SHARED)("$claim", async ({ other, patches }) => {
    const { run, before } = await deployed(stored("old", old));
    const { outputs } = await up(run, { ...other, __key: "component/new" });
    expect(outputs).not.toHaveProperty("__key");
    takeBodies(run.simulator);
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual(patches);
  });
});

describe("settings that a resource of another process declares, too", () => {
  test.each(SHARED)("$claim", async ({ other, patches }) => {
    const { run, before } = await deployed(stored("old", old), stored("new", other));
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual(patches);
  });

  test("lose all entries when that one is replaced already", async () => {
    const { run, before } = await deployed(stored("old", old), stored("new", old, { delete: true }));
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual([both]);
  });
});
