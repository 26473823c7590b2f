import { creationBody, minimal, pipesProgram, type JsonObject } from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { newSimulator, takeWrites, type SeedPipe } from "../../testkit/simulator";
import { deployed, newStack, type TestStack } from "../../testkit/stack";

const deleted: JsonObject = { ...minimal.kafka, deletionPolicy: "delete" };

const everyPolicy = [
  'const group = new pulumi.ComponentResource("test:index:Group", "group");',
  declaration("Pipe", "kept", minimal.kafka, "{ parent: group }"),
  declaration("Pipe", "kept-by-name", { ...minimal.kafka, deletionPolicy: "retain" }),
  declaration("Pipe", "deleted", deleted),
  declaration("Pipe", "kept-by-option", deleted, "{ retainOnDelete: true }"),
  declaration("ReversePrivateEndpoint", "endpoint", { description: "d", type: "VPC_ENDPOINT_SERVICE" }),
  declaration("ServiceSettings", "settings", { name: "Shop" }),
].join("\n");

/** What a preview shows for each resource, by its logical name. */
function shown(output: string): Record<string, string> {
  const lines = output.matchAll(/datapipes:\w+ (\S+) (delete\S*)/g);
  return Object.fromEntries([...lines].map(([, name = "", operation = ""]) => [name, operation]));
}

const expected = {
  kept: "delete[retain]",
  "kept-by-name": "delete[retain]",
  deleted: "delete",
  "kept-by-option": "delete[retain]",
  endpoint: "delete[retain]",
  settings: "delete[retain]",
};

/** Takes an option out of the stored state, as a version stored it that did not set it. */
async function forget(stack: TestStack, option: string): Promise<void> {
  const { text } = await stack.export();
  const state = JSON.parse(text) as { deployment: { resources: Record<string, unknown>[] } };
  for (const resource of state.deployment.resources) Reflect.deleteProperty(resource, option);
  await stack.writeFile("state.json", JSON.stringify(state));
  await stack.pulumi(["stack", "import", "--file", "state.json"]);
}

test("a preview shows delete[retain] for retained pipes, also in a stack of an older version", async () => {
  const { simulator, stack } = await deployed(everyPolicy);
  takeWrites(simulator);
  expect(shown((await stack.pulumi(["destroy", "--preview-only"])).output)).toEqual(expected);

  await forget(stack, "retainOnDelete");
  await stack.preview({ expectNoChanges: true });
  const up = await stack.up();
  expect(up.output).toMatch(/unchanged/);
  await stack.write("");
  expect(shown((await stack.preview()).output)).toEqual(expected);
  await stack.up();
  expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["DELETE"]);
  const left = simulator.control.state().pipes.map(({ name }) => name);
  expect(left.sort()).toEqual(["kept", "kept-by-name", "kept-by-option"]);
});

test("a transform decides about the deletion with the policy and retainOnDelete together, and a line says so once", async () => {
  const simulator = await newSimulator();
  const transformed = (opts: string): string =>
    `{ transforms: [({ props, opts }) => ({ props: { ...props, deletionPolicy: "delete" }, opts: ${opts} })] }`;
  const program = [
    declaration("Pipe", "half", minimal.kafka, transformed("opts")),
    declaration("Pipe", "whole", minimal.kafka, transformed("{ ...opts, retainOnDelete: false }")),
  ].join("\n");
  const stack = await newStack({ simulator, program });
  const { output } = await stack.up();
  const line =
    /Pipe "\w+": a transform or ignoreChanges makes deletionPolicy "delete"\..*retainOnDelete is false/g;
  expect(output.slice(output.indexOf("Diagnostics:")).match(line)).toHaveLength(1);
  const { output: preview } = await stack.pulumi(["destroy", "--preview-only"]);
  expect(shown(preview)).toEqual({ half: "delete[retain]", whole: "delete" });
});

/** The errors that a run prints at its end, and what Node has to say besides. */
function diagnostics(output: string): { errors: string[]; noise: string[] } {
  const end = output.slice(output.indexOf("Diagnostics:"));
  const lines = end.split("\n").map((line) => line.trim());
  return {
    errors: lines.filter((line) => line.startsWith("error:")),
    noise: lines.filter((line) => /Warning|trace-warnings|^at /.test(line)),
  };
}

const failures: [what: string, program: string, error: RegExp][] = [
  [
    "the option import",
    declaration("Pipe", "orders", minimal.kafka, '{ import: "some-id" }'),
    /Pipe "orders": the resource option `import` .* `adopt: "<id>"` or run `datapipes import`/,
  ],
  [
    "one id that two pipes of two providers adopt",
    `const provider = new datapipes.Provider("second");
    const id = "0a1b2c3d-0000-4000-8000-0000000000ff";
    new datapipes.Pipe("one", { ...${JSON.stringify(minimal.kafka)}, adopt: id });
    new datapipes.Pipe("two", { ...${JSON.stringify(minimal.kafka)}, adopt: pulumi.output(id.toUpperCase()) }, { provider });`,
    /Pipe "(one|two)" and "(one|two)" both adopt 0a1b2c3d-0000-4000-8000-0000000000ff/i,
  ],
  [
    "a failed Output form that a pipe uses",
    `const { name } = datapipes.getPipeOutput({ name: "missing" });
    new datapipes.Pipe("orders", { ...${JSON.stringify(minimal.kafka)}, name });`,
    /getPipe failed: service .* has no pipe with the name "missing"/,
  ],
  [
    "a promise form that fails at once, and is exported",
    'exports.pipe = datapipes.getPipe({ name: "orders", serviceId: "nonsense" });',
    /serviceId is "nonsense", expected a UUID/,
  ],
  [
    "an Output form that fails at once, and is exported after a resource",
    `exports.id = new datapipes.Pipe("orders", ${JSON.stringify(minimal.kafka)}).id;
    exports.pipe = datapipes.getPipeOutput({ name: "orders", serviceId: "nonsense" });`,
    /serviceId is "nonsense", expected a UUID/,
  ],
  [
    "an Output form that finds nothing, and that nothing uses",
    'datapipes.getPipeOutput({ name: "missing" });',
    /getPipe failed: service .* has no pipe with the name "missing"/,
  ],
];

test.each(failures)(
  "%s causes exactly one error, without a stack trace or a warning of Node",
  async (_, program, error) => {
    const simulator = await newSimulator();
    const existing = { ...creationBody("one", minimal.kafka), id: "0a1b2c3d-0000-4000-8000-0000000000ff" };
    simulator.control.seedPipes([existing as unknown as SeedPipe]);
    const stack = await newStack({ simulator, program, cold: true });
    const { output } = await stack.preview({ expectFailure: true });
    expect(diagnostics(output)).toEqual({ errors: [expect.stringMatching(error)], noise: [] });
    expect(takeWrites(simulator)).toEqual([]);
  },
);

test("a resource without arguments fails like any missing argument", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: 'new datapipes.Pipe("orders");' });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).not.toMatch(/TypeError|Cannot read/);
  expect(output).toMatch(/resource 'orders' has a problem: source/);
});

test("a program that handles a failed data function goes on without an error", async () => {
  const simulator = await newSimulator();
  const program = `module.exports = async () => {
    const code = await datapipes.getPipe({ name: "missing" }).catch((error) => error.code);
    return { code };
  };${pipesProgram({ orders: minimal.kafka })}`;
  const stack = await newStack({ simulator, program });
  const { output } = await stack.up();
  expect(output).not.toMatch(/error|Warning/);
  expect(await stack.outputs()).toEqual({ code: "not-found" });
});
