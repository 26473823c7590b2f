import { IdsInUse } from "../../../provider/src/lifecycle/ids-in-use";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { ResourceContext } from "../../../provider/src/resources/context";
import { RewritingService, type AccessEntry } from "../../../testkit/rewriting-service";
import { InstantClock } from "../../../testkit/instant-clock";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/account";
import type { Json, JsonObject } from "../../../testkit/pipes";
import { takeBodies } from "../../../testkit/simulator";
import { deployedOnline, runAgainst, up } from "../../../testkit/online";
import { newRun } from "../../../testkit/run-files";

const theirs: AccessEntry = { source: "203.0.113.9/32", description: "vpn" };

/** Spells an address with the length of its prefix, and takes space off a description. */
const cidr = ({ source, description }: AccessEntry): AccessEntry => ({
  source: source.includes("/") ? source : `${source}/${source.includes(":") ? "128" : "32"}`,
  description: description?.trim() ?? "",
});

/** Writes another word for a word, and adds to a description. */
const reworded = ({ source, description }: AccessEntry): AccessEntry => ({
  ...cidr({ source: source === "any" ? "0.0.0.0/0" : source }),
  description: `${description ?? ""} (API)`,
});

async function against(changes: Partial<RewritingService>) {
  const service = await RewritingService.start(changes);
  const run = runAgainst(serviceSettingsDefinition, service, new InstantClock());
  return Object.assign(run, { service });
}

const sourcesOf = ({ service }: { service: RewritingService }): string[] =>
  service.ipAccessList.map(({ source }) => source);

const warnings = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("warning"));

const office = { source: "10.0.0.1", description: " office " };
const others = { source: "2001:DB8::0:1" };

describe("an entry that the service spells in another way", () => {
  test("counts as declared: exclusive keeps it, no output or warning names it, and no request repeats it", async () => {
    const run = await against({ spell: cidr, ipAccessList: [theirs] });
    const args = { ipAccessList: [office, others], exclusive: true };
    const before = await up(run, args);
    expect(run.service.ipAccessList).toEqual([
      { source: "10.0.0.1/32", description: "office" },
      { source: "2001:DB8::0:1/128", description: "" },
    ]);
    expect(run.service.takeBodies()).toEqual([
      { ipAccessList: { add: [office, others] } },
      { ipAccessList: { remove: [theirs] } },
    ]);
    expect(before.outputs).toMatchObject({ ipAccessList: [office, others], unmanagedIpAccessList: [] });
    expect(run.lines).toEqual([]);

    const respelled = [{ source: "10.0.0.1/32", description: "office" }, { source: "2001:db8:0:0::1" }];
    expect(await up(run, { ...args, ipAccessList: respelled }, before)).toEqual(before);
    await up(run, { ...args, name: "Shop" }, before);
    expect(run.service.takeBodies()).toEqual([{ name: "Shop" }]);
    expect([sourcesOf(run), run.lines]).toEqual([["10.0.0.1/32", "2001:DB8::0:1/128"], []]);
  });

  test("is removed also where the service has changed its spelling since the last answer", async () => {
    const run = await against({});
    const args = { ipAccessList: [{ source: "10.0.0.1" }], deletionPolicy: "delete" };
    const { id, outputs } = await up(run, args);
    run.service.ipAccessList = [{ source: "10.0.0.1/32" }];
    run.nextRun();
    await run.lifecycle.delete(id, outputs);
    expect([sourcesOf(run), run.lines]).toEqual([[], []]);
  });

  test("causes a warning when the service still lists it after its removal", async () => {
    const run = await against({ spell: cidr, kept: "10.0.0.1/32" });
    const before = await up(run, { ipAccessList: [office] });
    run.lines.length = 0;
    await up(run, { ipAccessList: [] }, before);
    expect(warnings(run.lines)[0]).toBe(
      `warning: service ${before.id}: the request to remove "10.0.0.1/32" from ipAccessList succeeded, but the response still lists ` +
        `it. Remove it in the service's console.`,
    );
  });
});

describe("an entry that first appears in the answer to its addition", () => {
  test("is recognized by the list before the addition, where the program gives a description", async () => {
    const run = await against({ spell: reworded, ipAccessList: [theirs] });
    await up(run, { ipAccessList: [{ source: "any" }], exclusive: true });
    expect(run.service.takeBodies()[0]).toEqual({});
    expect(sourcesOf(run)).toEqual(["0.0.0.0/0"]);
  });

  test("stays where it cannot be recognized, and a warning says so", async () => {
    const run = await against({ spell: reworded, ipAccessList: [theirs] });
    const before = await up(run, { ipAccessList: [{ source: "any" }] });
    const { outputs } = await up(run, { ipAccessList: [{ source: "any" }], exclusive: true }, before);
    expect(sourcesOf(run)).toEqual(["203.0.113.9/32", "0.0.0.0/0"]);
    expect(outputs["unmanagedIpAccessList"]).toEqual([]);
    expect(warnings(run.lines).at(-1)).toBe(
      `warning: service ${before.id}: ipAccessList does not list "any", but lists "203.0.113.9/32", "0.0.0.0/0", which may be the ` +
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
