import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { answer, takeBodies } from "../../kit/simulator";
import { newRun, up, type ResourceRun } from "../../kit/run";
import type { JsonObject } from "../../kit/json";
import { home } from "../../kit/resources";

/** An entry that the program does not declare. */
const theirs = { source: "203.0.113.9/32", description: "vpn" };
const spaced = { source: "10.0.0.1", description: " office " };
const others = { source: "2001:DB8::1" };

/** A service that lists these entries, and spells addresses as networks. */
async function against(...ipAccessList: JsonObject[]) {
  const run = await newRun(serviceSettingsDefinition, { profiles: ["cidr"] });
  const [id = ""] = run.simulator.account.serviceIds;
  const list = (...entries: JsonObject[]) => run.control.editService(id, { ipAccessList: entries });
  list(...ipAccessList);
  /** Answers the next update with these entries. */
  const answerWith = (...entries: JsonObject[]) =>
    run.control.fault({ operationId: "updateService", ...answer({ id, ipAccessList: entries }) });
  return Object.assign(run, { id, list, answerWith });
}

const listedBy = ({ control }: ResourceRun) => control.state().services[0]?.ipAccessList;

describe("an entry that the service spells in another way", () => {
  test("counts as declared: exclusive keeps it, and no output or warning names it", async () => {
    const run = await against(theirs);
    const { outputs } = await up(run, { ipAccessList: [spaced, others], exclusive: true });
    expect(listedBy(run)).toEqual([
      { source: "10.0.0.1/32", description: "office" },
      { source: "2001:DB8::1/128" },
    ]);
    expect(takeBodies(run.simulator)).toEqual([
      { ipAccessList: { add: [spaced, others] } },
      { ipAccessList: { remove: [theirs] } },
    ]);
    expect(outputs).toMatchObject({ ipAccessList: [spaced, others], unmanagedIpAccessList: [] });
    expect(run.lines).toEqual([]);
  });

  test("causes a warning when the service still lists it after its removal", async () => {
    const run = await against();
    run.control.setBehaviour({ profiles: [] });
    const { id, outputs } = await up(run, { ipAccessList: [home], deletionPolicy: "delete" });
    // The service has changed its format since the last answer.
    run.list({ source: "192.0.2.7/32" });
    run.nextRun();
    await run.lifecycle.delete(id, outputs);
    expect(run.lines).toEqual([
      `warning: service ${run.id} still lists entries after the request to remove them: ipAccessList "192.0.2.7/32". Remove them in ` +
        "the service's console.",
    ]);
  });
});

describe("exclusive settings of a service that lists a declared entry in an unknown format", () => {
  const desk = { source: "10.0.0.1" };
  const range = { source: "10.0.0.0/24" };
  const formats: [what: string, listed: JsonObject][] = [
    ["as a range", range],
    ["as a word", { source: "office-network" }],
    ["with another description", { source: "10.0.0.1", description: "added by the API" }],
    ["in another form", { cidr: "10.0.0.1/32" }],
  ];

  test.each(formats)("remove nothing, in any run: %s", async (_, listed) => {
    const run = await against();
    const other = { source: "203.0.113.9" };
    const lists = { ipAccessList: [listed, other], privateEndpointIds: ["vpce-9"] };
    run.control.fault({ operationId: "updateService", ...answer({ id: run.id, ...lists }), times: "always" });
    const args = { ipAccessList: [desk], exclusive: true };
    let state = await up(run, args);
    state = await up(run, args, state);
    state = await up(run, { ...args, name: "Shop" }, state);
    state = await up(run, { ...args, name: "Shop", ipAccessList: [desk, other] }, state);
    state = await up(run, { ...args, name: "Shop", ipAccessList: [desk] }, state);
    expect(takeBodies(run.simulator)).toEqual([
      { ipAccessList: { add: [desk] } },
      { name: "Shop" },
      { ipAccessList: { add: [other] } },
      { ipAccessList: { remove: [other] } },
    ]);
    expect(state.outputs).toMatchObject({ unmanagedPrivateEndpointIds: ["vpce-9"] });
  });

  test("warn of it", async () => {
    const run = await against();
    run.answerWith(theirs, range);
    await up(run, { ipAccessList: [desk], exclusive: true });
    expect(run.lines).toEqual([
      `warning: service ${run.id} does not list what the program declares: ipAccessList "10.0.0.1". It lists ipAccessList ` +
        '"203.0.113.9/32" ("vpn"), "10.0.0.0/24" instead. The provider removed none of these: if one is the same entry in another ' +
        "format, declare it as the service lists it.",
    ]);
  });

  test("work again when the program declares it in that format", async () => {
    const run = await against();
    run.answerWith(theirs, range);
    const before = await up(run, { ipAccessList: [desk], exclusive: true });
    run.list(theirs, range);
    takeBodies(run.simulator);
    run.lines.length = 0;
    const after = await up(run, { ipAccessList: [range], exclusive: true }, before);
    // A service that takes the old format for the new one must not be asked to remove it.
    expect(takeBodies(run.simulator)).toEqual([
      { ipAccessList: { add: [range] } },
      { ipAccessList: { remove: [theirs] } },
    ]);
    expect(listedBy(run)).toEqual([range]);
    expect(run.lines).toEqual([]);
    expect(await up(run, { ipAccessList: [range], exclusive: true }, after)).toBe(after);
  });

  test("remove nothing where the service does not list the entry, and a warning says so", async () => {
    const run = await against();
    run.answerWith();
    await up(run, { ipAccessList: [desk], exclusive: true });
    expect(takeBodies(run.simulator)).toEqual([{ ipAccessList: { add: [desk] } }]);
    expect(run.lines).toEqual([
      `warning: service ${run.id} does not list what the program declares: ipAccessList "10.0.0.1".`,
    ]);
  });
});

test("a deletion keeps an entry that the service lists in an unknown format, and warns of it", async () => {
  const run = await against();
  run.answerWith({ source: "10.0.0.0/24" }, home);
  const args = { ipAccessList: [{ source: "10.0.0.1" }, home], deletionPolicy: "delete" };
  const { id, outputs } = await up(run, args);
  run.nextRun();
  takeBodies(run.simulator);
  run.lines.length = 0;
  await run.lifecycle.delete(id, outputs);
  expect(takeBodies(run.simulator)).toEqual([{ ipAccessList: { remove: [home] } }]);
  expect(run.lines).toEqual([
    `warning: service ${id} does not list ipAccessList "10.0.0.1": the provider cannot remove it.`,
  ]);
});

test("exclusive settings send an ignored removal once in a run, and name what stays", async () => {
  const run = await against(theirs);
  const ignored = answer({ id: run.id, ipAccessList: [theirs] });
  run.control.fault({ operationId: "updateService", ...ignored, times: "always" });
  const before = await up(run, { ipAccessList: [], exclusive: true });
  takeBodies(run.simulator);
  run.lines.length = 0;
  await up(run, { ipAccessList: [], exclusive: true }, before);
  expect(takeBodies(run.simulator)).toEqual([{ ipAccessList: { remove: [theirs] } }]);
  expect(run.lines).toEqual([
    `warning: service ${run.id} still lists entries after the request to remove them: ipAccessList "203.0.113.9/32" ` +
      `("vpn"). Remove them in the service's console.`,
  ]);
});
