import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { allServiceSettings, home, https, mysql, office } from "../../kit/resources";
import { type ResourceRun, deployResource, newRun, up } from "../../kit/run";
import { takeBodies } from "../../kit/simulator";

const idOf = ({ simulator }: ResourceRun): string => simulator.account.serviceIds[0] ?? "";
const existing = (args: object) => deployResource(serviceSettingsDefinition, args);

/** A service whose lists other clients have edited. */
async function shared(lists: object): Promise<ResourceRun> {
  const run = await newRun(serviceSettingsDefinition);
  run.control.editService(idOf(run), lists);
  return run;
}

/** Forgets the requests and the lines so far. */
function clear(run: ResourceRun): void {
  run.control.clearRequests();
  run.lines.length = 0;
}

const addresses = [{ source: "203.0.113.9", description: "unmanaged" }, { source: "203.0.113.10" }];
/** The entries of other clients. */
const theirs = { ipAccessList: addresses, privateEndpointIds: ["vpce-unmanaged"] };

describe("entries that the program does not declare", () => {
  test("cause a warning at each change, and stay", async () => {
    const run = await shared(theirs);
    const before = await up(run, { name: "Shop" });
    expect(takeBodies(run.simulator)).toEqual([{ name: "Shop" }]);
    const warning =
      `warning: service ${idOf(run)} also has entries that the program does not declare: ipAccessList "203.0.113.9" ("unmanaged"), ` +
      '"203.0.113.10"; privateEndpointIds "vpce-unmanaged". The provider did not change them; to manage an entry, declare it.';
    expect(run.lines).toEqual([warning]);

    clear(run);
    await up(run, { name: "Shop", exclusive: false }, before);
    expect(takeBodies(run.simulator)).toEqual([]);
    expect(run.lines).toEqual([warning]);
  });
});

describe("exclusive settings", () => {
  const removal = { ipAccessList: { remove: addresses }, privateEndpointIds: { remove: ["vpce-unmanaged"] } };
  const nothingUnmanaged = { unmanagedIpAccessList: [], unmanagedPrivateEndpointIds: [] };
  const ofOffice = { ipAccessList: [office] };

  test("remove entries of others in a second request when other fields change, too", async () => {
    const run = await shared(theirs);
    const before = await up(run, ofOffice);
    clear(run);
    const { outputs } = await up(run, { ipAccessList: [office, home], exclusive: true }, before);
    expect(takeBodies(run.simulator)).toEqual([{ ipAccessList: { add: [home] } }, removal]);
    expect(run.lines).toEqual([]);
    expect(outputs).toMatchObject(nothingUnmanaged);
  });

  test("without another field read the service by an empty update first", async () => {
    const run = await shared({ privateEndpointIds: ["vpce-unmanaged"] });
    const { outputs } = await up(run, { exclusive: true });
    const removalOfId = { privateEndpointIds: { remove: ["vpce-unmanaged"] } };
    expect(takeBodies(run.simulator)).toEqual([{}, removalOfId]);
    expect(run.lines).toEqual([]);
    expect(outputs).toMatchObject(nothingUnmanaged);
  });

  test("also remove entries that other clients added since the last answer", async () => {
    const known = { source: "203.0.113.1" };
    const added = { source: "203.0.113.2" };
    const run = await shared({ ipAccessList: [known] });
    const before = await up(run, { name: "Shop" });
    run.control.editService(idOf(run), { ipAccessList: [known, added] });
    clear(run);
    const { outputs } = await up(run, { name: "Shop", exclusive: true }, before);
    expect(takeBodies(run.simulator)).toEqual([
      { ipAccessList: { remove: [known] } },
      { ipAccessList: { remove: [added] } },
    ]);
    expect(run.lines).toEqual([]);
    expect(outputs).toMatchObject(nothingUnmanaged);
  });

  test("remove what the last answer did not list, too, once they become exclusive", async () => {
    const run = await shared(ofOffice);
    const before = await up(run, ofOffice);
    run.control.editService(idOf(run), { ipAccessList: [office, home] });
    clear(run);
    const { outputs } = await up(run, { ...ofOffice, exclusive: true }, before);
    expect(takeBodies(run.simulator)).toEqual([{}, { ipAccessList: { remove: [home] } }]);
    expect(outputs).toMatchObject(nothingUnmanaged);
  });
});

describe("settings that the program no longer declares", () => {
  const ids = { privateEndpointIds: ["vpce-1"], deletionPolicy: "delete" };
  const removal = { privateEndpointIds: { remove: ["vpce-1"] } };

  test("stay as they are by default, and a line says so", async () => {
    const { run, before } = await existing(allServiceSettings);
    run.nextRun();
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual([]);
    expect(run.lines).toEqual([
      `ServiceSettings ${before.id} stays as it is: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.`,
    ]);
  });

  test("are deleted where the service no longer exists, and a line says so", async () => {
    const { run, control, before } = await existing(ids);
    control.fault({ operationId: "updateService", kind: "status", status: 404 });
    run.nextRun();
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual([removal]);
    expect(run.lines).toEqual([
      `service ${before.id} no longer exists (404), so there are no entries to remove.`,
    ]);
  });

  test("stay in the state where the service refuses the removal", async () => {
    const { run, control, before } = await existing(ids);
    control.fault({ operationId: "updateService", kind: "status", status: 400 });
    const work = run.lifecycle.delete(before.id, before.outputs);
    await expect(work).rejects.toMatchObject({ code: "bad-request" });
    expect(run.lines).toEqual([]);
  });
});

describe("endpoints that the program no longer declares", () => {
  test.each([
    { endpoints: [https], named: '"mysql"' },
    { endpoints: [], named: '"mysql", "https"' },
  ])("stay, and the first preview alone names $named", async ({ endpoints, named }) => {
    const { run, before } = await existing({ endpoints: [mysql, https] });
    run.nextRun();
    const after = await up(run, { endpoints }, before);
    run.nextRun();
    await up(run, { endpoints }, after);
    expect(run.lines).toEqual([
      `warning: ServiceSettings ${before.id}: the program no longer declares ${named} in endpoints. ` +
        "The service keeps the current values, because the API cannot unset a field.",
    ]);
    expect(takeBodies(run.simulator)).toEqual([]);
  });
});
