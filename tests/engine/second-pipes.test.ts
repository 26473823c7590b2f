import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { withValue, type JsonObject } from "../kit/json";
import { creationBody, intoTable, minimal, pipesProgram, tableMapping } from "../kit/pipes";
import { declaration, tokenOf } from "../kit/program";
import { newSimulator, pipeNamed, takeMethods, takeWrites, type Simulator } from "../kit/simulator";
import { deployStack, newStack, type RunOptions, type TestStack } from "../kit/stack";

// The contract calls each of these programs a second pipe for the same data. `engine/same-load` has the common cases.

const beside = (name: string, other: string): string =>
  `pipe "${name}" would load the same source into the same table as ${other}`;

/** A run that must fail because of a second pipe, and has sent no write. */
async function expectRefused(
  { simulator, stack }: { readonly simulator: Simulator; readonly stack: TestStack },
  refusal: string,
  run: (options: RunOptions) => Promise<{ readonly output: string }> = stack.up,
): Promise<string> {
  takeWrites(simulator);
  const { output } = await run({ expectFailure: true });
  expect(output).toContain(refusal);
  expect(takeWrites(simulator)).toEqual([]);
  return output;
}

const storage = (file: string): JsonObject => ({
  source: { objectStorage: { azureContainerName: "in", path: `${file}/*`, isContinuous: true } },
  destination: { table: "few" },
});
const tables = (...names: string[]): JsonObject =>
  withValue(
    minimal.postgres,
    "source.postgres.tableMappings",
    names.map((name) => tableMapping(name)),
  );
const DELETING = { deletionPolicy: "delete" };

test.each([
  ["brokers", '{ kafka: { brokers: pulumi.secret("b:9092"), topics: "t" } }', '"few"'],
  ["source", 'pulumi.secret({ kafka: { brokers: "b:9092", topics: "t" } })', '"few"'],
  ["table", '{ kafka: { brokers: "b:9092", topics: "t" } }', 'pulumi.secret("few")'],
])("a pipe with secret %s cannot be renamed without an alias", async (_, source, table) => {
  const args = `{ source: ${source}, destination: { table: ${table} } }`;
  const deployed = await deployStack(`new datapipes.Pipe("orders", ${args});`);
  const { id } = pipeNamed(deployed.simulator, "orders");
  await deployed.stack.write(`new datapipes.Pipe("renamed", ${args});`);
  const output = await expectRefused(deployed, `, resource "orders" of the stack.`);
  expect(output).toContain(`(${id})`);
  expect(output).toContain(`aliases: ["urn:pulumi:dev::datapipes-test::${tokenOf("Pipe")}::orders"]`);
});

test("a copy of an adopted pipe of which the program declares no table is refused", async () => {
  const simulator = await newSimulator();
  const [{ id } = { id: "" }] = simulator.control.seedPipes([creationBody("theirs", minimal.kafka)]);
  const { source = {} } = minimal.kafka;
  const program = pipesProgram({ adopting: { source, name: "theirs", adopt: id }, copy: minimal.kafka });
  const stack = await newStack({ simulator, program });
  await expectRefused({ simulator, stack }, beside("copy", `pipe "theirs" (${id})`));
});

test("a new pipe that loads what the console made a managed pipe load is refused before its POST", async () => {
  const deployed = await deployStack(pipesProgram({ moved: storage("a") }));
  const { simulator, stack } = deployed;
  const { id } = pipeNamed(simulator, "moved");
  simulator.control.editPipe(id, { source: { objectStorage: { path: "b/*" } } });
  await stack.write(pipesProgram({ moved: storage("a"), fresh: storage("b") }));
  await expectRefused(deployed, beside("fresh", `pipe "moved" (${id})`));
});

test('a copy declared before a pipe with deletionPolicy "delete" is refused', async () => {
  const orders = { ...minimal.kafka, ...DELETING };
  const deployed = await deployStack(pipesProgram({ orders }));
  const { id } = pipeNamed(deployed.simulator, "orders");
  await deployed.stack.write(pipesProgram({ copy: minimal.kafka, orders }));
  await expectRefused(deployed, beside("copy", `pipe "orders" (${id}), resource "orders" of`));
});

test("an adoption that leaves out the table is refused beside a pipe with the same source", async () => {
  const deployed = await deployStack(pipesProgram({ other: storage("b") }));
  const { simulator, stack } = deployed;
  const [{ id } = { id: "" }] = simulator.control.seedPipes([creationBody("x", storage("a"))]);
  const { source = {} } = storage("b");
  await stack.write(pipesProgram({ x: { source, adopt: id }, other: storage("b") }));
  await expectRefused(deployed, beside("x", 'pipe "other" ('));
});

test("a change that leaves out the table is refused beside a pipe with the same source", async () => {
  const deployed = await deployStack(pipesProgram({ x: storage("a"), other: storage("b") }));
  const { source = {} } = storage("b");
  await deployed.stack.write(pipesProgram({ x: { source }, other: storage("b") }));
  await expectRefused(deployed, beside("x", 'pipe "other" ('));
});

describe("in place of a pipe that the program removes and deletes", () => {
  const before = { orders: { ...minimal.kafka, ...DELETING }, other: intoTable("other") };
  const after = pipesProgram({ instead: minimal.kafka, other: intoTable("other") });

  test.each<[what: string, flags: string[]]>([
    ["in a run of all resources", []],
    ["in a run of the new one", ["--target", "**::instead"]],
    ["in a run without the old one", ["--exclude", "**::orders"]],
  ])("a new one is refused %s", async (_, flags) => {
    const deployed = await deployStack(pipesProgram(before));
    await deployed.stack.write(after);
    const refusal = beside("instead", `pipe "orders" (${pipeNamed(deployed.simulator, "orders").id})`);
    const output = await expectRefused(deployed, refusal, (options) =>
      deployed.stack.up({ ...options, flags }),
    );
    expect(output).toContain("If it replaces that pipe, delete that pipe in an earlier run");
  });

  test.each([
    ["the service deletes no pipe", { deletes: false }, "undefined"],
    ["the old one is protected", {}, "{ protect: true }"],
  ])("a new one is refused if %s", async (_, simulatorOptions, options) => {
    const simulator = await newSimulator(simulatorOptions);
    const { stack } = await deployStack(pipesProgram({ orders: before.orders }, options), { simulator });
    await stack.write(pipesProgram({ instead: minimal.kafka }));
    const refusal = beside("instead", `pipe "orders" (${pipeNamed(simulator, "orders").id})`);
    await expectRefused({ simulator, stack }, refusal);
  });

  test("a new one is created after a run that deletes it", async () => {
    const { simulator, stack } = await deployStack(pipesProgram(before));
    await stack.write(pipesProgram({ other: intoTable("other") }));
    await stack.up();
    await stack.write(after);
    takeWrites(simulator);
    await stack.up();
    expect(takeMethods(simulator)).toEqual(["POST"]);
  });
});

/** A pack that changes the arguments of pipes after the check; `body` is JavaScript on `args` and the logical `name`. */
async function packOf(stack: TestStack, body: string): Promise<string[]> {
  const folder = "pack";
  await mkdir(path.join(stack.project, folder));
  await stack.writeFile(`${folder}/PulumiPolicy.yaml`, "runtime: nodejs\n");
  const manifest = '{ "name": "pack", "version": "1.0.0", "main": "index.js" }';
  await stack.writeFile(`${folder}/package.json`, manifest);
  const remediation = `({ type, name, props: args }) => { if (type.endsWith(":Pipe")) { ${body} return args; } }`;
  await stack.writeFile(
    `${folder}/index.js`,
    `const { PolicyPack } = require("@pulumi/policy");
     const policy = { name: "change", description: "changes pipes", remediateResource: ${remediation} };
     new PolicyPack("pack", { policies: [policy], enforcementLevel: "remediate" });`,
  );
  // Every CLI runs an executable file as a pack; one that was built from source cannot run a folder.
  const run = 'require("@pulumi/pulumi/cmd/run-policy-pack")';
  const file = path.join(folder, "run-pack");
  await stack.writeFile(file, `#!/bin/sh\ncd "$(dirname "$0")"\nexec node --eval '${run}' pack "$1" .\n`);
  await chmod(path.join(stack.project, file), 0o755);
  return ["--policy-pack", path.join(stack.project, file)];
}

describe("after a policy pack that changes the arguments after the check", () => {
  test("a pipe in the table of a running pipe is refused before its POST", async () => {
    const simulator = await newSimulator();
    const [{ id } = { id: "" }] = simulator.control.seedPipes([creationBody("theirs", minimal.kafka)]);
    const stack = await newStack({ simulator, program: pipesProgram({ mine: intoTable("mine") }) });
    const flags = await packOf(stack, 'args.destination.table = "few";');
    await expectRefused({ simulator, stack }, beside("mine", `pipe "theirs" (${id})`), (options) =>
      stack.up({ ...options, flags }),
    );
  });

  test("one of two pipes in one table is refused", async () => {
    const simulator = await newSimulator();
    const program = pipesProgram({ a: intoTable("a"), b: intoTable("b") });
    const stack = await newStack({ simulator, program });
    const flags = await packOf(stack, 'args.destination.table = "few";');
    const { output } = await stack.up({ flags, expectFailure: true });
    expect(output).toMatch(/would load the same source into the same table as pipe "[ab]"/);
    expect(takeMethods(simulator)).toEqual(["POST"]);
  });

  test("a replacement that the pack refuses fails in a preview, and in `up` without a write", async () => {
    const orders = { ...minimal.kafka, replacementPolicy: "allow" };
    const { simulator, stack } = await deployStack(pipesProgram({ orders }));
    const flags = await packOf(stack, 'args.replacementPolicy = "refuse";');
    await stack.write(pipesProgram({ orders: { ...orders, scaling: { replicas: 2 } } }));
    const { output } = await stack.preview({ flags, expectFailure: true });
    expect(output).toContain("scaling.replicas cannot be changed in place");
    await expectRefused({ simulator, stack }, "scaling.replicas cannot be changed in place", (options) =>
      stack.up({ ...options, flags }),
    );
  });
});

describe("an update", () => {
  test("to the path of another pipe is refused", async () => {
    const deployed = await deployStack(pipesProgram({ a: storage("a"), b: storage("b") }));
    const { id } = pipeNamed(deployed.simulator, "a");
    await deployed.stack.write(pipesProgram({ a: storage("a"), b: storage("a") }));
    const refusal = beside("b", `pipe "a" (${id}), resource "a" of`);
    await expectRefused(deployed, refusal, deployed.stack.preview.bind(deployed.stack));
    await expectRefused(deployed, refusal);
  });

  test("that adds a table mapping of another pipe is refused", async () => {
    const deployed = await deployStack(pipesProgram({ a: tables("orders"), b: tables("returns") }));
    await deployed.stack.write(pipesProgram({ a: tables("orders"), b: tables("returns", "orders") }));
    await expectRefused(deployed, beside("b", 'pipe "a"'));
  });

  test.each<[what: string, before: JsonObject[], after: JsonObject[]]>([
    ["a path", [storage("a"), storage("b")], [storage("c"), storage("a")]],
    [
      "a table mapping",
      [tables("orders", "returns"), tables("items")],
      [tables("returns"), tables("items", "orders")],
    ],
  ])("moves %s from one pipe to the next that depends on it", async (_, before, after) => {
    const program = ([a = {}, b = {}]: JsonObject[]): string =>
      `const a = ${declaration("Pipe", "a", a)};\n${declaration("Pipe", "b", b, "{ dependsOn: [a] }")};`;
    const { simulator, stack } = await deployStack(program(before));
    takeWrites(simulator);
    await stack.write(program(after));
    await stack.preview();
    await stack.up();
    expect(takeMethods(simulator)).toEqual(["PATCH", "PATCH"]);
    await stack.preview({ expectNoChanges: true });
  });

  test("leaves a path that a new pipe takes, which depends on it", async () => {
    const { simulator, stack } = await deployStack(pipesProgram({ a: storage("a") }));
    const fresh = declaration("Pipe", "fresh", storage("a"), "{ dependsOn: [a] }");
    await stack.write(`const a = ${declaration("Pipe", "a", storage("b"))};\n${fresh};`);
    takeWrites(simulator);
    await stack.preview();
    await stack.up();
    expect(takeMethods(simulator)).toEqual(["PATCH", "POST"]);
  });
});

test("a pipe is refused beside one of another provider instance, after an older list", async () => {
  const simulator = await newSimulator();
  const program = `
const provider = new datapipes.Provider("second");
const early = ${declaration("Pipe", "early", intoTable("early"), "{ provider }")};
const one = ${declaration("Pipe", "one", minimal.kafka, "{ dependsOn: [early] }")};
${declaration("Pipe", "two", minimal.kafka, "{ provider, dependsOn: [one] }")};`;
  const stack = await newStack({ simulator, program });
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toContain(beside("two", 'pipe "one"'));
  expect(takeMethods(simulator)).toEqual(["POST", "POST"]);
});

test("a pipe is refused beside one of a provider instance that the program declares after it", async () => {
  const simulator = await newSimulator();
  const named = withValue(minimal.kafka, "name", undefined);
  const program = `
const early = ${declaration("Pipe", "early", intoTable("early"))};
let created;
const name = new Promise((resolve) => (created = resolve));
const one = new datapipes.Pipe("one", { ...${JSON.stringify(named)}, name });
const provider = new datapipes.Provider("second");
const two = ${declaration("Pipe", "two", minimal.kafka, "{ provider, dependsOn: [early] }")};
two.urn.apply(() => created("one"));`;
  const stack = await newStack({ simulator, program });
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toContain(beside("one", 'pipe "two"'));
  expect(takeMethods(simulator)).toEqual(["POST", "POST"]);
});

describe("a new pipe is created", () => {
  test.each(["Stopped", "stopped", "Completed"])(
    "beside a managed pipe in the state %s, in any order",
    async (state) => {
      const before = { first: intoTable("first"), last: intoTable("last") };
      const { simulator, stack } = await deployStack(pipesProgram(before));
      for (const name of ["first", "last"])
        simulator.control.editPipe(pipeNamed(simulator, name).id, { state });
      const after = { first: before.first, a: before.first, b: before.last, last: before.last };
      takeWrites(simulator);
      await stack.write(pipesProgram(after));
      await stack.up();
      expect(takeMethods(simulator)).toEqual(["POST", "POST"]);
    },
  );

  test("beside one of another Azure account, which only the connection string names", async () => {
    const path = "source.objectStorage.connectionString";
    const one = withValue(storage("a"), path, "AccountName=one;AccountKey=k3y-of-one");
    const other = withValue(storage("a"), path, "AccountName=two;AccountKey=k3y-of-two");
    const { simulator, stack } = await deployStack(pipesProgram({ one }));
    takeWrites(simulator);
    await stack.write(pipesProgram({ one, other }));
    await stack.up();
    expect(takeMethods(simulator)).toEqual(["POST"]);
  });
});
