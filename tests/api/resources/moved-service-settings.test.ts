import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/account";
import type { Json, JsonObject } from "../../../testkit/pipes";
import { takeWrites } from "../../../testkit/simulator";
import { online, up } from "./online";

const serviceIds = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"];
const office = { source: "10.0.0.1", description: "office" };
const lab = { source: "10.0.0.2" };
const lists = { ipAccessList: [office, lab], privateEndpointIds: ["vpce-1", "vpce-2"] };
const old: JsonObject = { ...lists, deletionPolicy: "delete", __key: "old" };

/** Settings in the stack, and the flags that plugin processes set for each other. */
async function deployed() {
  const kept = new Set<string>();
  const runFlags = {
    set: (flag: string) => kept.add(flag),
    clear: (flag: string) => kept.delete(flag),
    has: (flag: string) => kept.has(flag),
    claim: () => true,
    keep: () => undefined,
    isKeptElsewhere: () => false,
  };
  const account = { accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] };
  const run = await online((context) => serviceSettingsDefinition({ ...context, runFlags }), account);
  const before = await up(run, old);
  kept.clear();
  takeWrites(run.simulator);
  run.nextRun();
  return { run, before, bodies: () => takeWrites(run.simulator).map(({ body }) => body), notes: kept };
}

describe.each(["the same", "another"])(
  "settings that a resource of %s plugin process declares, too",
  (process) => {
    test.each<[what: string, news: JsonObject, bodies: Json[]]>([
      ["keep all entries", old, []],
      ["keep all entries when that one has the policy to retain", { ...old, deletionPolicy: "retain" }, []],
      [
        "keep entries under other spellings of the id and of the entry, and lose the rest",
        {
          serviceId: serviceIds[0]?.toUpperCase() ?? "",
          ipAccessList: [{ source: "10.0.0.1/32", description: "office " }],
          privateEndpointIds: ["vpce-2"],
        },
        [{ ipAccessList: { remove: [lab] }, privateEndpointIds: { remove: ["vpce-1"] } }],
      ],
      [
        "lose all entries when that one is for another service",
        { ...old, serviceId: serviceIds[1] ?? "" },
        [{ ipAccessList: { remove: [office, lab] }, privateEndpointIds: { remove: ["vpce-1", "vpce-2"] } }],
      ],
    ])("%s", async (_, news, bodies) => {
      const { run, before, notes, ...test } = await deployed();
      const { outputs } = await up(run, { ...news, __key: "component/new" });
      expect(outputs).not.toHaveProperty("__key");
      test.bodies();
      if (process === "another") run.nextRun();
      else notes.clear();
      await run.lifecycle.delete(before.id, before.outputs);
      expect(test.bodies()).toEqual(bodies);
    });
  },
);

test("settings that the engine replaces keep their entries", async () => {
  const { run, before } = await deployed();
  // As the engine does for `--replace`: the check of the change, the check of the new one, create, delete.
  run.lifecycle.check(before.outputs, before.outputs);
  await up(run, old);
  await run.lifecycle.delete(before.id, before.outputs);
  expect(run.simulator.control.state().services[0]).toMatchObject(lists);
});
