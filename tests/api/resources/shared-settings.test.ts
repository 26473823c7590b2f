import type { RunContext } from "../../../provider/src/resources/context";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/account";
import type { Json, JsonObject } from "../../kit/json";
import { exportedResource, exportOf } from "../../kit/deployment";
import { stackWithState } from "../../kit/lifecycle";
import { deployResource, up } from "../../kit/run";
import { takeBodies } from "../../kit/simulator";

type Inputs = JsonObject & { readonly serviceId: string };

const SERVICE = "0a1b2c3d-0000-4000-8000-0000000000a1";
const OTHER_SERVICE = "0a1b2c3d-0000-4000-8000-0000000000a2";
const desk = { source: "10.0.0.1", description: "office" };
const lab = { source: "10.0.0.2" };
const entries = { ipAccessList: [desk, lab], privateEndpointIds: ["vpce-1", "vpce-2"] };
/** The settings that are deleted. */
const old = { ...entries, serviceId: SERVICE, deletionPolicy: "delete", __key: "ServiceSettings::old" };

/** One entry of each list, in other formats. */
const someEntries = {
  serviceId: SERVICE.toUpperCase(),
  ipAccessList: [{ source: "10.0.0.1/32", description: "office " }],
  privateEndpointIds: ["vpce-2"],
};
const removalOfOthers = { ipAccessList: { remove: [lab] }, privateEndpointIds: { remove: ["vpce-1"] } };
const removalOfAll = {
  ipAccessList: { remove: [desk, lab] },
  privateEndpointIds: { remove: ["vpce-1", "vpce-2"] },
};

/** Settings in a service. The next run has another process, whose stack has these resources in its state. */
async function deployed(...resources: ReturnType<typeof exportedResource>[]) {
  const read = () => Promise.resolve(exportOf(resources));
  const define = (context: RunContext) =>
    serviceSettingsDefinition({ ...context, stack: stackWithState(read) });
  const accounts = [{ ...DEFAULT_ACCOUNT, serviceIds: [SERVICE, OTHER_SERVICE] }];
  const { run, before } = await deployResource(define, old, { accounts });
  run.nextRun();
  return { run, before };
}

/** Settings in the exported state; their ID is that of their service. */
const stored = (name: string, inputs: Inputs, more: { readonly delete?: boolean } = {}) =>
  exportedResource(name, inputs.serviceId, { type: "ServiceSettings", inputs, ...more });

/** What other settings declare, and the PATCHes of the deletion. */
const CASES: [removed: string, declared: string, other: Inputs, patches: Json[]][] = [
  ["nothing", "the same entries", old, []],
  ["nothing", "the same entries, and the policy to retain", { ...old, deletionPolicy: "retain" }, []],
  ["the rest", "some entries, in other formats", someEntries, [removalOfOthers]],
  ["all entries", "those of another service", { ...old, serviceId: OTHER_SERVICE }, [removalOfAll]],
];

test.each(CASES)("a deletion removes %s if the process deployed %s", async (_, _declared, other, patches) => {
  const { run, before } = await deployed(stored("old", old));
  await up(run, { ...other, __key: "component/new" });
  takeBodies(run.simulator);
  await run.lifecycle.delete(before.id, before.outputs);
  expect(takeBodies(run.simulator)).toEqual(patches);
});

test.each(CASES)("a deletion removes %s if the state has %s", async (_, _declared, other, patches) => {
  const { run, before } = await deployed(stored("old", old), stored("new", other));
  await run.lifecycle.delete(before.id, before.outputs);
  expect(takeBodies(run.simulator)).toEqual(patches);
});

test("a deletion removes all entries if the state has them in settings that are replaced", async () => {
  const { run, before } = await deployed(stored("old", old), stored("new", old, { delete: true }));
  await run.lifecycle.delete(before.id, before.outputs);
  expect(takeBodies(run.simulator)).toEqual([removalOfAll]);
});
