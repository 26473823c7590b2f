import { readdirSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { leaks } from "../../testkit/canary";
import {
  answerWithoutNames,
  exampleCases,
  exampleStack,
  examplesFolder,
  simulatorOf,
  yamlTextOf,
} from "../../testkit/examples";
import { takeWrites, type Simulator } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";

const names = Object.keys(exampleCases);

/** The requests since the last call: each write, and which operations read. What the simulator has made is left out. */
function takeRequests(simulator: Simulator, made: readonly string[]): { reads: string[]; writes: string[] } {
  const reads = simulator.control.requests().filter(({ method }) => method === "GET");
  const operations = new Set(reads.map(({ operationId }) => String(operationId)));
  const writes = takeWrites(simulator).map((write) =>
    made.reduce((text, id) => text.replaceAll(id, "<made>"), JSON.stringify(write)),
  );
  // Pulumi creates resources that do not depend on each other in any order.
  return { reads: [...operations].sort(), writes: writes.sort() };
}

/** What the simulator has chosen: ids, and names of endpoints. */
function madeBy({ control }: Simulator): string[] {
  const { endpoints, pipes } = control.state();
  return [...endpoints, ...pipes].map(({ id }) => id).concat(endpoints.flatMap(({ dnsNames }) => dnsNames));
}

/** Goes up and down, with a look at what is between. Returns the requests of both. */
async function run(stack: TestStack, simulator: Simulator, between: () => Promise<void>) {
  // The compiler checks the example in TypeScript in its own test.
  const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const up = await stack.up({ env });
  const made = madeBy(simulator);
  const created = takeRequests(simulator, made);
  await between();
  takeWrites(simulator);
  const destroy = await stack.destroy({ env });
  return { created, deleted: takeRequests(simulator, made), output: up.output + destroy.output };
}

const inTypeScript = async (example: string) => {
  const simulator = await simulatorOf(example);
  return run(await exampleStack(example, "typescript", simulator), simulator, () => Promise.resolve());
};

async function inYaml(example: string) {
  const simulator = await simulatorOf(example);
  const stack = await exampleStack(example, "yaml", simulator);
  const texts: Record<string, string> = {};
  const { output, ...requests } = await run(stack, simulator, async () => {
    texts["preview"] = (await stack.preview({ expectNoChanges: true })).output;
    texts["refresh"] = (await stack.refresh({ flags: ["--expect-no-changes"] })).output;
    texts["outputs"] = (await stack.pulumi(["stack", "output", "--json"])).output;
  });
  expect((await stack.export()).resources).toEqual([]);
  return { requests, texts: { ...texts, output, stored: await stack.storedText() } };
}

test.each(names)(
  "%s in YAML sends what it sends in TypeScript, then previews nothing, and shows no secret",
  async (example) => {
    const [{ output: _, ...expected }, { requests, texts }] = await Promise.all([
      inTypeScript(example),
      inYaml(example),
    ]);
    expect(expected.created.reads.length + expected.created.writes.length).toBeGreaterThan(0);
    expect(requests).toEqual(expected);
    const { secrets = {} } = exampleCases[example] ?? {};
    expect(leaks(texts, Object.values(secrets))).toEqual([]);
  },
);

test("msk in YAML creates no pipe where the service names the brokers later", async () => {
  const simulator = await simulatorOf("msk");
  answerWithoutNames(simulator);
  const stack = await exampleStack("msk", "yaml", simulator);
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toContain("list index 0 out-of-bounds");
  expect(simulator.control.state().pipes).toEqual([]);
});

test("every example in YAML is run, and begins with what it does and needs", async () => {
  const folders = readdirSync(path.join(examplesFolder, "yaml"), { withFileTypes: true });
  expect(folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)).toEqual([...names].sort());
  for (const name of names) {
    const text = await yamlTextOf(name);
    const [comment = ""] = /^(?:#.*\n)+/.exec(text) ?? [];
    const project = parse(text) as { name: string; config?: Record<string, { default?: unknown }> };
    expect(project.name).toBe(name);
    const required = Object.entries(project.config ?? {}).filter(
      ([, { default: value }]) => value === undefined,
    );
    for (const [key] of required)
      expect(comment).toMatch(new RegExp(`pulumi config set (--secret )?${key} `));
    expect(comment).toContain("`pulumi up`");
    expect(text).not.toContain("../../");
  }
});
