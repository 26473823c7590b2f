import { readFile } from "node:fs/promises";
import path from "node:path";
import { runPulumi } from "../../testkit/cli";
import { temporaryFolder } from "../../testkit/folder";
import { minimal } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";
import { nativePlugins } from "./processes";

const DIST = path.resolve(__dirname, "../../plugin/dist");
const SCHEMA = path.join(DIST, "schema.json");

/** A stack with a pipe of the native plugin that never has the state that it waits for. */
async function waitingStack(options: object) {
  const args = { ...minimal.kafka, waitFor: { states: ["Nope"] } };
  const program = `new pulumi.CustomResource("datapipes:index:Pipe", "orders", ${JSON.stringify(args)}, ${JSON.stringify(options)})`;
  const simulator = await newSimulator();
  return { simulator, stack: await newStack({ simulator, path: [DIST], program }) };
}

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("the plugin ends after its CLI was killed, and customTimeouts ends a wait while the CLI lives", async () => {
  const [killed, limited] = [
    await waitingStack({}),
    // The plugin asks after 10 s.
    await waitingStack({ customTimeouts: { create: "12s" } }),
  ];
  const run = killed.stack.up({ expectFailure: true });
  for (let waits = 0; waits < 300 && killed.simulator.control.state().pipes.length === 0; waits += 1)
    await sleep(0.1);
  const [plugin] = await nativePlugins();
  if (plugin === undefined) throw new Error("no plugin runs");
  process.kill(plugin.parent, "SIGKILL");
  await run;
  expect(isAlive(plugin.pid)).toBe(true);

  const { output } = await limited.stack.up({ expectFailure: true });
  expect(output).toMatch(
    /did not become Nope within the 12 s of customTimeouts.*The pipe stays in the stack/,
  );
  expect((await limited.stack.export()).named("orders").id).toBeDefined();
  for (let seconds = 0; seconds < 30 && isAlive(plugin.pid); seconds += 1) await sleep(1);
  expect(isAlive(plugin.pid)).toBe(false);
});

test("the CLI reads the schema from the plugin unchanged, and finds no mistake in it", async () => {
  const place = { cwd: await temporaryFolder("schema"), env: process.env };
  const plugin = path.join(DIST, "pulumi-resource-datapipes");
  const read = await runPulumi(["package", "get-schema", plugin], place);
  expect([read.code, read.stderr]).toEqual([0, ""]);
  expect(JSON.parse(read.stdout)).toEqual(JSON.parse(await readFile(SCHEMA, "utf8")));
  const checked = await runPulumi(["schema", "check", SCHEMA], place);
  expect([checked.code, checked.output]).toEqual([0, ""]);
});
