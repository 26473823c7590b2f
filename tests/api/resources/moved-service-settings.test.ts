import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { JsonObject } from "../../../testkit/pipes";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/account";
import { takeWrites } from "../../../testkit/simulator";
import { online, up, type Online } from "./online";

const office = { source: "10.0.0.1", description: "office" };
const lab = { source: "10.0.0.2" };
const old: JsonObject = {
  ipAccessList: [office, lab],
  privateEndpointIds: ["vpce-1", "vpce-2"],
  deletionPolicy: "delete",
};

/** A run that creates another resource of the service, and then deletes the one of before. */
async function moved(run: Online, news: JsonObject) {
  const before = await up(run, { ...old, __key: "old" });
  takeWrites(run.simulator);
  run.lines.length = 0;
  run.nextRun();
  const after = await up(run, { ...news, __key: "component/new" });
  takeWrites(run.simulator);
  await run.lifecycle.delete(before.id, before.outputs);
  return after;
}

const listsOf = ({ simulator }: Online) => {
  const [service] = simulator.control.state().services;
  return { ipAccessList: service?.ipAccessList, privateEndpointIds: service?.privateEndpointIds };
};

describe("settings that another resource replaces in the same run", () => {
  test.each(["delete", "retain"])("keep all entries that it declares, with its policy %p", async (policy) => {
    const run = await online(serviceSettingsDefinition);
    const { outputs } = await moved(run, { ...old, deletionPolicy: policy });
    expect(takeWrites(run.simulator)).toEqual([]);
    expect(listsOf(run)).toEqual({ ipAccessList: [office, lab], privateEndpointIds: ["vpce-1", "vpce-2"] });
    expect(outputs).not.toHaveProperty("__key");
  });

  test("keep entries under another spelling of the service's id and of the entry, and lose the rest", async () => {
    const run = await online(serviceSettingsDefinition);
    await moved(run, {
      serviceId: run.simulator.account.serviceIds[0]?.toUpperCase() ?? "",
      ipAccessList: [{ source: "10.0.0.1/32", description: "office " }],
      privateEndpointIds: ["vpce-2"],
    });
    expect(takeWrites(run.simulator).map(({ body }) => body)).toEqual([
      { ipAccessList: { remove: [lab] }, privateEndpointIds: { remove: ["vpce-1"] } },
    ]);
  });

  test("lose all entries when the other resource is for another service", async () => {
    const serviceIds = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"];
    const run = await online(serviceSettingsDefinition, { accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
    await moved(run, { ...old, serviceId: serviceIds[1] ?? "" });
    expect(listsOf(run)).toEqual({ ipAccessList: [], privateEndpointIds: [] });
  });
});

test("settings that the engine replaces keep their entries", async () => {
  const run = await online(serviceSettingsDefinition);
  const before = await up(run, { ...old, __key: "settings" });
  run.nextRun();
  // As the engine does for `--replace`: the check of the change, the check of the new one, create, delete.
  run.lifecycle.check(before.outputs, before.outputs);
  await up(run, { ...old, __key: "settings" });
  await run.lifecycle.delete(before.id, before.outputs);
  expect(listsOf(run)).toEqual({ ipAccessList: [office, lab], privateEndpointIds: ["vpce-1", "vpce-2"] });
});
