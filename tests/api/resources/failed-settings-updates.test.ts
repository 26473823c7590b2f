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
const allowing = (...ipAccessList: JsonObject[]) => ({ ipAccessList });

const entries = ({ control }: ResourceRun) => control.state().services[0]?.ipAccessList;

const lost: [what: string, fault: FaultKind][] = [
  ["is lost after the service carried it out", { kind: "reset-after" }],
  ["is lost before the service carried it out", { kind: "reset-before" }],
  ["is that of a gateway", { kind: "status", status: 504, processed: true }],
];

test.each(lost)("an update whose answer %s is sent again by the next run", async (_, fault) => {
  const { run, control, before } = await deployResource(serviceSettingsDefinition, allowing(two));
  control.fault({ operationId, ...fault });
  await failureOf(up(run, allowing(three), before));
  await up(run, allowing(three), before);
  const body = { ipAccessList: { add: [three], remove: [two] } };
  expect(takeBodies(run.simulator)).toEqual([body, body]);
  expect(entries(run)).toEqual([three]);
});

test.each([...lost, ["is a refusal", { kind: "status", status: 400 }] as const])(
  "a removal by exclusive settings whose answer %s is repeated by the next run",
  async (_, fault) => {
    const args = { ...allowing(two), exclusive: true };
    const run = await newRun(serviceSettingsDefinition);
    run.control.editService(run.simulator.account.serviceIds[0] ?? "", allowing(three));
    // The first request adds, the second one removes.
    run.control.fault({ operationId, ...fault, after: 1 });
    const left = await partialFailureOf(up(run, args));
    const removal = { ipAccessList: { remove: [three] } };
    expect(takeBodies(run.simulator)).toEqual([{ ipAccessList: { add: [two] } }, removal]);
    const read = await stateAfterRefresh(run, left);
    run.lines.length = 0;
    await up(run, args, read);
    expect(takeBodies(run.simulator)).toEqual([removal]);
    expect(entries(run)).toEqual([two]);
    expect(run.lines).toEqual([]);
  },
);
