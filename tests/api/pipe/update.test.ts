import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { changesOf, KINDS } from "../../kit/pipe-fields";
import { complete, creationBody, minimal, tableMapping as table } from "../../kit/pipes";
import { withValue, type Json, type JsonObject } from "../../kit/json";
import type { Fault } from "../../../simulator/src/index";
import { answer, takeBodies, takeWrites } from "../../kit/simulator";
import { deployResource, newRun, partialFailureOf, stateAfterRefresh, up } from "../../kit/run";

const orders: JsonObject = { name: "orders", ...minimal.kafka };
const renamed = { ...orders, name: "renamed" };
const tables = (...list: Json[]): JsonObject =>
  withValue({ ...minimal.postgres, name: "copy" }, "source.postgres.tableMappings", list);

const columns = [{ name: "id", type: "UInt64" }];
const texts = [{ name: "id", type: "String" }];
const fieldMappings = [{ sourceField: "$.id", destinationField: "id" }];
const renamedField = [{ sourceField: "$.key", destinationField: "id" }];
const mapped = { ...orders, destination: { table: "few", columns }, fieldMappings };
const mappedTexts = withValue(mapped, "destination.columns", texts);

const remapping = { fieldMappings: renamedField };
const remapped = { ...mapped, ...remapping };
const OTHER = table("b", "other");

const postgres = { name: "orders", ...complete.postgres };
const { credentials } = (complete.postgres["source"] as { postgres: JsonObject }).postgres;
const validated = (args: JsonObject, value: boolean): JsonObject =>
  withValue(args, "source.validateSamples", value);

const connection = Object.entries({ host: "other.host", port: 6543, database: "other" });
const bothChanged = { ...mappedTexts, fieldMappings: renamedField };
const [toAdd, toRemove] = [{ tableMappingsToAdd: [table("c")] }, { tableMappingsToRemove: [table("b")] }];
const [twoTables, threeTables] = [tables(table("a"), table("b")), tables(table("a"), OTHER, table("c"))];
const newName = validated({ name: "renamed" }, true);
const mappedAnew = validated({ ...threeTables, name: "renamed" }, false);
const first = { name: "renamed", source: { postgres: { ...toAdd, ...toRemove }, validateSamples: false } };
const second = { source: { postgres: { tableMappingsToAdd: [OTHER] }, validateSamples: false } };

test.each<[what: string, before: JsonObject, after: JsonObject, ...bodies: Json[]]>([
  ...connection.map(([name, value]): [string, JsonObject, JsonObject, Json] => [
    `the ${name} of a postgres source, with the credentials that the service tests it with`,
    postgres,
    withValue(postgres, `source.postgres.${name}`, value),
    { source: { postgres: { [name]: value, credentials: credentials ?? null }, validateSamples: true } },
  ]),
  ["a name", orders, renamed, { name: "renamed" }],
  ["what is sent along, only with another change", orders, validated(renamed, true), newName],
  ["what is sent along, without another change", orders, validated(orders, true)],
  ["field mappings, with the declared columns", mapped, remapped, { ...remapping, destination: { columns } }],
  ["columns, without the field mappings", mapped, mappedTexts, { destination: { columns: texts } }],
  ["columns and field mappings", mapped, bothChanged, { ...remapping, destination: { columns: texts } }],
  ["another mapping of one source table, after the first is gone", twoTables, mappedAnew, first, second],
])("an update sends no more than %s", async (_, args, after, ...bodies) => {
  const { run, before } = await deployResource(pipeDefinition, args);
  await up(run, after, before);
  expect(takeBodies(run.simulator)).toEqual(bodies);
});

test.each(KINDS)(
  "an update of a %s pipe sends each field alone, with what the API wants beside it",
  async (kind) => {
    const args = { name: "orders", ...withValue(complete[kind], "source.validateSamples", undefined) };
    for (const { path, to, bodies } of changesOf(kind).filter(({ onChange }) => onChange === "update")) {
      const { run, before } = await deployResource(pipeDefinition, args);
      await up(run, withValue(args, path, to), before);
      expect([path, takeBodies(run.simulator)]).toEqual([path, bodies]);
    }
  },
);

test("sends field mappings with the service's columns where the program declares none", async () => {
  const run = await newRun(pipeDefinition);
  const adopt = run.control.seedPipes([creationBody("orders", mapped)])[0]?.id ?? "";
  run.control.editPipe(adopt, { destination: { columns: [{ ...columns[0], comment: "of the server" }] } });
  const before = await up(run, { ...orders, fieldMappings, adopt });
  takeWrites(run.simulator);
  await up(run, { ...orders, fieldMappings: renamedField, adopt }, before);
  expect(takeBodies(run.simulator)).toEqual([{ fieldMappings: renamedField, destination: { columns } }]);
});

test("sends field mappings without columns where neither the program nor the service has them", async () => {
  const { run, before } = await deployResource(pipeDefinition, orders);
  const known = { ...before, outputs: { ...before.outputs, observed: {} } };
  const work = up(run, { ...orders, fieldMappings: renamedField }, known);
  await expect(work).rejects.toMatchObject({ code: "bad-request" });
  expect(takeBodies(run.simulator)).toEqual([{ fieldMappings: renamedField }]);
});

test("keeps a table mapping out of the state when the second of two requests fails, and then sends only it", async () => {
  const { run, control, before } = await deployResource(pipeDefinition, twoTables);
  control.fault({ operationId: "updatePipe", kind: "status", status: 400, after: 1 });
  const left = await partialFailureOf(up(run, threeTables, before));
  expect(left.id).toBe(before.id);
  const source = { postgres: { tableMappings: [table("a"), table("c")] } };
  expect(left.outputs).toMatchObject({ source, observed: { source } });
  takeWrites(run.simulator);
  await up(run, threeTables, left);
  expect(takeBodies(run.simulator)).toEqual([{ source: { postgres: { tableMappingsToAdd: [OTHER] } } }]);
});

test("takes what an answer leaves out as it was sent", async () => {
  const { run, before } = await deployResource(pipeDefinition, mapped, { profiles: ["sparse"] });
  const { outputs } = await up(run, mappedTexts, before);
  expect([run.lines, outputs["destination"]]).toEqual([[], mappedTexts["destination"]]);
  expect(outputs["observed"]).not.toHaveProperty("destination.columns");
});

test("a text with characters that control a terminal is not taken for an ignored one", async () => {
  const { run, before } = await deployResource(pipeDefinition, orders);
  await up(run, { ...orders, name: "or\u202eders" }, before);
  expect(run.lines).toEqual([]);
});

const threads = (dbmsMaxThreads: number): JsonObject => ({ settings: { dbmsMaxThreads } });
const unreadable = (status: number): Fault => ({ operationId: "getPipeSettings", kind: "status", status });
const read = ["updatePipe", "getPipeSettings"];
const SENT = 'warning: pipe "orders" (<id>): settings.dbmsMaxThreads was sent as 5, but the API returned 4. ';
const NONE = undefined;
const UNREAD =
  "warning: pipe <id>: the provider sent the settings, but could not read them back (status 500).";

test.each<
  [what: string, inputs: JsonObject, operations: string[], observed?: number, line?: string, fault?: Fault]
>([
  ["are read back also when other fields change", { name: "renamed", ...threads(5) }, read],
  ["are not read when only other fields change", { name: "renamed", ...threads(4) }, ["updatePipe"]],
  ["are read back, so that the state has the service's values", threads(5), read, 4, SENT],
  ["that cannot be read back cause a warning", threads(5), read, undefined, UNREAD, unreadable(500)],
  ["come from updatePipe where getPipeSettings returns 404", threads(5), read, NONE, NONE, unreadable(404)],
])("settings %s", async (...[, inputs, operations, observed, line, fault]) => {
  const args = { ...orders, ...threads(4) };
  const { run, control, before } = await deployResource(pipeDefinition, args, {
    ignoreSettings: line === SENT,
  });
  if (fault !== undefined) control.fault(fault);
  const { outputs } = await up(run, { ...orders, ...inputs }, before);
  expect(control.requests().map(({ operationId }) => operationId)).toEqual(operations);
  expect(outputs["settings"]).toEqual(inputs["settings"]);
  const { settings } = outputs["observed"] as { settings: JsonObject };
  expect(settings["dbmsMaxThreads"]).toBe(observed);
  const warned = run.lines.map((text) => text.replaceAll(before.id, "<id>"));
  expect(warned).toEqual(line === undefined ? [] : [expect.stringContaining(line)]);
});

test("keeps credentials that a service returns out of `observed`", async () => {
  const { run, control, before } = await deployResource(pipeDefinition, orders);
  const kafka = { credentials: { username: "u", password: "p" }, accessKey: {} };
  control.editPipe(before.id, { credentials: "of another kind", source: { kafka, validateSamples: true } });
  // The program declares the brokers and the topics, so nothing repeats them.
  const { observed } = (await stateAfterRefresh(run, before))?.outputs ?? {};
  expect(observed).toMatchObject({ credentials: "of another kind" });
  expect((observed as JsonObject)["source"]).toEqual({ kafka: { consumerGroup: expect.anything() as Json } });
});

test("an answer that leaves out whole parts of a pipe does not turn an update into a replacement", async () => {
  const { run, control, before } = await deployResource(pipeDefinition, orders);
  const faulty = answer({ id: before.id, name: "renamed", source: null });
  control.fault({ operationId: "updatePipe", ...faulty, processed: true });
  const after = await up(run, { ...orders, name: "renamed" }, before);
  expect(await up(run, { ...orders, name: "renamed" }, after)).toBe(after);
});

test("the state keeps a service's spelling through later updates, also with sparse answers", async () => {
  const args = (name: string) => ({
    ...minimal.kafka,
    name,
    destination: { table: "Few", columns: [{ name: "Note", type: "String" }] },
    fieldMappings: [{ sourceField: "$.note", destinationField: "Note" }],
  });
  const profiles = ["sparse", "lower-case"] as const;
  const { run, before } = await deployResource(pipeDefinition, args("a"), { profiles: [...profiles] });
  // Nothing reads the pipe between the update that meets the spelling and the next one.
  let pipe = await up(run, args("a"), await stateAfterRefresh(run, before));
  takeBodies(run.simulator);
  for (const name of ["b", "c"]) {
    for (const _ of ["the change", "the same"])
      pipe = (await stateAfterRefresh(run, await up(run, args(name), pipe))) ?? pipe;
    expect(takeBodies(run.simulator)).toEqual([{ name }]);
  }
});
