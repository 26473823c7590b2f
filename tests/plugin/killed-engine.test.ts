import { once } from "node:events";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { call, startPlugin, structOf, urnOf, type NativePlugin } from "../../testkit/native-plugin";
import { minimal } from "../../testkit/pipes";
import { listReads, newSimulator } from "../../testkit/simulator";
import { callsOn, failureOf } from "./calls";

/** The plugin asks every 10 s, then once more. */
const SECONDS = 30;

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Whether the process ends within some seconds. */
const ends = (plugin: NativePlugin, seconds = SECONDS): Promise<boolean> =>
  once(plugin.process, "exit", { signal: AbortSignal.timeout(seconds * 1000) }).then(
    () => true,
    () => false,
  );

test("the plugin ends when its engine was killed; it lives while the engine answers, and when it was started by hand", async () => {
  const simulator = await newSimulator();
  const [orphan, served, byHand] = await Promise.all([
    startPlugin(simulator),
    startPlugin(simulator),
    startPlugin(simulator, { byHand: true }),
  ]);
  // PULUMI_DEBUG_PROVIDERS attaches an engine, which goes away after its run.
  const gone = new PluginAttach().setAddress("127.0.0.1:1");
  await call((done) => byHand.client.attach(gone, done));
  orphan.killEngine();
  expect(await ends(orphan)).toBe(true);
  expect(await Promise.all([served, byHand].map((plugin) => ends(plugin, 3)))).toEqual([false, false]);
});

test("a write that was sent is finished first; a wait ends, and no more requests start", async () => {
  const simulator = await newSimulator();
  const plugin = await startPlugin(simulator);
  const { check, create } = callsOn(() => plugin);
  const waiting = await check({ ...minimal.kafka, waitFor: { states: ["Nope"] } }, {}, urnOf("waiting"));
  const waited = failureOf(create(waiting.inputs, { of: urnOf("waiting") }));
  const { inputs } = await check(minimal.kafka, {}, urnOf("slow"));
  simulator.control.fault({ operationId: "createPipe", kind: "slow", ms: 14_000, after: 1 });
  while (simulator.control.state().pipes.length === 0) await sleep(0.1);
  const request = new pb.CreateRequest().setUrn(urnOf("slow")).setProperties(structOf(inputs));
  const created = call<pb.CreateResponse>((done) => plugin.client.create(request, done));
  await sleep(1);
  plugin.killEngine();
  expect((await waited).message).toContain("the run is cancelled");
  const polls = listReads(simulator).length;
  // The plugin ends when the answer of the API is there, and may not answer the engine, which is gone.
  const isThere = (): boolean => simulator.control.state().pipes.some(({ name }) => name === "slow");
  expect([isThere(), plugin.process.exitCode]).toEqual([false, null]);
  await Promise.allSettled([created]);
  expect([await ends(plugin), isThere()]).toEqual([true, true]);
  expect(listReads(simulator)).toHaveLength(polls);
});
