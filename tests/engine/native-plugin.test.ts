import path from "node:path";
import { minimal } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";
import { nativePlugins } from "./processes";

const DIST = path.resolve(__dirname, "../../plugin/dist");

/** A pipe of the native plugin that never has the state that it waits for. */
const waiting = (options: object): string =>
  `new pulumi.CustomResource("datapipes:index:Pipe", "orders", ${JSON.stringify({
    ...minimal.kafka,
    waitFor: { states: ["Nope"] },
  })}, ${JSON.stringify(options)})`;

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("customTimeouts ends a wait of a run in which the plugin has asked for the engine's health", async () => {
  const program = waiting({ customTimeouts: { create: "25s" } });
  const stack = await newStack({ simulator: await newSimulator(), path: [DIST], program });
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toMatch(
    /did not become Nope within the 25 s of customTimeouts.*The pipe stays in the stack/,
  );
  expect((await stack.export()).named("orders").id).toBeDefined();
});

test("the plugin of a CLI that was killed ends", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, path: [DIST], program: waiting({}) });
  const run = stack.up({ expectFailure: true });
  for (let waits = 0; waits < 300 && simulator.control.state().pipes.length === 0; waits += 1)
    await sleep(0.1);
  const [plugin] = await nativePlugins();
  if (plugin === undefined) throw new Error("no plugin runs");
  process.kill(plugin.parent, "SIGKILL");
  await run;
  expect(isAlive(plugin.pid)).toBe(true);
  for (let seconds = 0; seconds < 30 && isAlive(plugin.pid); seconds += 1) await sleep(1);
  expect(isAlive(plugin.pid)).toBe(false);
});
