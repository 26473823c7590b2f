import { expectNoChanges } from "./expectations";
import type { JsonObject } from "../kit/json";
import { declaration, retainMark } from "../kit/program";
import { allServiceSettings, home, https, mysql, office } from "../kit/resources";
import { type Simulator, newSimulator, takeBodies } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

const lab = { source: "198.51.100.0/24", description: "lab" };
const headquarters = { source: "10.0.0.0/8", description: "headquarters" };
const unmanaged = { source: "203.0.113.9", description: "unmanaged" };
const some = { ipAccessList: [office], privateEndpointIds: ["vpce-1"] };

const lists = (verb: "add" | "remove", entries: JsonObject[], ids: string[]) => ({
  ipAccessList: { [verb]: entries },
  privateEndpointIds: { [verb]: ids },
});

const programOf = (args: JsonObject): string =>
  `exports.settings = ${declaration("ServiceSettings", "settings", args)};`;

let simulator: Simulator;
let stack: TestStack;

async function prepare(args: JsonObject): Promise<void> {
  simulator = await newSimulator();
  stack = await newStack({ simulator, program: programOf(args) });
}

const service = () => {
  const [id] = simulator.account.serviceIds;
  return simulator.control.state().services.find((one) => one.id === id);
};

/** Goes up with other settings. */
async function changeTo(args: JsonObject) {
  await stack.write(programOf(args));
  return stack.up();
}

describe("a resource of all settings", () => {
  const all: JsonObject = allServiceSettings;
  const changed = {
    ...all,
    name: "Shop 2",
    exclusive: false,
    ipAccessList: [lab, { ...home, description: null }, headquarters],
    privateEndpointIds: ["vpce-3", "vpce-2"],
    endpoints: [https, { protocol: "mysql", enabled: false }],
  };

  beforeAll(() => prepare(all));

  test("is previewed without a request", async () => {
    expect((await stack.preview({ diff: true })).output).toContain("2 to create");
    expect(simulator.control.requests()).toEqual([]);
  });

  test("is created by one PATCH, which adds the entries", async () => {
    await stack.up();
    const added = lists("add", [office, home], ["vpce-1", "vpce-2"]);
    expect(takeBodies(simulator)).toEqual([{ ...all, ...added }]);
    const { organizationId: _, releaseChannel: __, ...observed } = service() ?? {};
    const unmanagedLists = { unmanagedIpAccessList: [], unmanagedPrivateEndpointIds: [] };
    expect((await stack.outputs())["settings"]).toMatchObject({ ...unmanagedLists, observed });
  });

  test("is not compared by a refresh, which says so", async () => {
    const { output } = await expectNoChanges(stack);
    expect(output).toMatch(/read resources of the type ServiceSettings\. The refresh compared nothing/);
  });

  test("does not change if only the order of entries changes", async () => {
    await stack.write(programOf({ ...all, ipAccessList: [home, office], endpoints: [https, mysql] }));
    await stack.preview({ expectNoChanges: true });
  });

  test("is updated by a PATCH of what changed", async () => {
    await changeTo(changed);
    expect(takeBodies(simulator)).toEqual([
      {
        name: "Shop 2",
        ipAccessList: { add: [lab, headquarters], remove: [office] },
        privateEndpointIds: { add: ["vpce-3"], remove: ["vpce-1"] },
        endpoints: [{ protocol: "mysql", enabled: false }],
      },
    ]);
  });

  test("keeps undeclared settings that the API cannot unset, and warns", async () => {
    await stack.write(programOf({ endpoints: [https] }));
    for (const { output } of [await stack.preview(), await stack.up()]) {
      expect(output).toMatch(/no longer declares "mysql" in endpoints.*the API cannot unset a field\./);
      for (const field of ["name", "releaseChannel", "transparentDataEncryptionKeyId"])
        expect(output).toMatch(new RegExp(`\\b${field}\\b.*cannot unset`));
      expect(output).not.toMatch(/no longer declares [^.]*\b(ipAccessList|privateEndpointIds)\b/);
    }
    const removed = [home, lab, headquarters];
    expect(takeBodies(simulator)).toEqual([lists("remove", removed, ["vpce-2", "vpce-3"])]);
    expect(service()).toMatchObject({ name: "Shop 2", releaseChannel: "fast", ipAccessList: [] });
  });

  test("is kept by `pulumi destroy`", async () => {
    const { output } = await stack.destroy();
    expect(output).toMatch(new RegExp(`ServiceSettings settings deleted \\(.*\\)${retainMark}`));
    expect(takeBodies(simulator)).toEqual([]);
  });
});

describe("entries of others", () => {
  test("stay, and a warning and the outputs name them", async () => {
    await prepare(some);
    simulator.control.editService(service()?.id ?? "", {
      ipAccessList: [unmanaged],
      privateEndpointIds: ["vpce-unmanaged"],
    });
    const { output } = await stack.up();
    expect(takeBodies(simulator)).toEqual([lists("add", [office], ["vpce-1"])]);
    expect(output).toMatch(/also has entries .*ipAccessList "203\.0\.113\.9".*Ids "vpce-unmanaged"/);
    expect((await stack.outputs())["settings"]).toMatchObject({
      unmanagedIpAccessList: [unmanaged],
      unmanagedPrivateEndpointIds: ["vpce-unmanaged"],
    });
  });
});

test('with deletionPolicy "delete", `pulumi destroy` removes the declared entries', async () => {
  await prepare({ ...some, deletionPolicy: "delete" });
  await stack.up();
  takeBodies(simulator);
  await stack.destroy();
  expect(takeBodies(simulator)).toEqual([lists("remove", [office], ["vpce-1"])]);
});
