import { withValue, type JsonObject } from "../kit/json";
import { complete, minimal, pipesProgram } from "../kit/pipes";
import { declaration } from "../kit/program";
import { newSimulator, pipeNamed } from "../kit/simulator";
import { newStack } from "../kit/stack";
import { keeperVariable } from "../kit/hosts";
import { HostKeeper } from "../jest/hosts/keeper";

beforeAll(async () => {
  process.env[keeperVariable] ??= await new HostKeeper().start();
});

/** What a program leaves behind in its process must not reach the next run. */
const traces = `
exports.traces = [process.env.LEFT_BEHIND, require("pulumi-datapipes").leftBehind, process.cwd() === __dirname];
process.env.LEFT_BEHIND = "environment";
Object.assign(require("pulumi-datapipes"), { leftBehind: "module" });
exports.found = datapipes.getPipesOutput().pipes.apply((pipes) => pipes.length);
`;

const programOf = (kafka: JsonObject): string =>
  [
    'const second = new datapipes.Provider("second");',
    pipesProgram({ ...complete, kafka }),
    declaration("Pipe", "elsewhere", { ...minimal.kafka, deletionPolicy: "delete" }, "{ provider: second }"),
    declaration("ServiceSettings", "settings", { name: "Shop", ipAccessList: [{ source: "10.0.0.1" }] }),
    traces,
  ].join("\n");

/** Runs of which some fail; what they print of a failure. */
async function observedBy(options: { readonly cold: boolean }): Promise<string[]> {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: programOf(complete.kafka), ...options });
  const pipes = new Map<string, string>();
  const observed: unknown[] = [];
  const observe = async (run: Promise<{ code: number; output: string }>): Promise<void> => {
    const { code, output } = await run;
    for (const { id, name } of simulator.control.state().pipes) if (!pipes.has(id)) pipes.set(id, name);
    // How often a list is read again after a write depends on the time.
    const sent = simulator.control.requests().map(({ method, path, body }) => ({ method, path, body }));
    const requests = sent.filter(
      (one, index) =>
        one.method !== "GET" ||
        sent.findIndex(({ method, path }) => method === "GET" && path === one.path) === index,
    );
    simulator.control.clearRequests();
    const { resources } = await stack.export({ showSecrets: true });
    // A run that fails may end before or after the program registers its outputs.
    const isUnfinished = ({ type }: { type: string }) => code !== 0 && type === "pulumi:pulumi:Stack";
    const states = resources.map((resource) => ({
      ...resource,
      stackTrace: [],
      sourcePosition: "",
      ...(isUnfinished(resource) && { outputs: {} }),
    }));
    observed.push({ code, errors: output.match(/error: .*/g), requests, states });
  };
  const either = { expectFailure: "either" } as const;
  await observe(stack.up());
  await observe(stack.preview({ expectNoChanges: true }));
  observed.push(await stack.outputs());
  simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 500, times: 20 });
  await stack.write(programOf(withValue(complete.kafka, "name", "renamed")));
  await observe(stack.up(either));
  simulator.control.clearFaults();
  await observe(stack.up());
  simulator.control.editPipe(pipeNamed(simulator, "kinesis").id, { name: "drifted" });
  await observe(stack.refresh());
  await stack.write(`${programOf(complete.kafka)}\nthrow new Error("a mistake");`);
  await observe(stack.up(either));
  await stack.write("");
  await observe(stack.up());
  await observe(stack.destroy());
  return linesOf(observed, pipes);
}

/** A line for each value, without what differs between any two runs: ids, times, folders and the order of concurrent requests. */
function linesOf(observed: readonly unknown[], pipes: ReadonlyMap<string, string>): string[] {
  const text = JSON.stringify(observed)
    .replaceAll(
      /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g,
      (id) => `id of ${pipes.get(id) ?? "another"}`,
    )
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
    .replaceAll(/127\.0\.0\.1:\d+/g, "address")
    .replaceAll(/datapipes-engine-\w+/g, "folder");
  return (JSON.parse(text) as object[]).flatMap((step, index) =>
    leaves(step).map((line) => `${index} ${line}`),
  );
}

/** The values by their paths. Elements of lists have no numbers, but their names. */
function leaves(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
  const { urn, method } = value as { urn?: string; method?: string };
  const owner = urn ?? (method === undefined ? "" : JSON.stringify(value));
  return Object.entries(value).flatMap(([key, member]) =>
    leaves(member).map((line) => `${owner}${Array.isArray(value) ? "" : `.${key}`}${line}`),
  );
}

test("hosts that stay between runs change no request, output, error or state", async () => {
  const cold = await observedBy({ cold: true });
  const warm = await observedBy({ cold: false });
  expect(cold.length).toBeGreaterThan(1000);
  expect(warm.sort()).toEqual(cold.sort());
});
