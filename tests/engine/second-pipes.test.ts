import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "../kit/json";
import { creationBody, intoTable, minimal, pipesProgram } from "../kit/pipes";
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
  expect(takeMethods(simulator)).not.toContain("POST");
  return output;
}

const storage = (file: string): JsonObject => ({
  source: { objectStorage: { azureContainerName: "in", path: `${file}/*`, isContinuous: true } },
  destination: { table: "few" },
});
const DELETING = { deletionPolicy: "delete" };
const ALLOWING = { replacementPolicy: "allow" };

test("a rename without an alias is refused beside a pipe whose source is secret", async () => {
  const pipe = (name: string): string =>
    `new datapipes.Pipe("${name}", {
       source: pulumi.secret({ kafka: { brokers: "b-1.example:9092", topics: "orders" } }),
       destination: { table: "few" },
     });`;
  const deployed = await deployStack(pipe("orders"));
  const { id } = pipeNamed(deployed.simulator, "orders");
  await deployed.stack.write(pipe("renamed"));
  const output = await expectRefused(deployed, `, resource "orders" of the stack.`);
  expect(output).toContain(`(${id})`);
  expect(output).toContain(`aliases: ["urn:pulumi:dev::datapipes-test::${tokenOf("Pipe")}::orders"]`);
});

test.each(["an adoption", "a change"])("%s that leaves out the table is refused, too", async (what) => {
  const adopts = what === "an adoption";
  const deployed = await deployStack(
    pipesProgram({ ...(!adopts && { x: storage("a") }), other: storage("b") }),
  );
  const { simulator, stack } = deployed;
  if (adopts) simulator.control.seedPipes([creationBody("x", storage("a"))]);
  const source = storage("b")["source"] ?? {};
  const x = { source, ...(adopts && { adopt: pipeNamed(simulator, "x").id }) };
  await stack.write(pipesProgram({ x, other: storage("b") }));
  await expectRefused(deployed, beside("x", 'pipe "other" ('));
  expect(takeMethods(simulator)).toEqual([]);
});

describe("in place of a pipe that the program removes and deletes", () => {
  const before = { orders: { ...minimal.kafka, ...DELETING }, other: intoTable("other") };
  const after = pipesProgram({ instead: minimal.kafka, other: intoTable("other") });

  test.each<[what: string, flags: string[]]>([
    ["in a run of all resources", []],
    ["in a run of the new one", ["--target", "**::instead"]],
  ])("a new one is refused %s", async (_, flags) => {
    const deployed = await deployStack(pipesProgram(before));
    await deployed.stack.write(after);
    const refusal = beside("instead", `pipe "orders" (${pipeNamed(deployed.simulator, "orders").id})`);
    const output = await expectRefused(deployed, refusal, (options) =>
      deployed.stack.up({ ...options, flags }),
    );
    expect(output).toContain("If it replaces that pipe, delete that pipe in an earlier run");
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
  await stack.writeFile(
    `${folder}/package.json`,
    '{ "name": "pack", "version": "1.0.0", "main": "index.js" }',
  );
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
    const stack = await newStack({
      simulator,
      program: pipesProgram({ a: intoTable("a"), b: intoTable("b") }),
    });
    const flags = await packOf(stack, 'args.destination.table = "few";');
    const { output } = await stack.up({ flags, expectFailure: true });
    expect(output).toMatch(/would load the same source into the same table as pipe "[ab]"/);
    expect(takeMethods(simulator)).toEqual(["POST"]);
  });

  test("a replacement that the pack refuses fails at the preview", async () => {
    const { simulator, stack } = await deployStack(
      pipesProgram({ orders: { ...minimal.kafka, ...ALLOWING } }),
    );
    const flags = await packOf(stack, 'args.replacementPolicy = "refuse";');
    await stack.write(pipesProgram({ orders: { ...minimal.kafka, ...ALLOWING, scaling: { replicas: 2 } } }));
    takeWrites(simulator);
    for (const run of [stack.preview.bind(stack), stack.up])
      expect((await run({ flags, expectFailure: true })).output).toContain(
        "scaling.replicas cannot be changed in place",
      );
    expect(takeMethods(simulator)).toEqual([]);
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

  test("moves a path from one pipe to the next that depends on it", async () => {
    const program = (a: string, b: string): string =>
      `const a = ${declaration("Pipe", "a", storage(a))};
${declaration("Pipe", "b", storage(b), "{ dependsOn: [a] }")};`;
    const { simulator, stack } = await deployStack(program("a", "b"));
    takeWrites(simulator);
    await stack.write(program("c", "a"));
    await stack.preview();
    await stack.up();
    expect(takeMethods(simulator)).toEqual(["PATCH", "PATCH"]);
    await stack.preview({ expectNoChanges: true });
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
