import { isNative, retainMark } from "../../testkit/adapter";
import type { Json, JsonObject } from "../../testkit/pipes";
import { declaration, outputs } from "../../testkit/program";
import { newSimulator, takeWrites, type Simulator } from "../../testkit/simulator";
import { deployed, newStack, type TestStack } from "../../testkit/stack";

const program = (args: JsonObject): string =>
  `const settings = ${declaration("ServiceSettings", "settings", args)};\n` +
  outputs({
    id: "settings.id",
    unmanagedIps: "settings.unmanagedIpAccessList",
    unmanagedEndpoints: "settings.unmanagedPrivateEndpointIds",
    observed: "settings.observed",
  });

/** The bodies that go out when the program becomes this one. */
async function sentFor(stack: TestStack, simulator: Simulator, args: JsonObject): Promise<Json[]> {
  await stack.write(program(args));
  await stack.up();
  const calls = takeWrites(simulator);
  expect(calls.map(({ method, path }) => [method, path])).toEqual(calls.map(() => ["PATCH", ""]));
  return calls.map(({ body }) => body);
}

const entry = (source: string, description?: string): JsonObject =>
  description === undefined ? { source } : { source, description };
const [office, home, lab] = [
  entry("10.0.0.0/8", "office"),
  entry("192.0.2.7"),
  entry("198.51.100.0/24", "lab"),
];

const all: JsonObject = {
  name: "Shop service",
  ipAccessList: [office, home],
  privateEndpointIds: ["vpce-1", "vpce-2"],
  releaseChannel: "fast",
  endpoints: [
    { protocol: "mysql", enabled: true },
    { protocol: "https", enabled: true },
  ],
  transparentDataEncryptionKeyId: "key-1",
};

test("every change of a service is the smallest PATCH, and an unchanged program sends nothing", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: program(all) });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toContain("2 to create");
  expect(simulator.control.requests()).toEqual([]);
  expect(await sentFor(stack, simulator, all)).toEqual([
    { ...all, ipAccessList: { add: [office, home] }, privateEndpointIds: { add: ["vpce-1", "vpce-2"] } },
  ]);
  const { unmanagedIps, unmanagedEndpoints, ...shown } = await stack.outputs();
  expect([unmanagedIps, unmanagedEndpoints]).toEqual([[], []]);
  const { organizationId: _, releaseChannel: __, ...service } = simulator.control.state().services[0] ?? {};
  expect(shown).toEqual({ id: simulator.account.serviceIds[0], observed: service });

  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  const reordered = {
    ...all,
    ipAccessList: [{ ...home, description: null }, office],
    privateEndpointIds: ["vpce-2", "vpce-1"],
    endpoints: [
      { protocol: "https", enabled: true },
      { protocol: "mysql", enabled: true },
    ],
  };
  await stack.write(program(reordered));
  await stack.preview({ expectNoChanges: true });
  expect(simulator.control.requests()).toEqual([]);

  const changed = {
    ...all,
    name: "Shop 2",
    ipAccessList: [lab, home, entry("10.0.0.0/8", "headquarters")],
    privateEndpointIds: ["vpce-2", "vpce-3"],
    endpoints: [
      { protocol: "mysql", enabled: false },
      { protocol: "https", enabled: true },
    ],
    exclusive: false,
  };
  expect(await sentFor(stack, simulator, changed)).toEqual([
    {
      name: "Shop 2",
      ipAccessList: { add: [lab, entry("10.0.0.0/8", "headquarters")], remove: [office] },
      privateEndpointIds: { add: ["vpce-3"], remove: ["vpce-1"] },
      endpoints: [{ protocol: "mysql", enabled: false }],
    },
  ]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

const many = Array.from({ length: 100 }, (_, index) => entry(`10.0.${index}.0/24`, `net ${index}`));
const ids = Array.from({ length: 100 }, (_, index) => `vpce-${index}`);

test("removes undeclared entries from the lists, and keeps other undeclared fields with one warning", async () => {
  const { simulator, stack } = await deployed(program(all));
  takeWrites(simulator);
  const { ipAccessList: _, privateEndpointIds: __, ...scalars } = all;

  await stack.write(program({ endpoints: [{ protocol: "https", enabled: true }] }));
  const preview = await stack.preview();
  expect(preview.output).toMatch(
    /no longer declares "mysql" in endpoints.*no way to unset it\. The provider sends nothing/,
  );
  const { output } = await stack.up();
  expect(takeWrites(simulator).map(({ body }) => body)).toEqual([
    { ipAccessList: { remove: [office, home] }, privateEndpointIds: { remove: ["vpce-1", "vpce-2"] } },
  ]);
  for (const field of Object.keys(scalars)) expect(output).toMatch(new RegExp(`\\b${field}\\b.*no way to`));
  for (const list of ["ipAccessList", "privateEndpointIds"])
    expect(output).not.toMatch(new RegExp(`no longer declares [^,]*\\b${list}\\b.*no way to`));
  const [service] = simulator.control.state().services;
  expect(service).toMatchObject({ name: "Shop service", releaseChannel: "fast", ipAccessList: [] });

  const again = await stack.up();
  expect(again.output).not.toContain("no way to");
  expect(simulator.control.requests()).toEqual([]);
  expect(
    await sentFor(stack, simulator, {
      ipAccessList: many,
      privateEndpointIds: ids,
      deletionPolicy: "delete",
    }),
  ).toHaveLength(1);
  const more = {
    ipAccessList: [lab, ...many.toReversed()],
    privateEndpointIds: [...ids.toReversed(), "vpce-x"],
    deletionPolicy: "delete",
  };
  expect(await sentFor(stack, simulator, more)).toEqual([
    { ipAccessList: { add: [lab] }, privateEndpointIds: { add: ["vpce-x"] } },
  ]);

  await stack.destroy();
  const { ipAccessList, privateEndpointIds } = more;
  expect(takeWrites(simulator).map(({ body }) => body)).toEqual([
    { ipAccessList: { remove: ipAccessList }, privateEndpointIds: { remove: privateEndpointIds } },
  ]);
});

/** Adds entries as another client. */
function addUnmanagedEntries(simulator: Simulator): void {
  const [service] = simulator.control.state().services;
  const edited = {
    ipAccessList: [...(service?.ipAccessList ?? []), entry("203.0.113.9", "unmanaged")],
    privateEndpointIds: [...(service?.privateEndpointIds ?? []), "vpce-unmanaged"],
  };
  simulator.control.editService(service?.id ?? "", edited);
}

const removeUnmanaged: JsonObject = {
  ipAccessList: { remove: [entry("203.0.113.9", "unmanaged")] },
  privateEndpointIds: { remove: ["vpce-unmanaged"] },
};
const declared: JsonObject = { ipAccessList: [office], privateEndpointIds: ["vpce-1"] };

test("names unmanaged entries and keeps them, until exclusive removes them", async () => {
  const simulator = await newSimulator();
  addUnmanagedEntries(simulator);
  const stack = await newStack({ simulator, program: program(declared) });
  const first = await stack.up();
  expect(first.output).toMatch(/ipAccessList also has entries.*203\.0\.113\.9/);
  expect(first.output).toMatch(/privateEndpointIds also has entries.*vpce-unmanaged/);
  expect(takeWrites(simulator).map(({ body }) => body)).toEqual([
    { ipAccessList: { add: [office] }, privateEndpointIds: { add: ["vpce-1"] } },
  ]);
  expect(await stack.outputs()).toMatchObject({
    unmanagedIps: [entry("203.0.113.9", "unmanaged")],
    unmanagedEndpoints: ["vpce-unmanaged"],
  });
  const refreshed = await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(refreshed.output).toMatch(
    /no operation that reads the settings of a service\. The refresh compared nothing/,
  );

  const exclusive = { ...declared, exclusive: true };
  expect(await sentFor(stack, simulator, exclusive)).toEqual([removeUnmanaged]);
  expect(await stack.outputs()).toMatchObject({ unmanagedIps: [], unmanagedEndpoints: [] });

  addUnmanagedEntries(simulator);
  const two = { ...exclusive, ipAccessList: [office, lab] };
  expect(await sentFor(stack, simulator, two)).toEqual([{ ipAccessList: { add: [lab] } }, removeUnmanaged]);
  expect(simulator.control.state().services[0]).toMatchObject({
    ipAccessList: [office, lab],
    privateEndpointIds: ["vpce-1"],
  });
  expect(await sentFor(stack, simulator, { ...two, exclusive: false })).toEqual([]);
  const retained = await stack.destroy();
  expect(retained.output).toMatch(new RegExp(`ServiceSettings \\S+ deleted \\(.*\\)${retainMark}`));
  expect(takeWrites(simulator)).toEqual([]);
});

test("settles the entries of an update without an answer, also when the program goes back after a refresh", async () => {
  const { simulator, stack } = await deployed(program({ ipAccessList: [office, home] }));
  const failUp = async (...ipAccessList: JsonObject[]): Promise<void> => {
    simulator.control.fault({ operationId: "updateService", kind: "reset-after", times: 20 });
    await stack.write(program({ ipAccessList }));
    await stack.up({ expectFailure: true });
    simulator.control.clearFaults();
    takeWrites(simulator);
  };
  await failUp(office);
  expect(await sentFor(stack, simulator, { ipAccessList: [office, home] })).toEqual([
    {},
    { ipAccessList: { add: [home] } },
  ]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });

  await failUp(office, home, lab);
  await stack.refresh();
  await stack.write(program({ ipAccessList: [office, home] }));
  const preview = await stack.preview();
  expect(preview.output).toMatch(/cannot know whether ipAccessList has "198\.51\.100\.0\/24"/);
  expect(preview.output).toContain("1 to update");
  expect(await sentFor(stack, simulator, { ipAccessList: [office, home] })).toEqual([
    {},
    { ipAccessList: { remove: [lab] } },
  ]);
  expect(simulator.control.state().services[0]).toMatchObject({ ipAccessList: [office, home] });
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("refuses two settings of one service in one program, and names all errors of one at once", async () => {
  const simulator = await newSimulator();
  const id = simulator.account.serviceIds[0] ?? "";
  const stack = await newStack({ simulator, program: "" });
  for (const serviceId of [JSON.stringify(id.toUpperCase()), `pulumi.output(${JSON.stringify(id)})`]) {
    await stack.write(
      `new datapipes.ServiceSettings("one", {});\nnew datapipes.ServiceSettings("two", { serviceId: ${serviceId} });`,
    );
    const { output } = await stack.preview({ expectFailure: true });
    expect(output).toMatch(/"(one|two)" and "(one|two)" are both for service/);
  }
  await stack.write(
    `new datapipes.ServiceSettings("one", {});\n` +
      `new datapipes.ServiceSettings("two", {}, { provider: new datapipes.Provider("second") });`,
  );
  const { output: ofTwoProviders } = await stack.preview({ expectFailure: true });
  expect(ofTwoProviders).toMatch(
    /"(one|two)" and ("(one|two)"|one of another provider) are both for service .* merge the two into one/,
  );
  const bad: JsonObject = {
    name: "under_score",
    releaseChannel: "beta",
    ipAccessList: [office, office],
    privateEndpointIds: ["a", "a"],
    endpoints: [{ protocol: "mysql", enabled: "yes" }],
    exclusiv: true,
  };
  await stack.write(program(bad));
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toMatch(/name must consist of letters/);
  expect(output).toMatch(/releaseChannel must be one of "slow", "default", "fast"/);
  expect(output).toMatch(/ipAccessList\[1\] repeats/);
  expect(output).toMatch(/privateEndpointIds\[1\] repeats/);
  expect(output).toMatch(/endpoints\[0\]\.enabled must be a boolean/);
  // A generated class registers only the arguments of its schema.
  if (!isNative) expect(output).toMatch(/exclusiv is not an argument; did you mean "exclusive"/);
  expect(simulator.control.requests()).toEqual([]);
});
