import { IdsInUse } from "../../../provider/src/lifecycle/ids-in-use";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { ResourceContext } from "../../../provider/src/resources/context";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/account";
import type { Json, JsonObject } from "../../../testkit/pipes";
import { answer } from "../../../testkit/connected";
import { takeBodies } from "../../../testkit/simulator";
import { deployedOnline, online, up, type Online } from "../../../testkit/online";
import { newRun } from "../../../testkit/run-files";

const theirs = { source: "203.0.113.9/32", description: "vpn" };
const office = { source: "10.0.0.1", description: " office " };
const others = { source: "2001:DB8::0:1" };
const any = { source: "any" };
/** How a service lists that word. */
const listedAny = { source: "0.0.0.0/0", description: " (API)" };

/** A service that lists these entries, and spells addresses as networks. */
async function against(...ipAccessList: JsonObject[]) {
  const run = await online(serviceSettingsDefinition, { profiles: ["cidr"] });
  const [id = ""] = run.simulator.account.serviceIds;
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
    const args = { ipAccessList: [office, others], exclusive: true };
    const before = await up(run, args);
    const listed = [{ source: "10.0.0.1/32", description: "office" }, { source: "2001:DB8::0:1/128" }];
    expect(listedBy(run)).toEqual(listed);
    expect(takeBodies(run.simulator)).toEqual([
      { ipAccessList: { add: [office, others] } },
      { ipAccessList: { remove: [theirs] } },
    ]);
    expect(before.outputs).toMatchObject({ ipAccessList: [office, others], unmanagedIpAccessList: [] });
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
    const before = await up(run, { ipAccessList: [office] });
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
