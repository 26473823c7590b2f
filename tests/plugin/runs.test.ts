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

test("the plugin knows nothing in a run of the runs before", async () => {
  const here = await newSimulator();
  const there = await newSimulator();
  const plugin = await newPlugin();
  await startRun(plugin, here);
  const { id, outputs } = await plugin.deploy(orders);
  await plugin.read(id, outputs);

  await startRun(plugin, here);
  here.control.clearRequests();
  await plugin.read(id, outputs);
  await plugin.read(id, outputs);
  expect(listReads(here)).toHaveLength(1);
  await plugin.delete(id, outputs);
  expect(here.control.state().pipes).toEqual([]);

  await startRun(plugin, there);
  here.control.clearRequests();
  await plugin.deploy(orders);
  expect(here.control.requests()).toEqual([]);
  expect(there.control.state().pipes).toHaveLength(1);
});

test("the resources and functions of a run share one list, until the run writes", async () => {
  const simulator = await newSimulator();
  const plugin = await newPlugin(simulator);
  const { id, outputs } = await plugin.deploy(orders);
  await startRun(plugin, simulator);
  simulator.control.clearRequests();
  await plugin.read(id, outputs);
  expect(await plugin.invoke("getPipes", {})).toMatchObject({ pipes: [{ id }] });
  expect(listReads(simulator)).toHaveLength(1);
  await plugin.delete(id, outputs);
  expect(await plugin.invoke("getPipes", {})).toEqual({ pipes: [] });
  expect(listReads(simulator)).toHaveLength(2);
});
