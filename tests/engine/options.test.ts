import { expectNoChanges } from "./expectations";
import { withValue } from "../kit/json";
import { creationBody, intoTable, minimal, pipeInOwnTable, pipesProgram } from "../kit/pipes";
import { declaration, outputs } from "../kit/program";
import { newSimulator, pipeNamed, takeBodies, takeWrites } from "../kit/simulator";
import { deployStack, newStack } from "../kit/stack";

test("a change of a field that `ignoreChanges` names is not sent", async () => {
  const { simulator, stack } = await deployStack(pipesProgram({ orders: minimal.kafka }));
  takeWrites(simulator);
  const changed = withValue(minimal.kafka, "source.kafka.topics", "other");
  await stack.write(pipesProgram({ orders: changed }, '{ ignoreChanges: ["source.kafka.topics"] }'));
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  await expectNoChanges(stack);
});

test("`--target` updates only the pipe that it names, and the next run the other one", async () => {
  const { simulator, stack } = await deployStack(pipeInOwnTable("target") + pipeInOwnTable("other"));
  takeWrites(simulator);
  const renamed =
    pipeInOwnTable("target", { name: "target 2" }) + pipeInOwnTable("other", { name: "other 2" });
  await stack.write(renamed);
  await stack.up({ flags: ["--target", "**::target"] });
  expect(takeBodies(simulator)).toEqual([{ name: "target 2" }]);
  await stack.up();
  expect(takeBodies(simulator)).toEqual([{ name: "other 2" }]);
});

test("a pipe with the option `protect` is not deleted", async () => {
  const orders = { ...minimal.kafka, deletionPolicy: "delete" };
  const { simulator, stack } = await deployStack(pipesProgram({ orders }, "{ protect: true }"));
  await stack.write("");
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toContain('::orders" cannot be deleted');
  expect((await stack.export()).named("orders").id).toBe(pipeNamed(simulator, "orders").id);
});

test("a preview of a rename with an alias beside another change shows no internal name", async () => {
  const { stack } = await deployStack(pipesProgram({ payments: minimal.kafka }));
  const renamed = { ...minimal.kafka, name: "payments", settings: { dbmsMaxThreads: 4 } };
  await stack.write(pipesProgram({ "payments-v2": renamed }, '{ aliases: [{ name: "payments" }] }'));
  const { output } = await stack.preview({ diff: true });
  expect(output).toContain("dbmsMaxThreads");
  expect(output).not.toMatch(/__\w/);
  await stack.up();
  await expectNoChanges(stack);
});

test("transforms of the stack and of a pipe change the request", async () => {
  const program = `
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
    type.endsWith(":Pipe") ? { props: { ...props, settings: { dbmsMaxThreads: 5 } }, opts } : undefined);
  const parent = new pulumi.ComponentResource("test:index:Group", "group");
  new datapipes.Pipe("child", ${JSON.stringify(intoTable("child"))}, {
    parent,
    transforms: [({ props, opts }) => ({ props: { ...props, name: "transformed" }, opts })],
  });`;
  const { simulator, stack } = await deployStack(program);
  const body = { ...intoTable("child"), name: "transformed", settings: { dbms_max_threads: 5 } };
  expect(takeBodies(simulator)).toEqual([body]);
  await expectNoChanges(stack);
});

test("`get` reads the fields of a pipe, and `observed` does not repeat them", async () => {
  const simulator = await newSimulator();
  const [seeded] = simulator.control.seedPipes([creationBody("seeded", minimal.kafka)]);
  const program = `const gotten = datapipes.Pipe.get("gotten", "${seeded?.id ?? ""}");
${outputs({ gotten: "[gotten.name, gotten.source.kafka.topics, gotten.scaling.replicas, gotten.observed]" })}`;
  const { stack } = await deployStack(program, { simulator });
  expect((await stack.outputs())["gotten"]).toEqual(["seeded", "orders", 1, {}]);
  await expectNoChanges(stack);
});

test("`get` and `getPipeOutput` read a pipe that the same run creates", async () => {
  const program = `const a = ${declaration("Pipe", "a", minimal.kafka)};
const b = datapipes.Pipe.get("b", a.id);
${outputs({ names: "[b.name, datapipes.getPipeOutput({ id: a.id }).name]" })}`;
  const { stack } = await deployStack(program);
  expect((await stack.outputs())["names"]).toEqual(["a", "a"]);
});

test("`get` of an endpoint and of settings, which the API cannot read, has the given values", async () => {
  const program = `
  const endpoint = datapipes.ReversePrivateEndpoint.get("endpoint", "0a1b2c3d-0000-4000-8000-0000000000f1", {
    description: "known", type: "VPC_ENDPOINT_SERVICE",
  });
  const settings = datapipes.ServiceSettings.get("settings", "0a1b2c3d-0000-4000-8000-000000000002", { name: "Known" });
  ${outputs({
    endpoint: "[endpoint.id, endpoint.description, endpoint.type]",
    settings: "[settings.id, settings.name]",
  })}`;
  const { stack } = await deployStack(program);
  expect(await stack.outputs()).toEqual({
    endpoint: ["0a1b2c3d-0000-4000-8000-0000000000f1", "known", "VPC_ENDPOINT_SERVICE"],
    settings: ["0a1b2c3d-0000-4000-8000-000000000002", "Known"],
  });
  await expectNoChanges(stack);
});

test("`get` of an ID that the service does not have fails at preview", async () => {
  const simulator = await newSimulator();
  const id = "00000000-0000-4000-8000-000000000000";
  const stack = await newStack({ simulator, program: `datapipes.Pipe.get("gotten", "${id}");` });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toContain(`read Pipe ${id} failed: the service has no pipe with this ID`);
});
