import { inFreshProcess } from "./child";
import { spreadOf, type Spread } from "./statistics";
import { VariantStack } from "./variant-stack";

/** What one output property of a pipe costs the program. */
export interface Outputs {
  /** Microseconds of CPU in a preview, for each pipe. */
  readonly cpuUs: Spread | undefined;
  /** Promises that the SDK creates for it, also inside others. */
  readonly promises: number;
}

/** As many as a pipe has of its own. */
const MORE = 16;
const PIPES = 200;
const ROUNDS = 7;

/** Prints how many promises a resource with so many outputs needs more than one without. */
const PROMISES = `
  const { createHook } = require("node:async_hooks");
  const pulumi = require("@pulumi/pulumi");
  pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "id", state: inputs }), call: () => ({}) });
  let promises = 0;
  createHook({ init: (_, type) => { if (type === "PROMISE") promises += 1; } }).enable();
  const made = async (name, outputs) => {
    const begun = promises;
    const props = Object.fromEntries(Array.from({ length: outputs }, (_, index) => ["output" + index, undefined]));
    new pulumi.CustomResource("a:b:C", name, props);
    await pulumi.runtime.disconnect();
    return promises - begun;
  };
  (async () => {
    await made("first", 0);
    console.log((await made("more", ${MORE}) - await made("none", 0)) / ${MORE});
  })();
`;

/** Measures the floor with and without so many outputs more: its provider does nothing with them. */
export async function measureOutputs(): Promise<Outputs> {
  const variant = await VariantStack.start("floor");
  await variant.declare(PIPES);
  await variant.run("up");
  const preview = async (more: number): Promise<number | undefined> =>
    (await variant.run("preview", { env: { BENCH_MORE_OUTPUTS: String(more) } })).program?.cpuMs;
  const costs: (number | undefined)[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [without, withMore] = [await preview(0), await preview(MORE)];
    costs.push(
      without === undefined || withMore === undefined
        ? undefined
        : ((withMore - without) * 1000) / (MORE * PIPES),
    );
  }
  return { cpuUs: spreadOf(costs), promises: Number(inFreshProcess(PROMISES)) };
}
