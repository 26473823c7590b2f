import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { Json, JsonObject } from "../../../testkit/pipes";
import { allServiceSettings, home, https, mysql, office } from "../../../testkit/service-settings";
import { takeWrites } from "../../../testkit/simulator";
import { answer } from "../../../testkit/connected";
import { online, partOf, settled, up, type Online } from "../../../testkit/online";

const all: JsonObject = allServiceSettings;
const bodiesOf = ({ simulator }: Online): Json[] => takeWrites(simulator).map(({ body }) => body);
const idOf = ({ simulator }: Online): string => simulator.account.serviceIds[0] ?? "";

/** Edits the service as another client. */
const edit = (run: Online, patch: object): void => {
  run.simulator.control.editService(idOf(run), patch);
};

test("a create sends all declared fields, an update the changed ones, each in one request and without a line", async () => {
  const run = await online(serviceSettingsDefinition);
  const { id, outputs } = await up(run, { ...all, deletionPolicy: "retain", exclusive: false });
  expect(id).toBe(idOf(run));
  expect(takeWrites(run.simulator)).toEqual([
    {
      method: "PATCH",
      path: "",
      body: {
        ...all,
        ipAccessList: { add: [office, home] },
        privateEndpointIds: { add: ["vpce-1", "vpce-2"] },
      },
    },
  ]);
  expect(outputs).toMatchObject({ ...all, unmanagedIpAccessList: [], unmanagedPrivateEndpointIds: [] });
  expect(outputs["observed"]).toMatchObject({ name: "Shop service", ipAccessList: [office, home] });
  const news = { ...all, name: "Shop 2", ipAccessList: [home], endpoints: [https, mysql] };
  await up(run, news, { id, outputs });
  expect(bodiesOf(run)).toEqual([{ name: "Shop 2", ipAccessList: { remove: [office] } }]);
  expect(run.lines).toEqual([]);
});

test("settings without fields send no request", async () => {
  const run = await online(serviceSettingsDefinition);
  const { outputs } = await up(run, {});
  expect(run.simulator.control.requests()).toEqual([]);
  expect(outputs).toMatchObject({ observed: {}, unmanagedIpAccessList: [], unmanagedPrivateEndpointIds: [] });
});

test("exclusive also removes entries that other clients added since the last answer", async () => {
  const run = await online(serviceSettingsDefinition);
  const add = (...sources: string[]) =>
    run.simulator.control.editService(idOf(run), { ipAccessList: sources.map((source) => ({ source })) });
  add("203.0.113.1");
  const before = await up(run, { name: "Shop" });
  add("203.0.113.1", "203.0.113.2");
  takeWrites(run.simulator);
  const { outputs } = await up(run, { name: "Shop", exclusive: true }, before);
  expect(bodiesOf(run)).toEqual([
    { ipAccessList: { remove: [{ source: "203.0.113.1" }] } },
    { ipAccessList: { remove: [{ source: "203.0.113.2" }] } },
  ]);
  expect(outputs["unmanagedIpAccessList"]).toEqual([]);
});

const unmanagedEntries = {
  ipAccessList: [{ source: "203.0.113.9", description: "unmanaged" }, { source: "203.0.113.10" }],
  privateEndpointIds: ["vpce-unmanaged"],
};
const unmanaged = {
  unmanagedIpAccessList: unmanagedEntries.ipAccessList,
  unmanagedPrivateEndpointIds: unmanagedEntries.privateEndpointIds,
};
const removal = {
  ipAccessList: { remove: unmanagedEntries.ipAccessList },
  privateEndpointIds: { remove: unmanagedEntries.privateEndpointIds },
};

describe("entries that the program does not declare", () => {
  test("are outputs, cause a warning at a change, and stay", async () => {
    const run = await online(serviceSettingsDefinition);
    edit(run, unmanagedEntries);
    const before = await up(run, { name: "Shop" });
    expect(bodiesOf(run)).toEqual([{ name: "Shop" }]);
    expect(before.outputs).toMatchObject(unmanaged);
    const advice = "The provider did not change them; declare those that this program should manage.";
    expect(run.lines).toEqual([
      `warning: service ${idOf(run)}: ipAccessList also has entries that the program does not declare: ` +
        `"203.0.113.9", "203.0.113.10". ${advice}`,
      `warning: service ${idOf(run)}: privateEndpointIds also has entries that the program does not declare: ` +
        `"vpce-unmanaged". ${advice}`,
    ]);
    const read = await run.lifecycle.read(before.id, before.outputs);
    expect(read?.outputs).toEqual(settled(before.outputs));
    run.lines.length = 0;
    await up(run, { name: "Shop", exclusive: false }, before);
    expect([run.lines, bodiesOf(run)]).toEqual([[], []]);
  });

  test("are removed with exclusive: true", async () => {
    const run = await online(serviceSettingsDefinition);
    edit(run, unmanagedEntries);
    const before = await up(run, { ipAccessList: [office] });
    takeWrites(run.simulator);
    run.lines.length = 0;
    const { outputs } = await up(run, { ipAccessList: [office], exclusive: true }, before);
    expect(bodiesOf(run)).toEqual([removal]);
    expect(outputs).toMatchObject({ unmanagedIpAccessList: [], unmanagedPrivateEndpointIds: [] });
    expect(run.lines).toEqual([]);
  });

  test("are removed with exclusive: true in a second request, also where an earlier answer has shown them", async () => {
    const run = await online(serviceSettingsDefinition);
    edit(run, unmanagedEntries);
    const before = await up(run, { ipAccessList: [office] });
    takeWrites(run.simulator);
    await up(run, { ipAccessList: [office, home], exclusive: true }, before);
    expect(bodiesOf(run)).toEqual([{ ipAccessList: { add: [home] } }, removal]);
  });

  test("are read with an empty update where the program declares no other field", async () => {
    const run = await online(serviceSettingsDefinition);
    edit(run, { privateEndpointIds: unmanagedEntries.privateEndpointIds });
    await up(run, { exclusive: true });
    expect(bodiesOf(run)).toEqual([{}, { privateEndpointIds: removal.privateEndpointIds }]);
  });

  test("are removed by the next run when the request failed", async () => {
    const run = await online(serviceSettingsDefinition);
    edit(run, unmanagedEntries);
    run.simulator.control.fault({ operationId: "updateService", kind: "status", status: 400, after: 1 });
    const failed = await partOf(up(run, { name: "Shop", exclusive: true }));
    expect(failed.id).toBe(idOf(run));
    expect(failed.outputs).toMatchObject({ name: "Shop", observed: { name: "Shop" }, ...unmanaged });
    takeWrites(run.simulator);
    await run.lifecycle.update(failed.id, failed.outputs, failed.outputs);
    expect(bodiesOf(run)).toEqual([removal]);
  });
});

describe("settings that the program no longer declares", () => {
  test("stay as they are by default, and a line says so", async () => {
    const run = await online(serviceSettingsDefinition);
    const { id, outputs } = await up(run, all);
    takeWrites(run.simulator);
    run.nextRun();
    await run.lifecycle.delete(id, outputs);
    expect(bodiesOf(run)).toEqual([]);
    expect(run.lines).toEqual([
      `service ${id} stays as it is: the deletionPolicy of its settings is "retain", so the provider sends nothing.`,
    ]);
  });

  test.each<[what: string, args: JsonObject, bodies: Json[]]>([
    [
      "one list",
      { name: "Shop", privateEndpointIds: ["vpce-1"] },
      [{ privateEndpointIds: { remove: ["vpce-1"] } }],
    ],
    ["no list", { name: "Shop", ipAccessList: [] }, []],
  ])("lose the declared entries of %s with the policy to delete", async (_, args, bodies) => {
    const run = await online(serviceSettingsDefinition);
    const { id, outputs } = await up(run, { ...args, deletionPolicy: "delete" });
    takeWrites(run.simulator);
    run.nextRun();
    await run.lifecycle.delete(id, outputs);
    expect(bodiesOf(run)).toEqual(bodies);
    expect(run.lines).toEqual([]);
  });
});

test("the deletion of entries fails after an error, and succeeds when the service does not exist", async () => {
  const run = await online(serviceSettingsDefinition);
  const { id, outputs } = await up(run, { privateEndpointIds: ["vpce-1"], deletionPolicy: "delete" });
  const deletion = (status: number): Promise<void> => {
    run.nextRun();
    run.simulator.control.fault({ operationId: "updateService", kind: "status", status });
    return run.lifecycle.delete(id, outputs);
  };
  await expect(deletion(400)).rejects.toMatchObject({ code: "bad-request" });
  expect(run.lines).toEqual([]);
  await deletion(404);
  expect(run.lines).toEqual([`service ${id} no longer exists (404), so its entries no longer exist either.`]);
});

test("a warning names the resource and the value that the service states otherwise", async () => {
  const run = await online(serviceSettingsDefinition);
  const result = { id: idOf(run), name: "other", ipAccessList: [], privateEndpointIds: [] };
  run.simulator.control.fault({ operationId: "updateService", ...answer(result) });
  await up(run, { name: "Shop" });
  expect(run.lines).toEqual([
    `warning: ServiceSettings ${idOf(run)}: name was sent as "Shop", but the API returned "other". The service may have ignored the value.`,
  ]);
});

test("a refresh says in one line that nothing was compared", async () => {
  const run = await online(serviceSettingsDefinition);
  const { id, outputs } = await up(run, { name: "Shop" });
  edit(run, { name: "Theirs" });
  const read = await run.lifecycle.read(id, outputs);
  expect(read).toMatchObject({ inputs: { name: "Shop" }, outputs: settled(outputs) });
  expect(run.lines).toEqual([
    `service ${id}: the API has no operation that reads the settings of a service. The refresh compared nothing, and the state ` +
      `keeps the last response.`,
  ]);
});

test("a preview names endpoints that the program no longer declares, once, and the update sends nothing", async () => {
  const run = await online(serviceSettingsDefinition);
  const { id, outputs } = await up(run, { endpoints: [mysql, https] });
  takeWrites(run.simulator);
  for (const [endpoints, lost] of [
    [[https], `"mysql"`],
    [[], `"mysql", "https"`],
  ] as const) {
    run.lines.length = 0;
    run.nextRun();
    const { inputs } = run.lifecycle.check(outputs, { endpoints });
    run.lifecycle.diff(id, outputs, inputs);
    const after = await run.lifecycle.update(id, outputs, inputs);
    run.nextRun();
    run.lifecycle.check(after, { endpoints });
    run.lifecycle.diff(id, after, inputs);
    expect(run.lines).toEqual([
      `warning: ServiceSettings ${id}: the program no longer declares ${lost} in endpoints, but the API has no way to ` +
        `unset it. The provider sends nothing, and the value stays.`,
    ]);
  }
  expect(bodiesOf(run)).toEqual([]);
});

test("settings that a program reads with get have the program's values, because the API cannot read them", async () => {
  const run = await online(serviceSettingsDefinition);
  const read = await run.lifecycle.read(idOf(run), { name: "theirs" });
  expect(read?.outputs).toMatchObject({ name: "theirs", observed: {} });
  expect(run.lines).toEqual([]);
});
