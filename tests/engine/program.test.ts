import path from "node:path";
import { seed } from "../../testkit/imported";
import { minimal, type JsonObject } from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { newSimulator, takeWrites, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";

const deleted: JsonObject = { ...minimal.kafka, deletionPolicy: "delete" };

/** A pipe whose policy a transform makes "delete". */
const transformed = (name: string, opts: string): string =>
  declaration(
    "Pipe",
    name,
    minimal.kafka,
    `{ transforms: [({ props, opts }) => ({ props: { ...props, deletionPolicy: "delete" }, opts: ${opts} })] }`,
  );

const everyPolicy = [
  'const group = new pulumi.ComponentResource("test:index:Group", "group");',
  declaration("Pipe", "kept", minimal.kafka, "{ parent: group }"),
  declaration("Pipe", "kept-by-name", { ...minimal.kafka, deletionPolicy: "retain" }),
  declaration("Pipe", "deleted", deleted),
  declaration("Pipe", "kept-by-option", deleted, "{ retainOnDelete: true }"),
  transformed("half", "opts"),
  transformed("whole", "{ ...opts, retainOnDelete: false }"),
  declaration("ReversePrivateEndpoint", "endpoint", { description: "d", type: "VPC_ENDPOINT_SERVICE" }),
  declaration("ServiceSettings", "settings", { name: "Shop" }),
  'datapipes.getPipe({ name: "missing" }).catch(({ code }) => pulumi.log.info(`handled: ${code}`));',
].join("\n");

/** What a preview shows for each resource, by its logical name. */
function shown(output: string): Record<string, string> {
  const lines = output.matchAll(/datapipes:(?:index:)?\w+ (\S+) (delete\S*)/g);
  return Object.fromEntries([...lines].map(([, name = "", operation = ""]) => [name, operation]));
}

const expected = {
  kept: "delete[retain]",
  "kept-by-name": "delete[retain]",
  deleted: "delete",
  "kept-by-option": "delete[retain]",
  half: "delete[retain]",
  whole: "delete",
  endpoint: "delete[retain]",
  settings: "delete[retain]",
};

/** Takes an option out of the stored state, as a version stored it that did not set it. */
async function forget(stack: TestStack, option: string): Promise<void> {
  const { text } = await stack.export();
  const state = JSON.parse(text) as { deployment: { resources: { urn: string }[] } };
  for (const resource of state.deployment.resources)
    if (!/::(half|whole)$/.test(resource.urn)) Reflect.deleteProperty(resource, option);
  await stack.writeFile("state.json", JSON.stringify(state));
  await stack.pulumi(["stack", "import", "--file", "state.json"]);
}

test("a resource without arguments fails like any missing argument", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: 'new datapipes.Pipe("orders");' });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).not.toMatch(/TypeError|Cannot read/);
  expect(output).toMatch(/resource 'orders' has a problem: source/);
});

test("a preview shows delete[retain] for retained pipes, also in a stack of an older version, and a line tells what a transform changes", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: everyPolicy });
  const created = await stack.up();
  const [, end = ""] = created.output.split("Diagnostics:");
  const line =
    /Pipe "(half|whole)": deletionPolicy is "retain" in the program, so Pulumi keeps the resource.*retainOnDelete to false/g;
  expect(end.match(line)).toHaveLength(1);
  // A program that handles a failed data function goes on without an error.
  expect(end).toContain("handled: not-found");
  expect(created.output).not.toMatch(/error|Warning/);
  takeWrites(simulator);
  expect(shown((await stack.pulumi(["destroy", "--preview-only"])).output)).toEqual(expected);

  await forget(stack, "retainOnDelete");
  await stack.preview({ expectNoChanges: true });
  const up = await stack.up();
  expect(up.output).toMatch(/unchanged/);
  await stack.write("");
  expect(shown((await stack.preview()).output)).toEqual(expected);
  await stack.up();
  expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  const left = simulator.control.state().pipes.map(({ name }) => name);
  expect(left.sort()).toEqual(["half", "kept", "kept-by-name", "kept-by-option"]);
});

test("destroy --run-program deletes what the program and the stack delete, and says where the two differ", async () => {
  const simulator = await newSimulator();
  const native = (name: string, policy: string): string =>
    `new pulumi.CustomResource("datapipes:index:Pipe", ${JSON.stringify(name)}, ${JSON.stringify({ ...minimal.kafka, name, deletionPolicy: policy })});`;
  const program = (first: string, second: string): string =>
    [
      declaration("Pipe", "first", { ...minimal.kafka, name: "first", deletionPolicy: first }),
      declaration("Pipe", "second", { ...minimal.kafka, name: "second", deletionPolicy: second }),
      declaration("Pipe", "default", { ...minimal.kafka, name: "default" }),
      native("native-first", first),
      native("native-second", second),
    ].join("\n");
  const stack = await newStack({
    simulator,
    path: [path.resolve("plugin/dist")],
    program: program("delete", "retain"),
  });
  await stack.up();
  await stack.write(program("retain", "delete"));
  const preview = await stack.pulumi(["destroy", "--preview-only", "--run-program"]);
  const run = await stack.destroy({ flags: ["--run-program"] });
  for (const { output } of [preview, run]) {
    expect(output).toMatch(/Pipe "first": deletionPolicy is "retain" in the program, so Pulumi keeps/);
    expect(output).toMatch(
      /Pipe "second": deletionPolicy is "delete" in the program, but .*the stack says "retain"/,
    );
  }
  expect(shown(preview.output)).toEqual({
    first: "delete[retain]",
    second: "delete",
    default: "delete[retain]",
    // The native plugin sets no option, and Pulumi does not tell it what the program says.
    "native-first": "delete",
    "native-second": "delete",
  });
  for (const name of ["second", "native-second"])
    expect(run.output).toMatch(
      new RegExp(`pipe "${name}" .* keeps running .* its deletionPolicy is "retain"`),
    );
  const left = simulator.control.state().pipes.map(({ name }) => name);
  expect(left.sort()).toEqual(["default", "first", "native-second", "second"]);
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

describe("in processes that Pulumi starts,", () => {
  let simulator: Simulator;
  let stack: TestStack;

  beforeAll(async () => {
    simulator = await newSimulator();
    const id = "0a1b2c3d-0000-4000-8000-0000000000ff";
    simulator.control.seedPipes([{ ...seed("one", minimal.kafka), id }]);
    stack = await newStack({ simulator, program: "", cold: true });
  });

  test.each(failures)(
    "%s causes exactly one error, without a stack trace or a warning of Node",
    async (_, program, error) => {
      await stack.write(program);
      const { output } = await stack.preview({ expectFailure: true });
      expect(diagnostics(output)).toEqual({ errors: [expect.stringMatching(error)], noise: [] });
      expect(takeWrites(simulator)).toEqual([]);
    },
  );
});
