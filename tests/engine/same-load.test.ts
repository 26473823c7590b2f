import type { Run } from "../kit/cli";
import { withOwnDatabases, creationBody, minimal, pipesProgram } from "../kit/pipes";
import { mapValues, withValue, type JsonObject } from "../kit/json";
import { declaration, tokenOf } from "../kit/program";
import { listReads, newSimulator, pipeNamed, takeWrites, writes, type Simulator } from "../kit/simulator";
import { deployStack, newStack, type TestStack } from "../kit/stack";
import { expectNoChanges, expectNoWrites, expectWrites } from "./expectations";

/** A pipe that loads into this table. */
const into = (table: string, more: JsonObject = {}): JsonObject => ({
  ...withValue(minimal.kafka, "destination.table", table),
  ...more,
});

const urnOf = (name: string): string => `urn:pulumi:dev::datapipes-test::${tokenOf("Pipe")}::${name}`;

const seed = (simulator: Simulator, name: string, args: JsonObject): string =>
  simulator.control.seedPipes([creationBody(name, args)])[0]?.id ?? "";

const beside = (name: string, other: string): string =>
  `pipe "${name}" would load the same source into the same table as ${other}`;

/** A request that fails is not sent again, and one without a response fails soon. */
const oneTry = { maxRetries: "0", requestTimeoutSeconds: "10" };

/** Expects that a preview of the program fails with one error, which says this. */
async function expectRefused(stack: TestStack, program: string, ...says: readonly (string | RegExp)[]) {
  await stack.write(program);
  expectSaid(await stack.preview({ expectFailure: true }), says);
}

function expectSaid({ output }: Run, says: readonly (string | RegExp)[]): void {
  for (const text of [...says, 'To load the data twice, set replacementPolicy: "allow".'])
    expect(output).toMatch(typeof text === "string" ? literally(text) : text);
  expect(output).toMatch(/\d errored/);
}

const literally = (text: string): RegExp => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));

describe("a preview refuses a second pipe for the same data", () => {
  const before = {
    renamed: into("renamed"),
    titled: into("titled", { name: "shop" }),
    copied: into("copied"),
  };
  const { renamed, titled, ...others } = before;
  let simulator: Simulator;
  let stack: TestStack;
  const idOf = (name: string): string => pipeNamed(simulator, name).id;

  beforeAll(async () => {
    ({ simulator, stack } = await deployStack(pipesProgram(before)));
    takeWrites(simulator);
  });

  afterEach(() => {
    expectNoWrites(simulator);
  });

  test("refuses a rename without an alias, and its advice makes the plan empty", async () => {
    await expectRefused(
      stack,
      pipesProgram({ "renamed-now": renamed, titled, ...others }),
      `${beside("renamed-now", `pipe "renamed" (${idOf("renamed")}), resource "renamed" of the stack`)}. If "renamed-now" is that ` +
        `resource, renamed or moved, add the option aliases: ["${urnOf("renamed")}"] and the argument name: "renamed". If it is a copy,`,
    );
    await expectRefused(
      stack,
      pipesProgram({ renamed, "titled-now": titled, ...others }),
      `${beside("shop", `pipe "shop" (${idOf("shop")}), resource "titled" of the stack`)}. If "titled-now" is that resource, ` +
        `renamed or moved, add the option aliases: ["${urnOf("titled")}"]. If it is a copy, give it another table.`,
    );
    // A run that leaves the old resource out does not delete it: it still loads.
    const up = await stack.up({ flags: ["--target", "**::titled-now"], expectFailure: true });
    expectSaid(up, [`(${idOf("shop")}), resource "titled" of the stack`]);

    const aliased = (name: string): string => `{ aliases: ["${urnOf(name)}"] }`;
    const advised = [
      declaration("Pipe", "renamed-now", { ...renamed, name: "renamed" }, aliased("renamed")),
      declaration("Pipe", "titled-now", titled, aliased("titled")),
      pipesProgram(others),
    ];
    await stack.write(advised.join(";\n"));
    await stack.preview({ expectNoChanges: true });
  });

  test("refuses a copy, also of another provider instance, and two new pipes of one program", async () => {
    const copy = pipesProgram({ ...before, copy: into("copied") });
    await expectRefused(
      stack,
      copy,
      /as pipe "copied" \(\S+\), resource "copied" of|as pipe "copy", resource "copy" of this program/,
    );
    const second = 'const second = new datapipes.Provider("second");\n';
    const elsewhere = declaration("Pipe", "elsewhere", into("copied"), "{ provider: second }");
    const other = `pipe "copied" (${idOf("copied")}), resource "copied" of the stack`;
    await expectRefused(stack, second + pipesProgram(before) + elsewhere, beside("elsewhere", other));
    await expectRefused(
      stack,
      pipesProgram({ ...before, one: into("new"), two: into("new") }),
      /pipe "(one|two)" would load .* as pipe "(one|two)", resource "(one|two)" of this program\. Remove this resource/,
    );
  });
});

test("refuses a forgotten import, and names the ID to adopt, until the program adopts all pipes", async () => {
  const simulator = await newSimulator();
  const names = Array.from({ length: 8 }, (_, index) => `pipe-${index}`);
  const pipes = withOwnDatabases(Object.fromEntries(names.map((name) => [name, minimal.kafka])));
  const ids = mapValues(pipes, (args, name) => seed(simulator, name, args));
  const stack = await newStack({ simulator, program: pipesProgram(pipes) });
  for (const command of ["preview", "up"] as const) {
    const { output } = await stack[command]({ expectFailure: true });
    const [, name = "", id = ""] =
      /pipe "(\S+)" would load .* \((\S+)\), which this stack does not manage/.exec(output) ?? [];
    expect(id).toBe(ids[name]);
    expect(output).toContain(`To manage that pipe, set adopt: "${id}".`);
  }
  expect(listReads(simulator)).toHaveLength(2);
  await stack.write(pipesProgram(mapValues(pipes, (args, name) => ({ ...args, adopt: ids[name] ?? "" }))));
  await stack.up();
  await expectNoChanges(stack);
  expectNoWrites(simulator);
});

test("`up` refuses before the POST what an earlier run left running", async () => {
  const { simulator, stack } = await deployStack(pipesProgram({ kept: into("kept") }), { config: oneTry });
  const kept = pipeNamed(simulator, "kept").id;
  await stack.write("");
  await stack.up();
  expectWrites(simulator, "POST");

  await stack.write(pipesProgram({ kept: into("kept") }));
  const unread = { operationId: "listPipes", kind: "status", status: 500 } as const;
  simulator.control.fault(unread);
  const unseen = await stack.preview();
  expect(unseen.output).toContain("1 to create");
  expect(unseen.output).toMatch(
    /cannot list the pipes of service \S+ \(status 500\).*`pulumi up` checks both/,
  );
  expect(listReads(simulator)).toHaveLength(1);
  simulator.control.fault(unread);
  const refused = await stack.up({ expectFailure: true });
  expectSaid(refused, [
    `(${kept}), which this stack does not manage. To manage that pipe, set adopt: "${kept}"`,
  ]);
  expectNoWrites(simulator);
});

test("`up` takes none of two pipes with the name of a lost create, until `adopt` names one", async () => {
  const simulator = await newSimulator();
  const { control } = simulator;
  control.fault({ operationId: "createPipe", kind: "hang" });
  const program = pipesProgram({ lost: into("lost") });
  const stack = await newStack({ simulator, program, config: oneTry });
  const run = stack.up({ expectFailure: true });
  while (writes(simulator).length === 0) await new Promise((resolve) => setTimeout(resolve, 25));
  const created = seed(simulator, "lost", into("lost"));
  const another = seed(simulator, "lost", into("lost"));
  expect((await run).output).toMatch(
    /The list shows several new pipes with this name: \S+, \S+\. The provider adopted none of them/,
  );
  expectWrites(simulator, "POST");
  control.deletePipe(another);
  const other = `pipe "lost" (${created}), which this stack does not manage`;
  await expectRefused(stack, program, beside("lost", other));
  await stack.write(pipesProgram({ lost: into("lost", { adopt: created }) }));
  await stack.up();
  await stack.preview({ expectNoChanges: true });
  expectNoWrites(simulator);
});

/** A source that is unknown at preview, until a resource of this name exists. */
const laterSource = (name = "later"): string => `
const provider = { create: async () => ({ id: "${name}", outs: { topics: "orders" } }) };
class Later extends pulumi.dynamic.Resource {
  constructor() { super(provider, "${name}", { topics: undefined }); }
}
const { topics } = new Later();
const source = { kafka: { ...${JSON.stringify((minimal.kafka["source"] as JsonObject)["kafka"])}, topics } };
`;

const allow = { replacementPolicy: "allow" };
const resized = { scaling: { replicas: 2 } };

/** Pipes that no longer load, by their names, and their states. */
const idle = { stopped: "Stopped", failed: "Failed", completed: "Completed" };

const first = {
  stopped: into("stopped"),
  failed: into("failed"),
  completed: into("completed"),
  deleted: into("deleted", { deletionPolicy: "delete" }),
  copied: into("copied"),
  replaced: into("replaced", allow),
  "replaced-first": into("first", { ...allow, deletionPolicy: "delete" }),
  forced: into("forced"),
};

/** Each pipe of these loads into the table of a pipe of the first program. */
const created = {
  "stopped-now": first.stopped,
  "failed-now": first.failed,
  "completed-now": first.completed,
  "deleted-now": first.deleted,
  copy: { ...first.copied, ...allow },
  replaced: { ...first.replaced, ...resized },
  "replaced-first": { ...first["replaced-first"], ...resized },
  forced: first.forced,
};

test("creates a pipe beside one that does not load or is deleted, or where the user asks for it", async () => {
  const { simulator, stack } = await deployStack(pipesProgram(first));
  for (const [name, state] of Object.entries(idle))
    simulator.control.editPipe(pipeNamed(simulator, name).id, { state });
  takeWrites(simulator);
  await stack.write(pipesProgram({ copied: first.copied, ...created }));
  const flags = ["--replace", "**::forced"];
  const { output } = await stack.preview({ flags });
  expect(output).toMatch(/\+ 5 to create/);
  simulator.control.clearRequests();
  await stack.up({ flags });
  const sent = takeWrites(simulator).map(
    ({ method, body }) => (body as { name?: string } | null)?.name ?? method,
  );
  expect(sent.sort()).toEqual(["DELETE", "DELETE", ...Object.keys(created)].sort());
  await expectNoChanges(stack);
  await expectComparisonOnceKnown(stack);
  expectWrites(simulator, "POST");
});

/** What is unknown at preview is compared by `up`, and so is what another provider instance has created in this run. */
async function expectComparisonOnceKnown(stack: TestStack): Promise<void> {
  await stack.write(`${laterSource()}
    new datapipes.Pipe("late", { source, destination: { table: "copied" } });
    const first = new datapipes.Pipe("one", ${JSON.stringify(into("new"))});
    const second = new datapipes.Provider("second");
    new datapipes.Pipe("two", ${JSON.stringify(into("new"))}, { provider: second, dependsOn: [first] });`);
  const preview = await stack.preview();
  expect(preview.output).not.toContain("would load");
  const late = await stack.up({
    flags: ["--target", "**::late", "--target", "**::later"],
    expectFailure: true,
  });
  expect(late.output).toMatch(/pipe "late" would load .* as pipe "(copied|copy)" /);
  const two = await stack.up({ flags: ["--exclude", "**::late"], expectFailure: true });
  expect(two.output).toMatch(/pipe "two" would load .* as pipe "one" /);
}

test("never creates a pipe beside one whose source is unknown at preview", async () => {
  const simulator = await newSimulator();
  const early = declaration("Pipe", "early", into("few"));
  const late = (name: string, options = ""): string =>
    `new datapipes.Pipe("${name}", { source, destination: { table: "few" } }, { ${options} });\n`;
  const program = `${laterSource()} const early = ${early};\n${late("late", "dependsOn: [early]")}`;
  const stack = await newStack({ simulator, program });
  expect((await stack.preview()).output).toContain("4 to create");
  const up = await stack.up({ expectFailure: true });
  expectSaid(up, [beside("late", 'pipe "early"')]);
  expectWrites(simulator, "POST");

  // A pipe of the stack is taken to load what it did.
  const copy = declaration("Pipe", "copy", into("few"));
  await expectRefused(
    stack,
    `${laterSource("other")} ${late("early")} ${copy}`,
    beside("copy", 'pipe "early" ('),
  );
  expectSaid(await stack.up({ expectFailure: true }), [beside("copy", 'pipe "early" (')]);
  expectNoWrites(simulator);
});
