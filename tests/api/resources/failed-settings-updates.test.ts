import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { FaultKind } from "../../../simulator/src/index";
import { failureOf } from "../../kit/client";
import {
  deployResource,
  newRun,
  partialFailureOf,
  stateAfterRefresh,
  up,
  type ResourceRun,
} from "../../kit/run";
import type { JsonObject } from "../../kit/json";
import { takeBodies } from "../../kit/simulator";

const two = { source: "10.0.0.2" };
const three = { source: "10.0.0.3" };
const operationId = "updateService";
const ips = (...ipAccessList: JsonObject[]) => ({ ipAccessList });
const adds = (...add: JsonObject[]) => ({ ipAccessList: { add } });
const removes = (...remove: JsonObject[]) => ({ ipAccessList: { remove } });

const entries = ({ control }: ResourceRun) => control.state().services[0]?.ipAccessList;

const lost: [what: string, fault: FaultKind][] = [
  ["after the service carried it out", { kind: "reset-after" }],
  ["before the service carried it out", { kind: "reset-before" }],
  ["behind a gateway", { kind: "status", status: 504, processed: true }],
];

describe.each(lost)("an update whose answer is lost %s", (_, fault) => {
  test("in every attempt leaves the state as it was, and the next run sends it again", async () => {
    const { run, control, before } = await deployResource(serviceSettingsDefinition, ips(two));
    control.fault({ operationId, ...fault });
    await failureOf(up(run, ips(three), before));
    await up(run, ips(three), before);
    const body = { ipAccessList: { add: [three], remove: [two] } };
    expect(takeBodies(run.simulator)).toEqual([body, body]);
    expect(entries(run)).toEqual([three]);
  });

  test("creates the resource in the next run, which sends it again", async () => {
    const run = await newRun(serviceSettingsDefinition);
    run.control.fault({ operationId, ...fault });
    await failureOf(up(run, ips(two)));
    const { outputs } = await up(run, ips(two));
    expect(takeBodies(run.simulator)).toEqual([adds(two), adds(two)]);
    expect(outputs).toMatchObject({ ...ips(two), unmanagedIpAccessList: [] });
  });

  test("removes declared entries of a deleted resource in the next run", async () => {
    const args = { ...ips(two, three), deletionPolicy: "delete" };
    const { run, control, before } = await deployResource(serviceSettingsDefinition, args);
    control.fault({ operationId, ...fault });
    await failureOf(run.lifecycle.delete(before.id, before.outputs));
    await run.lifecycle.delete(before.id, before.outputs);
    expect(takeBodies(run.simulator)).toEqual([removes(two, three), removes(two, three)]);
    expect(entries(run)).toEqual([]);
  });
});

describe("exclusive settings whose removal of an entry of another client fails", () => {
  const args = { ...ips(two), exclusive: true };

  async function failed(fault: FaultKind) {
    const run = await newRun(serviceSettingsDefinition);
    run.control.editService(run.simulator.account.serviceIds[0] ?? "", ips(three));
    run.control.fault({ operationId, ...fault, after: 1 });
    const left = await partialFailureOf(up(run, args));
    expect(takeBodies(run.simulator)).toEqual([adds(two), removes(three)]);
    expect(left.outputs).toMatchObject({
      ...args,
      unmanagedIpAccessList: [three],
      observed: ips(three, two),
    });
    return { run, left: (await stateAfterRefresh(run, left)) ?? left };
  }

  const failures: [what: string, fault: FaultKind][] = [
    ...lost,
    ["because the service refuses it", { kind: "status", status: 400 }],
  ];

  test.each(failures)(
    "%s remove it in the next run, also after a refresh, and then send nothing",
    async (_, fault) => {
      const { run, left } = await failed(fault);
      run.lines.length = 0;
      const after = await up(run, args, left);
      expect(await up(run, args, after)).toBe(after);
      expect(takeBodies(run.simulator)).toEqual([removes(three)]);
      expect(entries(run)).toEqual([two]);
      expect(run.lines).toEqual([]);
    },
  );

  test("leave it there when they are exclusive no longer", async () => {
    const { run, left } = await failed({ kind: "status", status: 400 });
    await up(run, { ...args, exclusive: false }, left);
    expect(takeBodies(run.simulator)).toEqual([]);
    expect(entries(run)).toEqual([three, two]);
  });
});
