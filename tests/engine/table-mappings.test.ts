import { complete, minimal, pipesProgram, withValue, type Json, type JsonObject } from "../../testkit/pipes";
import { newSimulator, pipeNamed, takeWrites } from "../../testkit/simulator";
import { deployed, newStack } from "../../testkit/stack";

const path = "source.postgres.tableMappings";
const mapping = (sourceTable: string, targetTable = sourceTable, more: JsonObject = {}): JsonObject => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable,
  ...more,
});
const orders = mapping("orders");
const returns = mapping("returns");
const refunds = mapping("refunds");

const add = (...mappings: JsonObject[]): JsonObject => ({
  source: { postgres: { tableMappingsToAdd: mappings } },
});
const remove = (...mappings: JsonObject[]): JsonObject => ({
  source: { postgres: { tableMappingsToRemove: mappings } },
});

const pipe = (mappings: JsonObject[]): JsonObject => withValue(minimal.postgres, path, mappings);

/** What the mappings are, what they become, and the PATCHes that this makes. */
const cases: Record<string, { from: JsonObject[]; to: JsonObject[]; bodies: Json[] }> = {
  "one is added": { from: [orders], to: [orders, returns], bodies: [add(returns)] },
  "one is removed": { from: [orders, returns], to: [orders], bodies: [remove(returns)] },
  "the order changes": { from: [orders, returns], to: [returns, orders], bodies: [] },
  "one changes in its other fields": {
    from: [orders, returns],
    to: [mapping("orders", "orders", { excludedColumns: ["internal"] }), returns],
    bodies: [remove(orders), add(mapping("orders", "orders", { excludedColumns: ["internal"] }))],
  },
  "one goes to another table": {
    from: [orders, returns],
    to: [mapping("orders", "orders_2"), returns],
    bodies: [remove(orders), add(mapping("orders", "orders_2"))],
  },
  "one is added and another removed": {
    from: [orders, returns],
    to: [orders, refunds],
    bodies: [{ source: { postgres: { tableMappingsToAdd: [refunds], tableMappingsToRemove: [returns] } } }],
  },
};

test("sends changed mappings as additions and removals, never both of one source table in one PATCH", async () => {
  const program = (key: "from" | "to") =>
    pipesProgram(Object.fromEntries(Object.entries(cases).map(([name, entry]) => [name, pipe(entry[key])])));
  const { simulator, stack } = await deployed(program("from"));
  const ids = new Map(simulator.control.state().pipes.map(({ id, name }) => [`/pipes/${id}`, name]));
  takeWrites(simulator);

  await stack.write(program("to"));
  await stack.up();
  const bodies = new Map<string, Json[]>(Object.keys(cases).map((name) => [name, []]));
  for (const call of takeWrites(simulator)) bodies.get(ids.get(call.path) ?? "")?.push(call.body);
  expect(Object.fromEntries(bodies)).toEqual(
    Object.fromEntries(Object.entries(cases).map(([name, entry]) => [name, entry.bodies])),
  );

  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await stack.preview({ expectNoChanges: true });
});

test("an update that stops half-way is finished by the next `up`", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({
    simulator,
    program: pipesProgram({ replica: complete.postgres }),
    config: { maxRetries: "0" },
  });
  await stack.up();
  takeWrites(simulator);

  const changed = withValue(complete.postgres, `${path}.0.excludedColumns`, ["internal", "secret"]);
  await stack.write(pipesProgram({ replica: changed }));
  simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 403, after: 1 });
  const failed = await stack.up({ expectFailure: true });
  expect(failed.output).toContain("403");
  expect(pipeNamed(simulator, "replica").source.postgres?.tableMappings).toHaveLength(1);
  takeWrites(simulator);

  await stack.up();
  const added = takeWrites(simulator).map(({ body }) => body);
  expect(added).toHaveLength(1);
  expect(added[0]).toMatchObject({
    source: {
      postgres: { tableMappingsToAdd: [{ sourceTable: "orders", excludedColumns: ["internal", "secret"] }] },
    },
  });
  expect(pipeNamed(simulator, "replica").source.postgres?.tableMappings).toHaveLength(2);
  await stack.preview({ expectNoChanges: true });
});
