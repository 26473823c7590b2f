import { expectNoWrites } from "./expectations";
import { minimal, withValue, type JsonObject } from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { pluginFolder } from "../../testkit/sdk";
import { newSimulator, takeWrites } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

/** A pipe with a table of its own. */
const pipe = (name: string, more: JsonObject = {}, options?: string): string =>
  declaration("Pipe", name, { ...withValue(minimal.kafka, "destination.table", name), ...more }, options);

const deleted: JsonObject = { deletionPolicy: "delete" };

/** Options by whose transform the policy becomes "delete". */
const transforms = (opts: string): string =>
  `{ transforms: [({ props, opts }) => ({ props: { ...props, deletionPolicy: "delete" }, opts: ${opts} })] }`;

const everyPolicy = [
  'const group = new pulumi.ComponentResource("test:index:Group", "group");',
  pipe("kept", {}, "{ parent: group }"),
  pipe("kept-by-name", { deletionPolicy: "retain" }),
  pipe("deleted", deleted),
  pipe("kept-by-option", deleted, "{ retainOnDelete: true }"),
  pipe("half", {}, transforms("opts")),
  pipe("whole", {}, transforms("{ ...opts, retainOnDelete: false }")),
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

  // As a version stored it that did not set the option.
  const withoutOption = { retainOnDelete: undefined };
  await stack.editState((one) => (/::(half|whole)$/.test(one.urn) ? [one] : [{ ...one, ...withoutOption }]));
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
  const native = (name: string, deletionPolicy: string): string => {
    const args = { ...withValue(minimal.kafka, "destination.table", name), name, deletionPolicy };
    return `new pulumi.CustomResource("datapipes:index:Pipe", "${name}", ${JSON.stringify(args)})`;
  };
  const program = (first: string, second: string): string =>
    [
      pipe("first", { deletionPolicy: first }),
      pipe("second", { deletionPolicy: second }),
      pipe("default"),
      native("native-first", first),
      native("native-second", second),
    ].join(";\n");
  const stack = await newStack({ simulator, path: [pluginFolder], program: program("delete", "retain") });
  await stack.up();
  await stack.write(program("retain", "delete"));
  const preview = await stack.pulumi(["destroy", "--preview-only", "--run-program"]);
  const run = await stack.destroy({ flags: ["--run-program"] });
  for (const { output } of [preview, run]) {
    expect(output).toMatch(/Pipe "first": deletionPolicy is "retain" in the program, so Pulumi keeps/);
    expect(output).toMatch(
      /"second": deletionPolicy is "delete" in the program, but .*the stack says "retain"/,
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
    expect(run.output).toMatch(new RegExp(`pipe "${name}" .* keeps running .* deletionPolicy is "retain"`));
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

const args = JSON.stringify(minimal.kafka);
const imported = declaration("Pipe", "orders", minimal.kafka, '{ import: "some-id" }');
const missing = 'datapipes.getPipeOutput({ name: "missing" })';
const used = `const { name } = ${missing}; new datapipes.Pipe("orders", { ...${args}, name });`;
const nonsense = '({ name: "orders", serviceId: "nonsense" });';
const exported = `exports.id = new datapipes.Pipe("orders", ${args}).id;
  exports.pipe = datapipes.getPipeOutput${nonsense}`;
const IMPORT = /Pipe "orders": the resource option `import` .* `adopt: "<id>"` or run `datapipes import`/;
const NONE = /getPipe failed: service .* has no pipe with the name "missing"/;
const NO_UUID = /serviceId must be a UUID, .* got "nonsense"/;

const failures: [what: string, program: string, error: RegExp][] = [
  ["the option import", imported, IMPORT],
  ["a failed Output form that a pipe uses", used, NONE],
  ["a promise that fails at once, and is exported", `exports.pipe = datapipes.getPipe${nonsense}`, NO_UUID],
  ["an Output form that fails at once, and is exported after a resource", exported, NO_UUID],
  ["an Output form that finds nothing, and that nothing uses", missing, NONE],
];

test("in processes that Pulumi starts, each mistake causes exactly one error, without a stack trace or a warning of Node", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, cold: true });
  for (const [what, program, error] of failures) {
    await stack.write(program);
    const { output } = await stack.preview({ expectFailure: true });
    const expected = { what, errors: [expect.stringMatching(error) as string], noise: [] };
    expect({ what, ...diagnostics(output) }).toEqual(expected);
  }
  expectNoWrites(simulator);
});

test("an error of the engine about a declaration has its stack, which names the line of the program", async () => {
  const program = declaration("Pipe", "orders", minimal.kafka, '{ customTimeouts: { create: "soon" } }');
  const stack = await newStack({ simulator: await newSimulator(), program });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toMatch(
    /customTimeout Value soon\n +at Object\.registerResource .*\n(?: +at .*\n)* +at .*index\.js:\d+:\d+/,
  );
});
