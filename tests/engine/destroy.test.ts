import { retainMark } from "../../testkit/adapter";
import { minimal, pipesProgram, type JsonObject } from "../../testkit/pipes";
import { newSimulator, pipeNamed, takeWrites, type SimulatorOptions } from "../../testkit/simulator";
import { deployed, newStack, type TestStack } from "../../testkit/stack";

const deletable: JsonObject = { ...minimal.kafka, deletionPolicy: "delete" };

/** A stack with one pipe, and without retries. */
async function stackOf(args: JsonObject, options: SimulatorOptions = {}) {
  const simulator = await newSimulator(options);
  const program = pipesProgram({ orders: args });
  const stack = await newStack({ simulator, program, config: { maxRetries: "0" } });
  await stack.up();
  const { id } = pipeNamed(simulator, "orders");
  takeWrites(simulator);
  return { simulator, stack, id };
}

async function pipesIn(stack: TestStack): Promise<number> {
  return (await stack.export()).ofType("Pipe").length;
}

test("keeps the pipe by default, and Pulumi shows that it is retained", async () => {
  const { simulator, stack, id } = await stackOf(minimal.kafka);
  expect((await stack.pulumi(["destroy", "--preview-only"])).output).toMatch(
    new RegExp(`Pipe orders delete${retainMark}`),
  );
  const { output } = await stack.destroy();
  expect(takeWrites(simulator)).toEqual([]);
  expect(pipeNamed(simulator, "orders").id).toBe(id);
  expect(output).toMatch(new RegExp(`Pipe orders deleted \\(.*\\)${retainMark}`));
  expect(await pipesIn(stack)).toBe(0);
});

test("keeps a pipe whose policy is unknown at preview, and a line names it", async () => {
  const program = `new datapipes.Pipe("orders", { ...${JSON.stringify(minimal.kafka)}, deletionPolicy: pulumi.output("retain") });`;
  const { simulator, stack } = await deployed(program);
  takeWrites(simulator);
  const { output } = await stack.destroy();
  expect(takeWrites(simulator)).toEqual([]);
  expect(output).toContain(pipeNamed(simulator, "orders").id);
  expect(output).toMatch(/keeps running/);
});

test('deletes the pipe with one request under deletionPolicy "delete"', async () => {
  const { simulator, stack, id } = await stackOf(deletable);
  await stack.destroy();
  expect(takeWrites(simulator)).toEqual([{ method: "DELETE", path: `/pipes/${id}`, body: null }]);
  expect(simulator.control.state().pipes).toEqual([]);
  expect(await pipesIn(stack)).toBe(0);
});

test("deleting a pipe that is gone succeeds", async () => {
  const { simulator, stack, id } = await stackOf(deletable);
  simulator.control.deletePipe(id);
  await stack.destroy();
  expect(await pipesIn(stack)).toBe(0);
});

const incomplete: [string, number][] = [
  ["one list lacks it", 1],
  ["all lists lack it, and its settings can be read", 20],
];

test.each(incomplete)("keeps a pipe in the state after a DELETE with 404 where %s", async (_, times) => {
  const { simulator, stack, id } = await stackOf(deletable);
  simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
  simulator.control.fault({ operationId: "listPipes", kind: "incomplete-list", pipeIds: [id], times });
  const { output } = await stack.destroy({ expectFailure: true });
  expect(output).toContain(id);
  expect(output).toContain("404");
  expect((await stack.export()).named("orders").id).toBe(id);
  expect(pipeNamed(simulator, "orders").id).toBe(id);

  simulator.control.clearFaults();
  await stack.destroy();
  expect(simulator.control.state().pipes).toEqual([]);
  expect(await pipesIn(stack)).toBe(0);
});

test("a pipe whose whole service is gone can be destroyed, and a line says so", async () => {
  const { simulator, stack } = await stackOf(deletable);
  simulator.control.deleteService();
  const { output } = await stack.destroy();
  expect(output).toMatch(/service .* no longer exists/);
  expect(await pipesIn(stack)).toBe(0);
});

const refusals: [string, SimulatorOptions, number | undefined][] = [
  ["405, for it knows no DELETE", { deletes: false }, undefined],
  ["403", {}, 403],
  ["404 while the list still has the pipe", {}, 404],
];

test.each(refusals)(
  "when DELETE is answered with %s, the error says what to do",
  async (_, options, status) => {
    const { simulator, stack, id } = await stackOf(deletable, options);
    if (status !== undefined) simulator.control.fault({ operationId: "deletePipe", kind: "status", status });
    const { output } = await stack.destroy({ expectFailure: true });
    expect(output).toContain(String(status ?? 405));
    expect(output).toContain('"retain"');
    expect(output).toContain(id);
    expect(pipeNamed(simulator, "orders").id).toBe(id);
    expect(await pipesIn(stack)).toBe(1);

    // The next step that the message names.
    await stack.write(pipesProgram({ orders: minimal.kafka }));
    await stack.up();
    await stack.destroy();
    expect(await pipesIn(stack)).toBe(0);
  },
);

test("keeps a pipe running that the program no longer declares", async () => {
  const { simulator, stack } = await stackOf(minimal.kafka);
  await stack.write("");
  const { output } = await stack.up();
  expect(output).toMatch(new RegExp(`Pipe orders deleted \\(.*\\)${retainMark}`));
  expect(takeWrites(simulator)).toEqual([]);
  expect(simulator.control.state().pipes).toHaveLength(1);
});
