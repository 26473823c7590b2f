import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { FaultKind } from "../../../simulator/src/index";
import type { JsonObject } from "../../../testkit/pipes";
import { takeBodies, takeWrites } from "../../../testkit/simulator";
import { deployedOnline, online, partOf, refreshed, up } from "../../../testkit/online";
import type { Deployed, Online } from "../../../testkit/online";

const [two, three] = [{ source: "10.0.0.2" }, { source: "10.0.0.3" }];
const renamed = { ...two, description: "office" };
const operationId = "updateService";

const ips = (...ipAccessList: JsonObject[]) => ({ ipAccessList });
const ids = (...privateEndpointIds: string[]) => ({ privateEndpointIds });
const ignored: FaultKind = { kind: "reset-before" };

const adds = (...add: JsonObject[]) => ({ ipAccessList: { add } });
const removes = (...remove: JsonObject[]) => ({ ipAccessList: { remove } });
const becomes = (remove: JsonObject, add: JsonObject) => ({ ipAccessList: { add: [add], remove: [remove] } });

const settings = () => online(serviceSettingsDefinition);
const existing = (args: object) => deployedOnline(serviceSettingsDefinition, args);
const bodiesOf = ({ simulator }: Online) => takeBodies(simulator);

function listsOf({ control }: Online) {
  const { ipAccessList, privateEndpointIds } = control.state().services[0] ?? {};
  return { ipAccessList, privateEndpointIds };
}

/** Another client adds an entry. */
const addTheirs = ({ control, simulator }: Online): void => {
  control.editService(simulator.account.serviceIds[0] ?? "", ips(three));
};

/** An `up` without a clear answer, as no answer of `updateService` arrives. */
async function lost(
  run: Online,
  args: JsonObject,
  before?: Deployed,
  fault: FaultKind & { readonly after?: number } = { kind: "reset-after" },
): Promise<Deployed> {
  run.control.fault({ operationId, times: 20, ...fault });
  const left = await partOf(up(run, args, before));
  run.control.clearFaults();
  takeWrites(run.simulator);
  run.lines.length = 0;
  return left;
}

/** The state after a refresh, which forgets that the last run failed. */
async function afterRefresh(run: Online, left: Deployed): Promise<Deployed> {
  const read = await refreshed(run, left);
  run.lines.length = 0;
  return read ?? { id: left.id, outputs: {} };
}

const idOf = (verb: "add" | "remove") => ({ privateEndpointIds: { [verb]: ["b"] } });

type Row = [before: JsonObject, failed: JsonObject, next: JsonObject, body?: JsonObject, fault?: FaultKind];

test.each<[what: string, ...row: Row]>([
  ["a removed entry that returns", ips(two, three), ips(two), ips(two, three), adds(three)],
  ["an added entry that goes", ips(two), ips(two, three), ips(two), removes(three)],
  ["an added entry that goes with its list", ips(), ips(three), {}, removes(three)],
  ["a removed id that returns", ids("a", "b"), ids("a"), ids("a", "b"), idOf("add")],
  ["an added id that goes", ids("a"), ids("a", "b"), ids("a"), idOf("remove")],
  ["a description that returns", ips(two), ips(renamed), ips(two), becomes(renamed, two)],
  ["an entry that was not removed", ips(two, three), ips(two), ips(two, three), undefined, ignored],
  ["an entry that was not added", ips(two), ips(two, three), ips(two), undefined, ignored],
  ["an entry of the same program", ips(two), ips(two, three), ips(two, three)],
  ["an entry that a third program replaces", ips(two), ips(three), ips(renamed), becomes(three, renamed)],
])("the run after an update without an answer settles %s", settles);

const withId = (...entries: JsonObject[]) => ({ ...ips(...entries), ...ids("a") });
const exchanged = { ...removes(three), privateEndpointIds: { add: ["a"] } };

test.each<[what: string, ...row: Row]>([
  ["what the last answer lacks", ips(two), withId(two, three), withId(two), exchanged],
  ["an entry that the failed update was to remove", ips(two, three), ips(two), ips(two, three), adds(three)],
])("a service that refuses an empty update gets %s", async (...[what, args, failed, next, body]) => {
  await settles(what, args, failed, next, body, undefined, { kind: "status", status: 400 });
});

/** The next run makes what the program declares of an update without an answer, whatever the service says of an empty one. */
async function settles(_: string, ...[args, failed, next, body, fault, ofEmpty]: [...Row, FaultKind?]) {
  const { run, control, before } = await existing(args);
  const left = await lost(run, failed, before, fault);
  if (ofEmpty !== undefined) control.fault({ operationId, ...ofEmpty });
  const { outputs } = await up(run, next, await afterRefresh(run, left));
  expect(bodiesOf(run)).toEqual([{}, ...(body === undefined ? [] : [body])]);
  expect(listsOf(run)).toEqual({ ipAccessList: [], privateEndpointIds: [], ...next });
  expect(outputs).toMatchObject({ ...next, unmanagedIpAccessList: [], unmanagedPrivateEndpointIds: [] });
  expect(JSON.stringify(outputs)).not.toContain("__u");
  expect(await up(run, next, { id: left.id, outputs })).toEqual({ id: left.id, outputs });
  expect(bodiesOf(run)).toEqual([]);
}

test("the state after a failed update has all entries that may be there, and a preview warns until the next update", async () => {
  const { run, before } = await existing({ ...ips(two, three), exclusive: true });
  const left = await lost(run, ips(two), before);
  // The last answer without the entry that the update was to remove.
  expect(left.outputs).toMatchObject({ ...ips(two, three), observed: ips(two), unmanagedIpAccessList: [] });
  const after = await up(run, ips(two, three), left);
  await up(run, ips(two, three), after);
  expect(run.lines).toEqual([
    `warning: ServiceSettings ${left.id}: the last update failed, and the provider cannot know what it has changed in the lists. This ` +
      `update reads them, adds the entries that the program declares, and removes those that it no longer declares.`,
  ]);
});

test("a create without an answer is in the state, and the next update removes what the program no longer declares", async () => {
  const run = await settings();
  const left = await lost(run, { ...ips(two, three), ...ids("a"), name: "Shop", deletionPolicy: "delete" });
  expect(left.outputs).not.toHaveProperty("name");
  expect(left.outputs).toMatchObject({ deletionPolicy: "delete", unmanagedIpAccessList: [] });
  await up(run, { ...ips(two), name: "Shop" }, await afterRefresh(run, left));
  const removal = { ...removes(three), privateEndpointIds: { remove: ["a"] } };
  expect(bodiesOf(run)).toEqual([{}, { name: "Shop", ...removal }]);
  expect(listsOf(run)).toEqual({ ...ips(two), ...ids() });
});

test("the state keeps the entries of all updates that fail, one after the other", async () => {
  const { run, control, before } = await existing(ips(two));
  const first = await lost(run, ips(two, three), before);
  // The first request reads the lists.
  const second = await lost(run, { ...ips(renamed), ...ids("a") }, first, { kind: "reset-before", after: 1 });
  const third = await lost(run, ips(), second, { kind: "status", status: 500, after: 1 });
  control.fault({ operationId, kind: "status", status: 403, times: 2 });
  await expect(up(run, ips(), third)).rejects.toMatchObject({ code: "forbidden" });
  expect(listsOf(run)).toEqual({ ...ips(two, three), ...ids() });
  takeWrites(run.simulator);
  await up(run, ips(), third);
  expect(bodiesOf(run)).toEqual([{}, removes(two, three)]);
});

describe("the deletion after an update without an answer", () => {
  const policy = { deletionPolicy: "delete" };

  test.each<[what: string, args: JsonObject, failed: JsonObject]>([
    ["was adding", ips(two), ips(two, three)],
    ["was removing", ips(two, three), ips(two)],
  ])("removes the entries that the update %s", async (_, args, failed) => {
    const { run, before } = await existing({ ...args, ...policy });
    const { id, outputs } = await lost(run, { ...failed, ...policy }, before);
    run.nextRun();
    await run.lifecycle.delete(id, outputs);
    expect(bodiesOf(run)).toEqual([removes(two, three)]);
  });

  test("keeps the entries that the program declares in other settings of the service", async () => {
    const run = await settings();
    const { id, outputs } = await lost(run, { ...ips(two, three), ...policy });
    run.nextRun();
    await up(run, { ...ips(three), ...policy });
    takeWrites(run.simulator);
    await run.lifecycle.delete(id, outputs);
    expect(bodiesOf(run)).toEqual([removes(two)]);
  });
});

test("an entry that another client had before stays when the program that declared it fails and goes back", async () => {
  const run = await settings();
  addTheirs(run);
  const left = await lost(run, { ...ips(two, three), name: "two" }, await up(run, ips(two)));
  expect(left.outputs).toMatchObject({ ...ips(two), unmanagedIpAccessList: [three] });
  await up(run, { ...ips(two), name: "two" }, left);
  expect(bodiesOf(run)).toEqual([{ name: "two" }]);
  expect(listsOf(run)).toMatchObject(ips(three, two));
});

test("a retry that is refused leaves fields out of the state that the first try may have changed", async () => {
  const run = await online(serviceSettingsDefinition, {}, 1);
  const before = await up(run, { name: "Shop" });
  run.control.fault({ operationId, kind: "reset-after" });
  run.control.fault({ operationId, kind: "status", status: 400 });
  const left = await partOf(up(run, { name: "Shop 2" }, before));
  takeWrites(run.simulator);
  await up(run, { name: "Shop" }, left);
  expect(bodiesOf(run)).toEqual([{ name: "Shop" }]);
});

describe("exclusive settings", () => {
  const args = { ...ips(two), exclusive: true };

  test("whose removal failed read the lists again, also after a refresh, and remove entries only while they are exclusive", async () => {
    const run = await settings();
    addTheirs(run);
    run.control.fault({ operationId, kind: "status", status: 400, after: 1 });
    const left = await afterRefresh(run, await partOf(up(run, args)));
    takeWrites(run.simulator);
    expect(left.outputs).toMatchObject({ unmanagedIpAccessList: [three] });
    const shared = await up(run, { ...args, exclusive: false }, left);
    expect([bodiesOf(run), listsOf(run)]).toMatchObject([[{}], ips(three, two)]);
    expect(JSON.stringify(shared.outputs)).not.toContain("__u");
    run.lines.length = 0;
    const after = await up(run, args, left);
    expect(run.lines).toEqual([
      expect.stringMatching(
        /^warning: ServiceSettings .* adds the entries that the program declares, and removes those that it does not declare\.$/,
      ),
    ]);
    expect(bodiesOf(run)).toEqual([{}, removes(three)]);
    expect(await up(run, args, after)).toBe(after);
  });

  test("repeat a removal without an answer after a refresh", async () => {
    const run = await settings();
    addTheirs(run);
    const left = await lost(run, args, await up(run, ips(two)), ignored);
    await up(run, args, await afterRefresh(run, left));
    expect(bodiesOf(run)).toEqual([{}, removes(three)]);
    expect(listsOf(run)).toMatchObject(ips(two));
  });
});
