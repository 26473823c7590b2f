import { answer, listReads, newSimulator, pipeNamed, takeWrites } from "../kit/simulator";
import { minimal } from "../kit/pipes";
import { callFailureOf } from "../kit/plugin";
import { newPlugin } from "./in-process";

test("after Cancel the provider still looks for a lost pipe, keeps it, and waits for no state", async () => {
  const simulator = await newSimulator();
  const plugin = await newPlugin(simulator);
  simulator.control.fault({ operationId: "createPipe", kind: "reset-after" });
  // The next lists lack the pipe.
  simulator.control.fault({ operationId: "listPipes", ...answer([]), times: 2 });
  const isLost = plugin.nextLine("looking for the pipe in the list");
  const created = callFailureOf(plugin.deploy({ ...minimal.kafka, waitFor: { states: ["Nope"] } }));
  await isLost;
  plugin.cancel();
  const { id, message } = await created;
  expect(id).toBe(pipeNamed(simulator, "orders").id);
  expect(message).toMatch(/the run was canceled.* The pipe stays in the stack\./);
  expect(listReads(simulator)).toHaveLength(3);
  expect(takeWrites(simulator)).toHaveLength(1);
});

test("after Cancel a lost update is not sent again; the error says how to see what it did", async () => {
  const simulator = await newSimulator();
  const plugin = await newPlugin(simulator);
  const { id, inputs, outputs } = await plugin.deploy(minimal.kafka);
  const renamed = await plugin.check({ ...minimal.kafka, name: "renamed" }, inputs);
  simulator.control.fault({ operationId: "updatePipe", kind: "reset-after", times: 9 });
  takeWrites(simulator);
  const isLost = plugin.nextLine("");
  const updated = callFailureOf(plugin.update(id, outputs, renamed.inputs));
  await isLost;
  plugin.cancel();
  expect((await updated).message).toMatch(/got no response.*Run `pulumi refresh`, .*, then `pulumi up`\.$/);
  expect(takeWrites(simulator)).toHaveLength(1);
});
