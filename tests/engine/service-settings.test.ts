import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { expectNoChanges } from "./expectations";
import { withPulumi } from "../kit/cli";
import { type Json, type JsonObject, mapValues } from "../kit/json";
import { declaration, outputs, retainMark } from "../kit/program";
import { allServiceSettings, home, https, mysql, office } from "../kit/resources";
import { type Simulator, newSimulator, writes } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

const lab = { source: "198.51.100.0/24", description: "lab" };
const headquarters = { source: "10.0.0.0/8", description: "headquarters" };
const unmanaged = { source: "203.0.113.9", description: "unmanaged" };
const all: JsonObject = allServiceSettings;
const spelled = { ipAccessList: [{ source: "10.0.0.1", description: "office" }] };
const some = { ipAccessList: [office], privateEndpointIds: ["vpce-1"] };
const deletionPolicy = "delete";
const owned = { ...some, deletionPolicy };

const lists = (verb: "add" | "remove", entries: JsonObject[], ids: string[]) => ({
  ipAccessList: { [verb]: entries },
  privateEndpointIds: { [verb]: ids },
});
const addAll = { ...all, ...lists("add", [office, home], ["vpce-1", "vpce-2"]) };
const removeUnmanaged = lists("remove", [unmanaged], ["vpce-unmanaged"]);

/** What the programs declare for each service, one after the other, and the bodies of the PATCHes that each sends. */
const histories: Record<string, [args: JsonObject, ...bodies: Json[]][]> = {
  changed: [
    [all, addAll],
    [
      {
        ...all,
        name: "Shop 2",
        exclusive: false,
        ipAccessList: [lab, { ...home, description: null }, headquarters],
        privateEndpointIds: ["vpce-3", "vpce-2"],
        endpoints: [https, { protocol: "mysql", enabled: false }],
      },
      {
        name: "Shop 2",
        ipAccessList: { add: [lab, headquarters], remove: [office] },
        privateEndpointIds: { add: ["vpce-3"], remove: ["vpce-1"] },
        endpoints: [{ protocol: "mysql", enabled: false }],
      },
    ],
  ],
  reordered: [[all, addAll], [{ ...all, ipAccessList: [home, office], endpoints: [https, mysql] }]],
  undeclared: [
    [all, addAll],
    [{ endpoints: [https] }, lists("remove", [office, home], ["vpce-1", "vpce-2"])],
  ],
  // Another resource declares what the deleted one had: of another name and provider, or its replacement.
  renamed: [
    [{ ...some, ipAccessList: [office, home], deletionPolicy }, lists("add", [office, home], ["vpce-1"])],
    [owned, lists("add", [office], ["vpce-1"]), { ipAccessList: { remove: [home] } }],
  ],
  replaced: [
    [
      { ...owned, name: "First" },
      { name: "First", ...lists("add", [office], ["vpce-1"]) },
    ],
    [
      { ...owned, name: "Second" },
      { name: "Second", ...lists("add", [office], ["vpce-1"]) },
    ],
  ],
  // The service keeps this address as a network, which is the same entry.
  spelled: [
    [{ ...spelled, exclusive: true }, { ipAccessList: { add: spelled.ipAccessList } }],
    [{ ...spelled, exclusive: true, name: "Spelled" }, { name: "Spelled" }],
  ],
  shared: [
    [some, lists("add", [office], ["vpce-1"])],
    [{ ...some, exclusive: true }, removeUnmanaged],
    [
      { ...some, exclusive: true, ipAccessList: [office, lab] },
      { ipAccessList: { add: [lab] } },
      removeUnmanaged,
    ],
    [{ ...some, ipAccessList: [office, lab] }],
  ],
};

const services = Object.keys(histories);
const idOf = (service: string): string => `0a1b2c3d-0000-4000-8000-0000000000d${services.indexOf(service)}`;

/** How the resources of some services are another one after the first step. */
const others: Record<string, [name: string, options: string]> = {
  renamed: ["new name", '{ provider: new datapipes.Provider("second") }'],
  replaced: ["replaced", '{ replaceOnChanges: ["name"] }'],
};

/** The program of a step: a service without one keeps what it has. */
const programOf = (step: number): string =>
  Object.entries(histories)
    .map(([service, steps]) => {
      const [args] = steps[step] ?? steps.at(-1) ?? [{}];
      const [name, options]: [string, string?] = (step > 0 ? others[service] : undefined) ?? [service];
      const values = ["id", "unmanagedIpAccessList", "unmanagedPrivateEndpointIds", "observed"];
      return (
        `const ${service} = ${declaration("ServiceSettings", name, { ...args, serviceId: idOf(service) }, options)};\n` +
        outputs({ [service]: `[${values.map((value) => `${service}.${value}`).join()}]` })
      );
    })
    .join("");

const expectBodies = (simulator: Simulator, bodiesOf: (service: string) => Json[]): void => {
  const sent = mapValues(histories, (_, service) =>
    writes(simulator)
      .filter(({ path }) => path.endsWith(`/${idOf(service)}`))
      .map(({ method, body }) => [method, body]),
  );
  const expected = mapValues(histories, (_, service) => bodiesOf(service).map((body) => ["PATCH", body]));
  expect(sent).toEqual(expected);
  expect(Object.values(sent).flat()).toHaveLength(writes(simulator).length);
  simulator.control.clearRequests();
};

const bodiesIn = (step: number) => (service: string) => histories[service]?.[step]?.slice(1) ?? [];

const serviceOf = (simulator: Simulator, service: string) =>
  simulator.control.state().services.find(({ id }) => id === idOf(service));

function addUnmanaged(simulator: Simulator): void {
  const { ipAccessList = [], privateEndpointIds = [] } = serviceOf(simulator, "shared") ?? {};
  simulator.control.editService(idOf("shared"), {
    ipAccessList: [...ipAccessList, unmanaged],
    privateEndpointIds: [...privateEndpointIds, "vpce-unmanaged"],
  });
}

async function expectFirstStep(simulator: Simulator, stack: TestStack): Promise<void> {
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toContain(`${services.length + 1} to create`);
  expect(simulator.control.requests()).toEqual([]);
  const first = await stack.up();
  expectBodies(simulator, bodiesIn(0));
  expect(first.output).toMatch(
    /also has entries .*ipAccessList "203\.0\.113\.9".*privateEndpointIds "vpce-unmanaged"/,
  );
  const { organizationId: _, releaseChannel: __, ...observed } = serviceOf(simulator, "changed") ?? {};
  const values = await stack.outputs();
  expect(values["changed"]).toEqual([idOf("changed"), [], [], observed]);
  expect(values["shared"]).toMatchObject([idOf("shared"), [unmanaged], ["vpce-unmanaged"], {}]);
  const refreshed = await expectNoChanges(stack);
  expect(refreshed.output).toMatch(
    /read resources of the type ServiceSettings\. The refresh compared nothing/,
  );
}

async function expectSecondStep(simulator: Simulator, stack: TestStack): Promise<void> {
  await stack.write(programOf(1));
  const lost = /no longer declares "mysql" in endpoints.*the API cannot unset a field\./;
  expect((await stack.preview()).output).toMatch(lost);
  expect(simulator.control.requests()).toEqual([]);
  const { output } = await stack.up();
  expectBodies(simulator, bodiesIn(1));
  for (const field of ["name", "releaseChannel", "endpoints", "transparentDataEncryptionKeyId"])
    expect(output).toMatch(new RegExp(`\\b${field}\\b.*cannot unset`));
  expect(output).not.toMatch(/no longer declares [^.]*\b(ipAccessList|privateEndpointIds)\b/);
  const left = { name: "Shop service", releaseChannel: "fast", ipAccessList: [] };
  expect(serviceOf(simulator, "undeclared")).toMatchObject(left);
  expect(await stack.outputs()).toMatchObject({ shared: [idOf("shared"), [], [], {}] });
}

test("sends the smallest PATCH of each change, and keeps entries of others unless exclusive", async () => {
  const serviceIds = services.map(idOf);
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
  addUnmanaged(simulator);
  simulator.control.setBehaviour({ profiles: ["cidr"] }, idOf("spelled"));
  // The provider asks the CLI for the state.
  const { PATH = "" } = await withPulumi(process.env);
  const stack = await newStack({ simulator, program: programOf(0), env: { PATH } });
  await expectFirstStep(simulator, stack);
  await expectSecondStep(simulator, stack);

  addUnmanaged(simulator);
  for (const step of [2, 3]) {
    await stack.write(programOf(step));
    expect((await stack.up()).output).not.toContain("cannot unset");
    expectBodies(simulator, bodiesIn(step));
    expect(serviceOf(simulator, "shared")).toMatchObject({ ...some, ipAccessList: [office, lab] });
  }
  await expectNoChanges(stack);
  expect(serviceOf(simulator, "spelled")?.ipAccessList).toMatchObject([{ source: "10.0.0.1/32" }]);
  const destroyed = await stack.destroy();
  expect(destroyed.output).toMatch(new RegExp(`ServiceSettings changed deleted \\(.*\\)${retainMark}`));
  expectBodies(simulator, (service) => (service in others ? [lists("remove", [office], ["vpce-1"])] : []));
});

test("refuses two settings of one service in one program", async () => {
  const simulator = await newSimulator();
  const capitals = (simulator.account.serviceIds[0] ?? "").toUpperCase();
  const program =
    `${declaration("ServiceSettings", "one", {})};\n` +
    declaration("ServiceSettings", "two", { serviceId: capitals });
  const stack = await newStack({ simulator, program });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toMatch(/"(one|two)" and "(one|two)" are both for service .* merge the two into one/);
  expect(simulator.control.requests()).toEqual([]);
});
