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

function expectWarnings(output: string): void {
  expect(output).toContain('no longer declares "mysql" in endpoints. The service keeps');
  expect(output).toContain(
    "no longer declares name, releaseChannel, transparentDataEncryptionKeyId. The service keeps",
  );
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
  });

  test("has the settings of the service in its outputs, and no entries of others", async () => {
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
    await stack.write(programOf(changed));
    await stack.up();
    expect(takeBodies(simulator)).toEqual([
      {
        name: "Shop 2",
        ipAccessList: { add: [lab, headquarters], remove: [office] },
        privateEndpointIds: { add: ["vpce-3"], remove: ["vpce-1"] },
        endpoints: [{ protocol: "mysql", enabled: false }],
      },
    ]);
  });

  test("is previewed with a warning for undeclared settings, which the API cannot unset", async () => {
    await stack.write(programOf({ endpoints: [https] }));
    expectWarnings((await stack.preview()).output);
  });

  test("keeps undeclared settings with the same warning, and removes undeclared entries", async () => {
    expectWarnings((await stack.up()).output);
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

test("entries of others stay, and a warning and the outputs name them", async () => {
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

test('with deletionPolicy "delete", `pulumi destroy` removes the declared entries', async () => {
  await prepare({ ...some, deletionPolicy: "delete" });
  await stack.up();
  takeBodies(simulator);
  await stack.destroy();
  expect(takeBodies(simulator)).toEqual([lists("remove", [office], ["vpce-1"])]);
});
