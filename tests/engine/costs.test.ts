import path from "node:path";
import { bytesPerCall } from "../../bench/bytes";
import { VariantStack, linesOf } from "../../bench/variant-stack";
import { OWN_VARIANTS } from "../../bench/variants";

/** The largest allowed size of a call of the plugin, and of a pipe in the state, in bytes: 1.5 times the size today. */
const MOST_BYTES = { Check: 6_500, Diff: 10_000, Create: 8_000, Read: 16_000, Update: 16_000, state: 10_000 };

test.each(OWN_VARIANTS)("six pipes in two services cost these requests and bytes: %s", async (name) => {
  const variant = await VariantStack.start(name);
  await variant.declare(6, 2);
  const log = path.join(variant.stack.project, "grpc.jsonl");
  const requests = async (operation: Parameters<VariantStack["run"]>[0]) => {
    const run = await variant.run(operation, { env: { PULUMI_DEBUG_GRPC: log } });
    return run.requests;
  };

  // The list of each service comes once before its first create: it identifies our own pipe when the answer is lost.
  expect(await requests("up")).toEqual({ listPipes: 2, createPipe: 6 });
  expect(await requests("preview")).toEqual({});
  expect(await requests("refresh")).toEqual({ listPipes: 2 });
  expect(await requests("update")).toEqual({ updatePipe: 6 });

  const pipes = (await variant.export()).ofType("Pipe");
  const state = Math.max(...pipes.map((pipe) => Buffer.byteLength(JSON.stringify(pipe))));
  const sizes: Record<string, number> = { ...bytesPerCall(await linesOf(log)), state };
  expect(Object.keys(sizes).sort()).toEqual(Object.keys(MOST_BYTES).sort());
  for (const [name, most] of Object.entries(MOST_BYTES)) {
    expect([name, sizes[name]]).toEqual([name, expect.any(Number)]);
    expect(sizes[name]).toBeLessThan(most);
  }
});
