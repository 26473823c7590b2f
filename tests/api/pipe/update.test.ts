import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { type Json, type JsonObject, withValue } from "../../kit/json";
import { KINDS, changesOf } from "../../kit/pipe-fields";
import { complete, creationBody, minimal, tableMapping } from "../../kit/pipes";
import { deployResource, newRun, partialFailureOf, up } from "../../kit/run";
import { takeBodies } from "../../kit/simulator";

const orders: JsonObject = { name: "orders", ...minimal.kafka };

/** The bodies of the PATCHes that turn one declared pipe into the other. */
async function bodiesBetween(before: JsonObject, after: JsonObject): Promise<unknown[]> {
  const deployed = await deployResource(pipeDefinition, before);
  await up(deployed.run, after, deployed.before);
  return takeBodies(deployed.run.simulator);
}

describe("an update of one field", () => {
  const rows = KINDS.flatMap((kind) => changesOf(kind).filter(({ onChange }) => onChange === "update"));

  test.each(rows)("sends no other field of a $kind pipe: $path", async ({ kind, path, to, bodies }) => {
    const args = { name: "orders", ...withValue(complete[kind], "source.validateSamples", undefined) };
    expect(await bodiesBetween(args, withValue(args, path, to))).toEqual(bodies);
  });
});

describe("validateSamples", () => {
  const validated = withValue(orders, "source.validateSamples", true);

  test("is sent with another change", async () => {
    const body = { name: "renamed", source: { validateSamples: true } };
    expect(await bodiesBetween(orders, { ...validated, name: "renamed" })).toEqual([body]);
  });

  test("is not sent without another change", async () => {
    expect(await bodiesBetween(orders, validated)).toEqual([]);
  });
});

describe("field mappings", () => {
  const columns = [{ name: "id", type: "UInt64" }];
  const texts = [{ name: "id", type: "String" }];
  const fieldMappings = [{ sourceField: "$.id", destinationField: "id" }];
  const otherMappings = [{ sourceField: "$.key", destinationField: "id" }];
  const mapped: JsonObject = { ...orders, destination: { table: "few", columns }, fieldMappings };

  test("are sent with changed columns in one PATCH, if both change", async () => {
    const both = withValue({ ...mapped, fieldMappings: otherMappings }, "destination.columns", texts);
    const body = { fieldMappings: otherMappings, destination: { columns: texts } };
    expect(await bodiesBetween(mapped, both)).toEqual([body]);
  });

  test("are sent with the service's columns where the program declares none", async () => {
    const run = await newRun(pipeDefinition);
    const adopt = run.control.seedPipes([creationBody("orders", mapped)])[0]?.id ?? "";
    run.control.editPipe(adopt, { destination: { columns: [{ ...columns[0], comment: "of the server" }] } });
    const before = await up(run, { ...orders, fieldMappings, adopt });
    takeBodies(run.simulator);
    await up(run, { ...orders, fieldMappings: otherMappings, adopt }, before);
    expect(takeBodies(run.simulator)).toEqual([{ fieldMappings: otherMappings, destination: { columns } }]);
  });

  test("are sent alone where neither the program nor the service has columns", async () => {
    const { run, before } = await deployResource(pipeDefinition, orders);
    const known = { ...before, outputs: { ...before.outputs, observed: {} } };
    const work = up(run, { ...orders, fieldMappings: otherMappings }, known);
    await expect(work).rejects.toMatchObject({ code: "bad-request" });
    expect(takeBodies(run.simulator)).toEqual([{ fieldMappings: otherMappings }]);
  });
});

describe("table mappings", () => {
  const a = tableMapping("a");
  const b = tableMapping("b");
  const otherA = tableMapping("a", "another");
  const otherB = tableMapping("b", "other");
  const c = tableMapping("c");
  const withTables = (...mappings: Json[]): JsonObject =>
    withValue({ ...minimal.postgres, name: "copy" }, "source.postgres.tableMappings", mappings);
  const before = withTables(a, b);
  const after = withTables(a, otherB, c);

  test("have other changes in the first PATCH, and validateSamples in both", async () => {
    const changed = withValue({ ...after, name: "renamed" }, "source.validateSamples", false);
    const first = { tableMappingsToAdd: [c], tableMappingsToRemove: [b] };
    const second = { tableMappingsToAdd: [otherB] };
    expect(await bodiesBetween(before, changed)).toEqual([
      { name: "renamed", source: { postgres: first, validateSamples: false } },
      { source: { postgres: second, validateSamples: false } },
    ]);
  });

  test("that the second PATCH failed to add are not in the state, and the next up adds them", async () => {
    const deployed = await deployResource(pipeDefinition, before);
    const { run, control } = deployed;
    control.fault({ operationId: "updatePipe", kind: "status", status: 400, after: 1 });
    const bothChanged = withTables(otherA, otherB, c);
    const left = await partialFailureOf(up(run, bothChanged, deployed.before));
    expect(left.id).toBe(deployed.before.id);
    const source = { postgres: { tableMappings: [c] } };
    expect(left.outputs).toMatchObject({ source, observed: { source } });

    takeBodies(run.simulator);
    await up(run, bothChanged, left);
    const added = [otherA, otherB];
    expect(takeBodies(run.simulator)).toEqual([{ source: { postgres: { tableMappingsToAdd: added } } }]);
  });
});
