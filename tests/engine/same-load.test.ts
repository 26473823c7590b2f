import type { JsonObject } from "../kit/json";
import { creationBody, intoTable, minimal, pipeInOwnTable, pipesProgram } from "../kit/pipes";
import { declaration, tokenOf } from "../kit/program";
import {
  listReads,
  newSimulator,
  pipeNamed,
  takeMethods,
  takeWrites,
  type Simulator,
} from "../kit/simulator";
import { deployStack, newStack, type TestStack } from "../kit/stack";

const beside = (name: string, other: string): string =>
  `pipe "${name}" would load the same source into the same table as ${other}`;

// `unit/pipe/same-load` has the refusals and messages of all cases.
describe("in a stack with pipes", () => {
  const allow = { replacementPolicy: "allow" };
  const before = {
    renamed: intoTable("renamed"),
    copied: intoTable("copied"),
    stopped: intoTable("stopped"),
    replaced: { ...intoTable("replaced"), ...allow },
    "replaced-first": { ...intoTable("replaced-first"), ...allow, deletionPolicy: "delete" },
    forced: intoTable("forced"),
  };
  const { renamed, ...others } = before;
  let simulator: Simulator;
  let stack: TestStack;

  beforeAll(async () => {
    // A list that fails is not sent again.
    ({ simulator, stack } = await deployStack(pipesProgram(before), { config: { maxRetries: "0" } }));
    takeWrites(simulator);
  });

  test("refuses a rename without an alias, and its advice makes the plan empty", async () => {
    const urn = `urn:pulumi:dev::datapipes-test::${tokenOf("Pipe")}::renamed`;
    const old = `pipe "renamed" (${pipeNamed(simulator, "renamed").id}), resource "renamed" of the stack`;
    await stack.write(pipesProgram({ "renamed-now": renamed, ...others }));
    const preview = await stack.preview({ expectFailure: true });
    expect(preview.output).toContain(
      `${beside("renamed-now", old)}. If "renamed-now" is that resource, renamed or moved, add the option aliases: ["${urn}"] ` +
        'and the argument name: "renamed". If it is a copy, give it another table. If it replaces that pipe, delete',
    );
    // A run that leaves the old resource out does not delete it: it still loads.
    const up = await stack.up({ flags: ["--target", "**::renamed-now"], expectFailure: true });
    expect(up.output).toContain(beside("renamed-now", old));
    expect(takeWrites(simulator)).toEqual([]);

    const args = { ...renamed, name: "renamed" };
    const advised = declaration("Pipe", "renamed-now", args, `{ aliases: ["${urn}"] }`);
    await stack.write(`${advised};\n${pipesProgram(others)}`);
    await stack.preview({ expectNoChanges: true });
  });

  test("refuses a copy of another provider instance", async () => {
    const copy = declaration("Pipe", "copy", before.copied, '{ provider: new datapipes.Provider("second") }');
    await stack.write(pipesProgram(before) + copy);
    const { output } = await stack.preview({ expectFailure: true });
    const { id } = pipeNamed(simulator, "copied");
    expect(output).toContain(beside("copy", `pipe "copied" (${id}), resource "copied" of the stack`));
  });

  describe("and a pipe that the stack does not manage", () => {
    let unmanaged: string;
    let refusal: string;

    beforeAll(async () => {
      const [pipe] = simulator.control.seedPipes([creationBody("theirs", intoTable("theirs"))]);
      unmanaged = `pipe "theirs" (${pipe?.id}), which this stack does not manage`;
      refusal =
        `${beside("theirs", unmanaged)}. To manage that pipe, set adopt: "${pipe?.id}", unless another stack manages it. ` +
        'To load the data twice, set replacementPolicy: "allow".';
      await stack.write(pipesProgram(before) + pipeInOwnTable("theirs"));
      simulator.control.clearRequests();
    });

    test("refuses a forgotten import, and names the ID to adopt", async () => {
      const { output } = await stack.preview({ expectFailure: true });
      expect(output).toContain(refusal);
      expect(listReads(simulator)).toHaveLength(1);
    });

    test("if a preview cannot read the list, it says so, and `up` refuses before the POST", async () => {
      const refusing = (status: number) => ({ operationId: "listPipes", kind: "status", status }) as const;
      simulator.control.fault(refusing(403));
      const preview = await stack.preview();
      expect(preview.output).toContain("1 to create");
      expect(preview.output).toMatch(
        /cannot list the pipes of service \S+ \(status 403\).*`pulumi up` checks both.*`npx pulumi-datapipes doctor`/,
      );
      simulator.control.fault(refusing(500));
      const up = await stack.up({ expectFailure: true });
      expect(up.output).toContain(refusal);
      expect(takeWrites(simulator)).toEqual([]);
    });
  });

  test.each<[status: number, nextStep: string]>([
    [401, "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped"],
    [404, "Check datapipes:baseUrl, and that organizationId and serviceId name a service that exists"],
  ])(
    "a preview with a new pipe fails with the error of `up` if the list answers %d",
    async (status, nextStep) => {
      await stack.write(pipesProgram(before) + pipeInOwnTable("fresh") + pipeInOwnTable("fresher"));
      simulator.control.fault({ operationId: "listPipes", kind: "status", status, times: "always" });
      for (const run of [stack.preview.bind(stack), stack.up]) {
        const { output } = await run({ expectFailure: true });
        expect(output).toContain(`the server returned ${status}`);
        expect(output).toContain(nextStep);
      }
      simulator.control.clearFaults();
      expect(takeWrites(simulator)).toEqual([]);
    },
  );

  test("a preview goes on where nothing listens, with the cause and `doctor`", async () => {
    await stack.write(pipesProgram(before) + pipeInOwnTable("fresh"));
    await stack.setConfig({ baseUrl: "http://127.0.0.1:1" });
    const { output } = await stack.preview();
    await stack.setConfig({ baseUrl: simulator.url });
    expect(output).toMatch(/cannot list the pipes of .*ECONNREFUSED.*`npx pulumi-datapipes doctor`/);
  });

  test("creates a pipe beside one that does not load, or where the user asks for it", async () => {
    const scaling = { replicas: 2 };
    simulator.control.editPipe(pipeNamed(simulator, "stopped").id, { state: "Stopped" });
    const after: Record<string, JsonObject> = {
      copied: before.copied,
      copy: { ...before.copied, ...allow },
      "stopped-now": before.stopped,
      replaced: { ...before.replaced, scaling },
      "replaced-first": { ...before["replaced-first"], scaling },
      forced: before.forced,
    };
    await stack.write(pipesProgram(after));
    await stack.up({ flags: ["--replace", "**::forced"] });
    const { copied: _, ...created } = after;
    const sent = takeWrites(simulator).map(
      ({ method, body }) => (body as { name?: string } | null)?.name ?? method,
    );
    expect(sent.sort()).toEqual(["DELETE", ...Object.keys(created)].sort());
    await stack.preview({ expectNoChanges: true });
  });
});

/** A source that is unknown at preview, until a resource of this name exists. */
const laterSource = (name: string): string => `
const provider = { create: async () => ({ id: "${name}", outs: { topics: "orders" } }) };
class Later extends pulumi.dynamic.Resource {
  constructor() { super(provider, "${name}", { topics: undefined }); }
}
const { topics } = new Later();
const source = { kafka: { brokers: "b-1.example:9092", topics } };
`;

test("never creates a pipe beside one whose source is unknown at preview", async () => {
  const simulator = await newSimulator();
  const late = (name: string, options = ""): string =>
    `new datapipes.Pipe("${name}", { source, destination: { table: "few" } }, { ${options} });\n`;
  const early = pipesProgram({ early: minimal.kafka });
  const program = `${laterSource("later")} const early = ${early} ${late("late", "dependsOn: [early]")}`;
  const stack = await newStack({ simulator, program });
  expect((await stack.preview()).output).toContain("4 to create");
  const up = await stack.up({ expectFailure: true });
  expect(up.output).toContain(beside("late", 'pipe "early"'));
  expect(takeMethods(simulator)).toEqual(["POST"]);

  // A pipe of the stack whose source becomes unknown counts with the source in the state.
  await stack.write(`${laterSource("other")} ${late("early")} ${pipesProgram({ copy: minimal.kafka })}`);
  const preview = await stack.preview({ expectFailure: true });
  expect(preview.output).toContain(beside("copy", 'pipe "early" ('));
});

test("never creates a pipe beside one that another provider instance creates in the same run", async () => {
  const simulator = await newSimulator();
  const options = '{ provider: new datapipes.Provider("second"), dependsOn: [one] }';
  const program = `const one = ${pipesProgram({ one: minimal.kafka })} ${pipesProgram({ two: minimal.kafka }, options)}`;
  const stack = await newStack({ simulator, program });
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toContain(beside("two", 'pipe "one"'));
  expect(takeMethods(simulator)).toEqual(["POST"]);
});
