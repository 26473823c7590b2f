import { IdsInUse } from "../../../provider/src/lifecycle/ids-in-use";
import type { ResourceContext } from "../../../provider/src/resources/context";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/account";
import { answer } from "../../../testkit/connected";
import { deployedOnline, online, settled, up, type Online } from "../../../testkit/online";
import type { Json, JsonObject } from "../../../testkit/pipes";
import { newRun } from "../../../testkit/run-files";
import { allServiceSettings, home, https, mysql, office } from "../../../testkit/service-settings";
import { takeBodies, takeWrites } from "../../../testkit/simulator";

const all: JsonObject = allServiceSettings;
const idOf = ({ simulator }: Online): string => simulator.account.serviceIds[0] ?? "";
const existing = (args: object) => deployedOnline(serviceSettingsDefinition, args);

/** A service whose lists other clients have edited. */
async function shared(lists: object): Promise<Online> {
  const run = await online(serviceSettingsDefinition);
  run.control.editService(idOf(run), lists);
  return run;
}

test("settings without fields send no request", async () => {
  const run = await online(serviceSettingsDefinition);
  const { outputs } = await up(run, {});
  expect(run.control.requests()).toEqual([]);
  expect(outputs).toMatchObject({ observed: {}, unmanagedIpAccessList: [], unmanagedPrivateEndpointIds: [] });
});

describe("entries that the program does not declare", () => {
  const sources: JsonObject[] = [
    { source: "203.0.113.9", description: "unmanaged" },
    { source: "203.0.113.10" },
  ];
  const theirs = { ipAccessList: sources, privateEndpointIds: ["vpce-unmanaged"] };
  const unmanaged = { unmanagedIpAccessList: sources, unmanagedPrivateEndpointIds: ["vpce-unmanaged"] };
  const removal = { ipAccessList: { remove: sources }, privateEndpointIds: { remove: ["vpce-unmanaged"] } };
  const listOf = (all: string[]) => ({ ipAccessList: all.map((source) => ({ source })) });
  const removes = (source: string): Json => ({ ipAccessList: { remove: [{ source }] } });
  const onlyIds = { privateEndpointIds: theirs.privateEndpointIds };

  test("are outputs, cause a warning at a change, and stay", async () => {
    const run = await shared(theirs);
    const before = await up(run, { name: "Shop" });
    expect(takeBodies(run.simulator)).toEqual([{ name: "Shop" }]);
    expect(before.outputs).toMatchObject(unmanaged);
    const [which, advice] = [
      "also has entries that the program does not declare",
      "The provider did not change them; declare those that this program should manage.",
    ];
    expect(run.lines.splice(0)).toEqual([
      `warning: service ${idOf(run)}: ipAccessList ${which}: "203.0.113.9", "203.0.113.10". ${advice}`,
      `warning: service ${idOf(run)}: privateEndpointIds ${which}: "vpce-unmanaged". ${advice}`,
    ]);
    const read = await run.lifecycle.read(before.id, before.outputs);
    expect(read?.outputs).toEqual(settled(before.outputs));
    run.lines.length = 0;
    await up(run, { name: "Shop", exclusive: false }, before);
    expect([run.lines, takeBodies(run.simulator)]).toEqual([[], []]);
  });

  const [ofOffice, ofShop] = [{ ipAccessList: [office] }, { name: "Shop" }];
  const withHome = { ipAccessList: [office, home] };
  const ofOthers = ["203.0.113.1", "203.0.113.2"];
  const added = [{ ipAccessList: { add: [home] } }, removal];
  const idsGo: Json[] = [{}, { privateEndpointIds: removal.privateEndpointIds }];
  const [removed, firstOfThem] = [ofOthers.map(removes), listOf(ofOthers.slice(0, 1))];

  type Removal = [what: string, lists: object, before: object | undefined, args: object, bodies: Json[]];
  test.each<[...Removal, later?: string[]]>([
    ["", theirs, ofOffice, ofOffice, [removal]],
    [" in a second request, also where an earlier answer has shown them", theirs, ofOffice, withHome, added],
    [" after an empty update that reads them, without another field", onlyIds, undefined, {}, idsGo],
    [" also where other clients added them since", firstOfThem, ofShop, ofShop, removed, ofOthers],
  ])("are removed with exclusive: true%s", async (...[, lists, old, args, bodies, later]) => {
    const run = await shared(lists);
    const before = old && (await up(run, old));
    if (later) run.control.editService(idOf(run), listOf(later));
    takeWrites(run.simulator);
    run.lines.length = 0;
    const { outputs } = await up(run, { ...args, exclusive: true }, before);
    expect([takeBodies(run.simulator), run.lines]).toEqual([bodies, []]);
    expect(outputs).toMatchObject({ unmanagedIpAccessList: [], unmanagedPrivateEndpointIds: [] });
  });
});

describe("settings that the program no longer declares", () => {
  const retained = (id: string): string =>
    `service ${id} stays as it is: the deletionPolicy of its settings is "retain", so the provider sends nothing.`;
  const gone = (id: string): string =>
    `service ${id} no longer exists (404), so its entries no longer exist either.`;
  const ids = { privateEndpointIds: ["vpce-1"], deletionPolicy: "delete" };
  const removal = { privateEndpointIds: { remove: ["vpce-1"] } };

  type Line = (id: string) => string;
  test.each<[what: string, args: JsonObject, bodies: Json[], line?: Line, status?: number]>([
    ["stay as they are by default, and a line says so", all, [], retained],
    ["lose the declared entries with the policy to delete", { ...ids, name: "Shop" }, [removal]],
    ["lose nothing without a list", { ...ids, privateEndpointIds: [] }, []],
    ["lose nothing where the service does not exist", ids, [removal], gone, 404],
  ])("%s", async (...[, args, bodies, line, status]) => {
    const { run, control, before } = await existing(args);
    if (status) control.fault({ operationId: "updateService", kind: "status", status });
    run.nextRun();
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual(bodies);
    expect(run.lines).toEqual(line === undefined ? [] : [line(before.id)]);
  });

  test("stay in the state where the service refuses the removal", async () => {
    const { run, control, before } = await existing(ids);
    control.fault({ operationId: "updateService", kind: "status", status: 400 });
    const work = run.lifecycle.delete(before.id, before.outputs);
    await expect(work).rejects.toMatchObject({ code: "bad-request" });
    expect(run.lines).toEqual([]);
  });
});

test.each([
  [[https], `"mysql"`],
  [[], `"mysql", "https"`],
])(
  "a preview names endpoints that the program no longer declares, once, and the update sends nothing: %j",
  async (endpoints, lost) => {
    const { run, before } = await existing({ endpoints: [mysql, https] });
    run.nextRun();
    const after = await up(run, { endpoints }, before);
    run.nextRun();
    await up(run, { endpoints }, after);
    expect(run.lines).toEqual([
      `warning: ServiceSettings ${before.id}: the program no longer declares ${lost} in endpoints, but the API has no way to ` +
        `unset it. The provider sends nothing, and the value stays.`,
    ]);
    expect(takeBodies(run.simulator)).toEqual([]);
  },
);

const theirs = { source: "203.0.113.9/32", description: "vpn" };
const spaced = { source: "10.0.0.1", description: " office " };
const others = { source: "2001:DB8::0:1" };
const any = { source: "any" };
/** How a service lists that word. */
const listedAny = { source: "0.0.0.0/0", description: " (API)" };

/** A service that lists these entries, and spells addresses as networks. */
async function against(...ipAccessList: JsonObject[]) {
  const run = await online(serviceSettingsDefinition, { profiles: ["cidr"] });
  const id = idOf(run);
  const list = (...entries: JsonObject[]) => run.control.editService(id, { ipAccessList: entries });
  list(...ipAccessList);
  /** Answers an update, after so many others, with these entries. */
  const answerWith = (entries: JsonObject[], after = 0) =>
    run.control.fault({ operationId: "updateService", ...answer({ id, ipAccessList: entries }), after });
  return Object.assign(run, { id, list, answerWith });
}

const listedBy = ({ control }: Online) => control.state().services[0]?.ipAccessList;
const warnings = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("warning"));

describe("an entry that the service spells in another way", () => {
  test("counts as declared: exclusive keeps it, no output or warning names it, and no request repeats it", async () => {
    const run = await against(theirs);
    const args = { ipAccessList: [spaced, others], exclusive: true };
    const before = await up(run, args);
    const listed = [{ source: "10.0.0.1/32", description: "office" }, { source: "2001:DB8::0:1/128" }];
    expect(listedBy(run)).toEqual(listed);
    expect(takeBodies(run.simulator)).toEqual([
      { ipAccessList: { add: [spaced, others] } },
      { ipAccessList: { remove: [theirs] } },
    ]);
    expect(before.outputs).toMatchObject({ ipAccessList: [spaced, others], unmanagedIpAccessList: [] });
    expect(run.lines).toEqual([]);

    const respelled = [{ source: "10.0.0.1/32", description: "office" }, { source: "2001:db8:0:0::1" }];
    expect(await up(run, { ...args, ipAccessList: respelled }, before)).toEqual(before);
    await up(run, { ...args, name: "Shop" }, before);
    expect(takeBodies(run.simulator)).toEqual([{ name: "Shop" }]);
    expect([listedBy(run), run.lines]).toEqual([listed, []]);
  });

  test("is removed also where the service has changed its spelling since the last answer", async () => {
    const run = await against();
    run.control.setBehaviour({ profiles: [] });
    const args = { ipAccessList: [{ source: "10.0.0.1" }], deletionPolicy: "delete" };
    const { id, outputs } = await up(run, args);
    run.list({ source: "10.0.0.1/32" });
    run.nextRun();
    await run.lifecycle.delete(id, outputs);
    expect([listedBy(run), run.lines]).toEqual([[], []]);
  });

  test("causes a warning when the service still lists it after its removal", async () => {
    const run = await against();
    const before = await up(run, { ipAccessList: [spaced] });
    run.lines.length = 0;
    run.answerWith([{ source: "10.0.0.1/32", description: "office" }]);
    await up(run, { ipAccessList: [] }, before);
    expect(warnings(run.lines)[0]).toBe(
      `warning: service ${run.id}: the request to remove "10.0.0.1/32" from ipAccessList succeeded, but the response still lists ` +
        `it. Remove it in the service's console.`,
    );
  });
});

describe("an entry that first appears in the answer to its addition", () => {
  test("is recognized by the list before the addition, where the program gives a description", async () => {
    const run = await against(theirs);
    run.answerWith([theirs, listedAny], 1);
    await up(run, { ipAccessList: [any], exclusive: true });
    const [add, remove] = [[any], [theirs]];
    expect(takeBodies(run.simulator)).toEqual([{}, { ipAccessList: { add } }, { ipAccessList: { remove } }]);
  });

  test("stays where it cannot be recognized, and a warning says so", async () => {
    const run = await against(theirs);
    run.answerWith([theirs, listedAny]);
    const before = await up(run, { ipAccessList: [any] });
    run.list(theirs, listedAny);
    const { outputs } = await up(run, { ipAccessList: [any], exclusive: true }, before);
    expect(listedBy(run)).toEqual([theirs, listedAny]);
    expect(outputs["unmanagedIpAccessList"]).toEqual([]);
    expect(warnings(run.lines).at(-1)).toBe(
      `warning: service ${run.id}: ipAccessList does not list "any", but lists "203.0.113.9/32", "0.0.0.0/0", which may be the ` +
        `same in another spelling. The provider did not change it. Declare the entry in the spelling of the service.`,
    );
  });
});

const serviceIds = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"];
const CAPITALS = (serviceIds[0] ?? "").toUpperCase();
const desk = { source: "10.0.0.1", description: "office" };
const lab = { source: "10.0.0.2" };
const lists = { ipAccessList: [desk, lab], privateEndpointIds: ["vpce-1", "vpce-2"] };
const old = { ...lists, deletionPolicy: "delete", __key: "old" };

/** Settings in the stack, and a run in a plugin process. `nextRun` goes on in another one. */
async function deployed() {
  const fileOf = newRun((id) => id > 1);
  let processId = 0;
  const define = (context: ResourceContext) => {
    processId += 1;
    return serviceSettingsDefinition({ ...context, ids: new IdsInUse(fileOf(processId)) });
  };
  const { run, before } = await deployedOnline(define, old, {
    accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }],
  });
  run.nextRun();
  return { run, before };
}

describe.each(["the same", "another"])("settings that a resource of %s process declares, too", (process) => {
  const spelled = [{ source: "10.0.0.1/32", description: "office " }];
  const some = { serviceId: CAPITALS, ipAccessList: spelled, privateEndpointIds: ["vpce-2"] };
  const rest = { ipAccessList: { remove: [lab] }, privateEndpointIds: { remove: ["vpce-1"] } };
  const ids = ["vpce-1", "vpce-2"];
  const all = { ipAccessList: { remove: [desk, lab] }, privateEndpointIds: { remove: ids } };
  const elsewhere = { ...old, serviceId: serviceIds[1] ?? "" };

  test.each<[what: string, inputs: JsonObject, ...bodies: Json[]]>([
    ["keep all entries", old],
    ["keep all entries when that one has the policy to retain", { ...old, deletionPolicy: "retain" }],
    ["keep entries under other spellings of the id and of the entry, and lose the rest", some, rest],
    ["lose all entries when that one is for another service", elsewhere, all],
  ])("%s", async (_, inputs, ...bodies) => {
    const { run, before } = await deployed();
    const { outputs } = await up(run, { ...inputs, __key: "component/new" });
    expect(outputs).not.toHaveProperty("__key");
    takeBodies(run.simulator);
    if (process === "another") run.nextRun();
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual(bodies);
  });
});

test("settings that the engine replaces keep their entries", async () => {
  const { run, before } = await deployed();
  // As the engine does for `--replace`: the check of the change, the check of the new one, create, delete.
  run.lifecycle.check(before.outputs, before.outputs);
  await up(run, old);
  await run.lifecycle.delete(before.id, before.outputs);
  expect(run.control.state().services[0]).toMatchObject(lists);
});
