import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { startPlugin, type NativePlugin } from "../kit/native-plugin";
import { minimal } from "../kit/pipes";
import { failureOf, urnOf } from "../kit/plugin-calls";
import { listReads, newSimulator, type Simulator } from "../kit/simulator";

/** The plugin asks every 10 s, then once more. */
const SECONDS = 30;

const ends = (plugin: NativePlugin, seconds = SECONDS): Promise<boolean> =>
  once(plugin.process, "exit", { signal: AbortSignal.timeout(seconds * 1000) }).then(
    () => true,
    () => false,
  );

/** Kills the engine of a plugin that waits for one pipe and creates another one, which takes longer than the plugin asks. */
async function killedAtWork(simulator: Simulator) {
  const plugin = await startPlugin(simulator);
  const waiting = { ...minimal.kafka, waitFor: { states: ["Nope"] } };
  const waited = failureOf(plugin.deploy(waiting, { of: urnOf("waiting") }));
  simulator.control.fault({ operationId: "createPipe", kind: "slow", ms: 14_000, after: 1 });
  while (simulator.control.state().pipes.length === 0) await sleep(100);
  const created = plugin.deploy(minimal.kafka, { of: urnOf("slow") });
  await sleep(1000);
  plugin.engine.kill();
  return { plugin, waited, created };
}

test("the plugin ends when its engine was killed, after the write that it has sent; it lives while the engine answers, and when it was started by hand", async () => {
  const [simulator, idle] = await Promise.all([newSimulator(), newSimulator()]);
  const [{ plugin, waited, created }, orphan, served, byHand] = await Promise.all([
    killedAtWork(simulator),
    startPlugin(idle),
    startPlugin(idle),
    startPlugin(idle, { byHand: true }),
  ]);
  // PULUMI_DEBUG_PROVIDERS attaches an engine, which goes away after its run.
  await byHand.attach("127.0.0.1:1");
  orphan.engine.kill();
  const endings = [ends(orphan), ends(plugin)];

  expect((await waited).message).toContain("the run was canceled");
  const polls = listReads(simulator).length;
  // The plugin ends when the answer of the API is there, and may not answer the engine, which is gone.
  const isThere = (): boolean => simulator.control.state().pipes.some(({ name }) => name === "slow");
  expect([isThere(), plugin.process.exitCode]).toEqual([false, null]);
  await Promise.allSettled([created]);
  expect([...(await Promise.all(endings)), isThere()]).toEqual([true, true, true]);
  expect(listReads(simulator)).toHaveLength(polls);
  const codes = [served, byHand].map(({ process }) => [process.exitCode, process.signalCode]);
  expect(codes).toEqual([
    [null, null],
    [null, null],
  ]);
});
