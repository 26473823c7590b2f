import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { deployResource, newRun, outputsAfterRead, up, type ResourceRun } from "../../kit/run";
import type { Json, JsonObject } from "../../kit/json";
import { allServiceSettings, home, https, mysql, office } from "../../kit/resources";
import { takeBodies, takeWrites } from "../../kit/simulator";

const all: JsonObject = allServiceSettings;
const idOf = ({ simulator }: ResourceRun): string => simulator.account.serviceIds[0] ?? "";
const existing = (args: object) => deployResource(serviceSettingsDefinition, args);

/** A service whose lists other clients have edited. */
async function shared(lists: object): Promise<ResourceRun> {
  const run = await newRun(serviceSettingsDefinition);
  run.control.editService(idOf(run), lists);
  return run;
}

test("settings without fields send no request", async () => {
  const run = await newRun(serviceSettingsDefinition);
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
    const warning = [
      `warning: service ${idOf(run)} also has entries that the program does not declare: ipAccessList "203.0.113.9" ("unmanaged"), ` +
        '"203.0.113.10"; privateEndpointIds "vpce-unmanaged". The provider did not change them; to manage an entry, declare it.',
    ];
    expect(run.lines.splice(0)).toEqual(warning);
    const read = await run.lifecycle.read(before.id, before.outputs);
    expect(read?.outputs).toEqual(outputsAfterRead(before.outputs));
    run.lines.length = 0;
    await up(run, { name: "Shop", exclusive: false }, before);
    expect([run.lines, takeBodies(run.simulator)]).toEqual([warning, []]);
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
    `service ${id} stays as it is, because the deletionPolicy of its settings is "retain".`;
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
