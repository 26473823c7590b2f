import { withValue, type JsonObject } from "../kit/json";
import { creationBody, minimal, pipesProgram } from "../kit/pipes";
import { newSimulator, pipeNamed, takeMethods, takeWrites, until } from "../kit/simulator";
import { adapter, isNative } from "../kit/program";
import { deployStack, type TestStack } from "../kit/stack";

const before: JsonObject = { ...minimal.kafka, replacementPolicy: "allow" };
const second = withValue(minimal.kafka, "source.kafka.topics", "second");
const replaced: JsonObject = { ...second, replacementPolicy: "allow" };

test("the advice after a replacement with a lost create takes over what it created", async () => {
  const config = { requestTimeoutSeconds: "10" };
  const { simulator, stack } = await deployStack(pipesProgram({ orders: before }), { config });
  takeWrites(simulator);
  simulator.control.fault({ operationId: "createPipe", kind: "hang" });
  await stack.write(pipesProgram({ orders: replaced }));
  const run = stack.up({ expectFailure: true });
  await until(() => simulator.control.requests().some(({ method }) => method === "POST"));
  const body = creationBody("orders", second);
  const [created = "", another = ""] = simulator.control.seedPipes([body, body]).map(({ id }) => id);
  const failed = await run;
  expect(failed.output).toContain("The list shows pipes that may be the new one");
  simulator.control.deletePipe(another);
  const { urn } = (await stack.export()).named("orders");
  const advice = `\`pulumi state delete ${urn}\` and set adopt to the ID of the new one`;
  expect(failed.output.replace(/\s+/g, " ")).toContain(advice);
  await stack.pulumi(["state", "delete", urn, "--yes"]);
  takeWrites(simulator);
  await stack.write(pipesProgram({ orders: { ...replaced, adopt: created } }));
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  expect((await stack.export()).named("orders").id).toBe(created);
});

test("the advice after a failed `--replace` of a pipe that was deleted first replaces it", async () => {
  const orders = { ...minimal.kafka, deletionPolicy: "delete" };
  const { simulator, stack } = await deployStack(pipesProgram({ orders }));
  const flags = ["--replace", "**::orders"];
  simulator.control.fault({ operationId: "createPipe", kind: "status", status: 400 });
  await stack.up({ flags, expectFailure: true });
  // The native plugin keeps the old pipe until it has created the new one.
  const next = await stack.up({ expectFailure: !isNative });
  const advice = `To create it, run \`pulumi up --replace ${(await stack.export()).named("orders").urn}\``;
  expect(next.output.includes(advice)).toBe(!isNative);
  takeWrites(simulator);
  await stack.up({ flags });
  expect(takeMethods(simulator)).toEqual(isNative ? ["POST", "DELETE"] : ["POST"]);
  await stack.preview({ expectNoChanges: true });
});

test("the command after a refused deletion leaves the pipe unmanaged, also in a component", async () => {
  const simulator = await newSimulator({ deletes: false });
  const program = (orders: JsonObject): string =>
    `const shop = new pulumi.ComponentResource("my:index:Shop", "shop");
${pipesProgram({ orders }, "{ parent: shop }")}`;
  const { stack } = await deployStack(program({ ...minimal.kafka, deletionPolicy: "delete" }), { simulator });
  const { urn } = (await stack.export()).named("orders");
  expect(urn).toContain("my:index:Shop$");
  await stack.write("");
  const { output } = await stack.up({ expectFailure: true });
  expect(output.replace(/\s+/g, " ")).toContain(`run \`pulumi up --target '${urn}'\`.`);
  await stack.write(program(minimal.kafka));
  await stack.up({ flags: ["--target", urn] });
  await stack.write("");
  await stack.up();
  expect(simulator.control.state().pipes).toHaveLength(1);
});

/** What the error advises, and how a user goes back. The native plugin keeps the resource in the state. */
const remedies = {
  dynamic: {
    advice: "set adopt to its ID",
    goBack: async (stack: TestStack, adopt: string): Promise<void> => {
      await stack.write(pipesProgram({ orders: minimal.kafka }));
      const { output } = await stack.up({ expectFailure: true });
      expect(output).toContain(`set adopt: "${adopt}"`);
      await stack.pulumi(["state", "delete", (await stack.export()).named("orders").urn, "--yes"]);
      await stack.write(pipesProgram({ orders: { ...minimal.kafka, adopt } }));
    },
  },
  native: {
    advice: 'deletionPolicy: "retain"',
    goBack: (stack: TestStack) => stack.write(pipesProgram({ orders: minimal.kafka })),
  },
};

test("a replacement whose deletion is refused leads to no second pipe against the policy", async () => {
  const { advice, goBack } = remedies[adapter];
  const simulator = await newSimulator({ deletes: false });
  const { stack } = await deployStack(pipesProgram({ orders: minimal.kafka }), { simulator });
  takeWrites(simulator);
  await stack.write(pipesProgram({ orders: { ...replaced, deletionPolicy: "delete" } }));
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toContain(advice);
  await goBack(stack, pipeNamed(simulator, "orders").id);
  await stack.up();
  expect(takeMethods(simulator)).not.toContain("POST");
  await stack.preview({ expectNoChanges: true });
});
