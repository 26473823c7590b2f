import { minimal } from "../kit/pipes";
import { settingsOf } from "../kit/plugin";
import { listReads, newSimulator, type Simulator } from "../kit/simulator";
import { newPlugin, type Plugin } from "./in-process";

const orders = { ...minimal.kafka, name: "orders", deletionPolicy: "delete" };

/** What an engine does first that attaches to a plugin process. */
async function startRun(plugin: Plugin, simulator: Simulator): Promise<void> {
  await plugin.attach("127.0.0.1:1");
  await plugin.configure(settingsOf(simulator));
}

/** A plugin whose first run has created and read a pipe, and whose second run has started. */
async function secondRun() {
  const simulator = await newSimulator();
  const plugin = await newPlugin();
  await startRun(plugin, simulator);
  const { id, outputs } = await plugin.deploy(orders);
  await plugin.read(id, outputs);
  await startRun(plugin, simulator);
  simulator.control.clearRequests();
  return { simulator, plugin, id, outputs };
}

test("each run reads the list once, also if an earlier run has read it", async () => {
  const { simulator, plugin, id, outputs } = await secondRun();
  await plugin.read(id, outputs);
  await plugin.read(id, outputs);
  expect(listReads(simulator)).toHaveLength(1);
});

test("a run deletes a pipe that the program of an earlier run declared", async () => {
  const { simulator, plugin, id, outputs } = await secondRun();
  await plugin.delete(id, outputs);
  expect(simulator.control.state().pipes).toEqual([]);
});

test("a run sends nothing to the service of an earlier run with another configuration", async () => {
  const { simulator, plugin } = await secondRun();
  const another = await newSimulator();
  await startRun(plugin, another);
  await plugin.deploy(orders);
  expect(simulator.control.requests()).toEqual([]);
  expect(another.control.state().pipes).toHaveLength(1);
});

test("the resources and functions of a run share one list, until the run writes", async () => {
  const { simulator, plugin, id, outputs } = await secondRun();
  await plugin.read(id, outputs);
  expect(await plugin.invoke("getPipes", {})).toMatchObject({ pipes: [{ id }] });
  expect(listReads(simulator)).toHaveLength(1);
  await plugin.delete(id, outputs);
  expect(await plugin.invoke("getPipes", {})).toEqual({ pipes: [] });
  expect(listReads(simulator)).toHaveLength(2);
});
