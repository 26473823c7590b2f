import { expectNoChanges, writesByPipe } from "./expectations";
import { valueAt } from "../kit/deployment";
import { mapValues } from "../kit/json";
import { complete, creationBody, minimal, pipesProgram, withOwnDatabases } from "../kit/pipes";
import { isNative, outputs, tokenOf } from "../kit/program";
import { type Simulator, newSimulator, pipeNamed, requestCounts, takeWrites } from "../kit/simulator";
import { type TestStack, newStack } from "../kit/stack";

const pipes = withOwnDatabases({
  ...complete,
  ...Object.fromEntries(Object.entries(minimal).map(([kind, args]) => [`minimal-${kind}`, args])),
});

const posts = mapValues(pipes, (args, name) => [["POST", creationBody(name, args)]]);

const shown = ["id", "name", "state", "createdAt", "updatedAt", "organizationId", "serviceId", "source"];

test("sends one POST per pipe, then no change; the outputs have the declared and filled values", async () => {
  const simulator = await newSimulator();
  const program = `${pipesProgram(pipes)}
    const pipe = new datapipes.Pipe("orders", ${JSON.stringify(minimal.kafka)});
    ${outputs(Object.fromEntries([...shown, "settings", "observed"].map((name) => [name, `pipe.${name}`])))}`;
  const stack = await newStack({ simulator, program });
  const preview = await stack.preview();
  // The list shows what the new pipes would load twice.
  expect(requestCounts(simulator)).toEqual({ listPipes: 1 });
  expect(preview.output).toContain(`${Object.keys(pipes).length + 2} to create`);

  await stack.up();
  const orders = [["POST", creationBody("orders", minimal.kafka)]];
  expect(writesByPipe(simulator)).toEqual({ ...posts, orders });
  await expectOutputs(stack, simulator);

  await stack.preview({ expectNoChanges: true });
  await stack.up({ flags: ["--expect-no-changes"] });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await expectNoChanges(stack);
  expect(takeWrites(simulator)).toEqual([]);
});

async function expectOutputs(stack: TestStack, simulator: Simulator): Promise<void> {
  const { organizationId, serviceIds } = simulator.account;
  const { id, createdAt, updatedAt } = pipeNamed(simulator, "orders");
  const { observed, ...declared } = await stack.outputs();
  expect(declared).toEqual({
    id,
    name: "orders",
    state: "Running",
    createdAt,
    updatedAt,
    organizationId,
    serviceId: serviceIds[0],
    source: minimal.kafka["source"],
  });
  expect(observed).toMatchObject({
    destination: { database: "default", managedTable: true },
    settings: { streamingMaxInsertWaitMs: 5000, dbmsParallelViewProcessing: false },
    scaling: { replicas: 1 },
  });
  const { type, inputs, outputs: stored } = (await stack.export()).named("orders");
  // The state refers to the installed provider: by the type, and for a dynamic resource by a text that never changes.
  expect(type).toBe(tokenOf("Pipe"));
  const handler = 'exports.handler = () => require("pulumi-datapipes/runtime").handler("Pipe");';
  for (const side of [inputs, stored]) expect(side?.["__provider"]).toBe(isNative ? undefined : handler);
  expect(valueAt(inputs, "serviceId")).toBe(serviceIds[0]);
}
