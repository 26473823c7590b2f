import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import type { JsonObject } from "../../kit/json";
import type { DeployedResource } from "../../kit/lifecycle";
import { minimal } from "../../kit/pipes";
import { type ResourceRun, deployResource, up } from "../../kit/run";

const withThreads = (dbmsMaxThreads: number): JsonObject => ({
  name: "orders",
  ...minimal.kafka,
  settings: { dbmsMaxThreads },
});

const before = withThreads(4);
const after = withThreads(5);

const operationsOf = ({ control }: ResourceRun): unknown[] =>
  control.requests().map(({ operationId }) => operationId);

const observedThreads = ({ outputs }: DeployedResource): unknown => {
  const { settings } = outputs["observed"] as { settings: JsonObject };
  return settings["dbmsMaxThreads"];
};

describe("changed settings", () => {
  test("are read back", async () => {
    const deployed = await deployResource(pipeDefinition, before);
    const { run } = deployed;
    const updated = await up(run, after, deployed.before);
    expect(operationsOf(run)).toEqual(["updatePipe", "getPipeSettings"]);
    expect(updated.outputs["settings"]).toEqual({ dbmsMaxThreads: 5 });
    expect(observedThreads(updated)).toBeUndefined();
    expect(run.lines).toEqual([]);
  });

  test("are read back when other fields change, too", async () => {
    const deployed = await deployResource(pipeDefinition, before);
    const { run } = deployed;
    await up(run, { ...after, name: "renamed" }, deployed.before);
    expect(operationsOf(run)).toEqual(["updatePipe", "getPipeSettings"]);
    expect(run.lines).toEqual([]);
  });

  test("that the service ignores are in observed with its values, and a warning names both", async () => {
    const deployed = await deployResource(pipeDefinition, before, { ignoreSettings: true });
    const { run } = deployed;
    const updated = await up(run, after, deployed.before);
    expect(updated.outputs["settings"]).toEqual({ dbmsMaxThreads: 5 });
    expect(observedThreads(updated)).toBe(4);
    const warning =
      `warning: pipe "orders" (${updated.id}): settings.dbmsMaxThreads was sent as 5, ` +
      "but the API returned 4. ";
    expect(run.lines).toEqual([expect.stringContaining(warning)]);
  });

  test("that the provider cannot read back cause a warning", async () => {
    const deployed = await deployResource(pipeDefinition, before);
    const { run, control } = deployed;
    control.fault({ operationId: "getPipeSettings", kind: "status", status: 500 });
    const updated = await up(run, after, deployed.before);
    expect(updated.outputs["settings"]).toEqual({ dbmsMaxThreads: 5 });
    expect(observedThreads(updated)).toBeUndefined();
    const warning =
      `warning: pipe ${updated.id}: the provider sent the settings, but could not read them back ` +
      "(status 500).";
    expect(run.lines).toEqual([expect.stringContaining(warning)]);
  });

  test("come from the answer of updatePipe where getPipeSettings returns 404", async () => {
    const deployed = await deployResource(pipeDefinition, before);
    const { run, control } = deployed;
    control.fault({ operationId: "getPipeSettings", kind: "status", status: 404 });
    const updated = await up(run, after, deployed.before);
    expect(operationsOf(run)).toEqual(["updatePipe", "getPipeSettings"]);
    expect(updated.outputs["settings"]).toEqual({ dbmsMaxThreads: 5 });
    expect(observedThreads(updated)).toBeUndefined();
    expect(run.lines).toEqual([]);
  });
});

test("settings are not read when only other fields change", async () => {
  const deployed = await deployResource(pipeDefinition, before);
  const { run } = deployed;
  const updated = await up(run, { ...before, name: "renamed" }, deployed.before);
  expect(operationsOf(run)).toEqual(["updatePipe"]);
  expect(updated.outputs["settings"]).toEqual({ dbmsMaxThreads: 4 });
  expect(run.lines).toEqual([]);
});
