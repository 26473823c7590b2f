import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { type JsonObject, withValue } from "../../kit/json";
import { minimal, tableMapping } from "../../kit/pipes";
import { deployResource, stateAfterRefresh, up } from "../../kit/run";
import { answer, pipeNamed, takeBodies } from "../../kit/simulator";

const orders: JsonObject = { name: "orders", ...minimal.kafka };

test("a field that a sparse answer leaves out has the declared value in the state", async () => {
  const destination = { table: "few", columns: [{ name: "id", type: "UInt64" }] };
  const fieldMappings = [{ sourceField: "$.id", destinationField: "id" }];
  const mapped = { ...orders, destination, fieldMappings };
  const { run, before } = await deployResource(pipeDefinition, mapped, { profiles: ["sparse"] });

  const changed = withValue(mapped, "destination.columns", [{ name: "id", type: "String" }]);
  const { outputs } = await up(run, changed, before);
  expect(outputs["destination"]).toEqual(changed["destination"]);
  expect(outputs["observed"]).not.toHaveProperty("destination.columns");
  expect(run.lines).toEqual([]);
});

test("an empty list that was not declared before clears what the service has", async () => {
  const { run, control, before } = await deployResource(pipeDefinition, orders);
  const endpoints = ["0a1b2c3d-0000-4000-8000-00000000000a"];
  control.editPipe(before.id, { source: { kafka: { reversePrivateEndpointIds: endpoints } } });
  const refreshed = await stateAfterRefresh(run, before);
  takeBodies(run.simulator);

  const cleared = withValue(orders, "source.kafka.reversePrivateEndpointIds", []);
  await up(run, cleared, refreshed);
  expect(takeBodies(run.simulator)).toEqual([{ source: { kafka: { reversePrivateEndpointIds: [] } } }]);
});

test("an answer that leaves out parts of a pipe changes no output and no plan of them", async () => {
  const { run, control, before } = await deployResource(pipeDefinition, orders);
  const renamed = { ...orders, name: "renamed" };
  const sparse = answer({ id: before.id, name: "renamed", source: null });
  control.fault({ operationId: "updatePipe", ...sparse, processed: true });
  const after = await up(run, renamed, before);
  const { state, createdAt } = before.outputs;
  expect(after.outputs).toMatchObject({ state, createdAt, source: before.outputs["source"] });
  expect(await up(run, renamed, after)).toBe(after);
});

describe("after an update, what another client", () => {
  const withRole = (iamRole: string): JsonObject => withValue(orders, "source.kafka.iamRole", iamRole);
  const tables = (...names: string[]): JsonObject => ({
    name: "orders",
    ...withValue(
      minimal.postgres,
      "source.postgres.tableMappings",
      names.map((name) => tableMapping(name)),
    ),
  });

  test("sets back is drift, which one more update repairs", async () => {
    const { run, control, before } = await deployResource(pipeDefinition, withRole("old"));
    const after = await up(run, withRole("new"), before);
    control.editPipe(before.id, { source: { kafka: { iamRole: "old" } } });
    const refreshed = await stateAfterRefresh(run, after);
    expect(refreshed?.outputs).toMatchObject({ source: { kafka: { iamRole: "old" } } });
    takeBodies(run.simulator);
    await up(run, withRole("new"), refreshed);
    expect(takeBodies(run.simulator)).toEqual([{ source: { kafka: { iamRole: "new" } } }]);
  });

  test("removes again is drift", async () => {
    const { run, control, before } = await deployResource(pipeDefinition, tables("orders"));
    const after = await up(run, tables("orders", "lines"), before);
    const source = { postgres: { tableMappings: [tableMapping("orders")] } };
    control.editPipe(before.id, { source });
    const refreshed = await stateAfterRefresh(run, after);
    expect(refreshed?.outputs).toMatchObject({ source });
  });

  test("did before is no drift while the list is behind", async () => {
    const { run, control, before } = await deployResource(pipeDefinition, withRole("old"));
    const { serviceId: _, ...old } = structuredClone(pipeNamed(run.simulator, "orders"));
    control.advance(120);
    const after = await up(run, withRole("new"), before);
    control.fault({ operationId: "listPipes", ...answer([old]) });
    expect((await stateAfterRefresh(run, after))?.outputs).toEqual(after.outputs);
  });
});

describe("another format of the service", () => {
  const named = (name: string): JsonObject => ({
    name,
    ...minimal.kafka,
    destination: { table: "Few", columns: [{ name: "Note", type: "String" }] },
    fieldMappings: [{ sourceField: "$.note", destinationField: "Note" }],
  });

  test("stays known through later updates, also with sparse answers", async () => {
    const { run, before } = await deployResource(pipeDefinition, named("a"), {
      profiles: ["sparse", "lower-case"],
    });
    // No read comes between the update that meets the format and the next one.
    let pipe = await up(run, named("a"), await stateAfterRefresh(run, before));
    takeBodies(run.simulator);
    for (const name of ["b", "c"]) {
      pipe = await up(run, named(name), pipe);
      pipe = (await stateAfterRefresh(run, pipe)) ?? pipe;
      pipe = await up(run, named(name), pipe);
      pipe = (await stateAfterRefresh(run, pipe)) ?? pipe;
      expect(takeBodies(run.simulator)).toEqual([{ name }]);
    }
  });
});
