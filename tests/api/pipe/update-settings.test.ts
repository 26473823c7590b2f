import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import type { JsonObject } from "../../kit/json";
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

interface Given {
  /** The name in the second program. */
  readonly name?: string;
  readonly ignoreSettings?: boolean;
  /** The status with which getPipeSettings fails. */
  readonly status?: number;
}

const ignored =
  'warning: pipe "orders" (ID): settings.dbmsMaxThreads was sent as 5, but the API returned 4. ';
const unread =
  'warning: pipe "orders" (ID): the provider sent the settings, but could not read them back (status 500). The service may have ignored them.';

test.each<[claim: string, given: Given, observed: number | undefined, warnings: string[]]>([
  ["are read back", {}, undefined, []],
  ["are read back when other fields change, too", { name: "renamed" }, undefined, []],
  ["that the service ignores are in observed, and cause a warning", { ignoreSettings: true }, 4, [ignored]],
  ["that the provider cannot read back cause a warning", { status: 500 }, undefined, [unread]],
  ["come from the answer of updatePipe if getPipeSettings returns 404", { status: 404 }, undefined, []],
])("changed settings %s", async (_, { name = "orders", status, ...options }, observed, warnings) => {
  const deployed = await deployResource(pipeDefinition, before, options);
  const { run, control } = deployed;
  if (status !== undefined) control.fault({ operationId: "getPipeSettings", kind: "status", status });
  const { id, outputs } = await up(run, { ...after, name }, deployed.before);
  expect(operationsOf(run)).toEqual(["updatePipe", "getPipeSettings"]);
  expect(outputs["settings"]).toEqual({ dbmsMaxThreads: 5 });
  const { settings } = outputs["observed"] as { settings: JsonObject };
  expect(settings["dbmsMaxThreads"]).toBe(observed);
  const lines = run.lines.map((line) => line.replace(id, "ID"));
  expect(lines).toEqual(warnings.map((warning) => expect.stringContaining(warning) as string));
});

test("settings are not read when only other fields change", async () => {
  const deployed = await deployResource(pipeDefinition, before);
  const { run } = deployed;
  const updated = await up(run, { ...before, name: "renamed" }, deployed.before);
  expect(operationsOf(run)).toEqual(["updatePipe"]);
  expect(updated.outputs["settings"]).toEqual({ dbmsMaxThreads: 4 });
  expect(run.lines).toEqual([]);
});
