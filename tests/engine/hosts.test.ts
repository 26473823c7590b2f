import { HostKeeper } from "../jest/hosts/keeper";
import { keeperVariable } from "../kit/hosts";
import { newStack } from "../kit/stack";

/** No other test uses the hosts of this keeper. */
beforeAll(async () => {
  process.env[keeperVariable] = await new HostKeeper().start();
});

/** The program and the plugin export what they find of an earlier run, and leave the same behind. */
const programOf = (run: string): string => `
const trace = () => {
  const loaded = require("pulumi-datapipes");
  const found = [process.env.LEFT_BEHIND, loaded.leftBehind].filter(Boolean);
  process.env.LEFT_BEHIND = "environment";
  loaded.leftBehind = "module";
  return { found, folder: process.cwd(), pid: process.pid };
};
const provider = { create: async () => ({ id: "traced", outs: { trace: trace() } }) };
class Traced extends pulumi.dynamic.Resource {}
exports.plugin = new Traced(provider, "${run}", { trace: undefined }).trace;
exports.program = trace();
`;

interface Trace {
  readonly found: readonly string[];
  readonly folder: string;
  readonly pid: number;
}

test("hosts serve several runs, each of which finds nothing of an earlier one", async () => {
  const stack = await newStack({});
  const pids: Record<"program" | "plugin", Set<number>> = { program: new Set(), plugin: new Set() };
  for (const run of ["first", "second", "third", "fourth"]) {
    await stack.write(programOf(run));
    await stack.up();
    const { program, plugin } = (await stack.outputs()) as Record<"program" | "plugin", Trace>;
    pids.program.add(program.pid);
    pids.plugin.add(plugin.pid);
    const nothing = { found: [], folder: stack.project };
    expect({ program, plugin }).toMatchObject({ program: nothing, plugin: nothing });
  }
  expect(pids.program.size).toBeLessThan(4);
  expect(pids.plugin.size).toBeLessThan(4);
});

test("a run finds nothing of a program that failed", async () => {
  const stack = await newStack({});
  await stack.write(`${programOf("failed")}\nthrow new Error("a mistake");`);
  await stack.up({ expectFailure: true });
  await stack.write(programOf("next"));
  await stack.up();
  expect(await stack.outputs()).toMatchObject({ program: { found: [] }, plugin: { found: [] } });
});
