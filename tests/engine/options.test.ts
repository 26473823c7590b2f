import { expectNoChanges } from "./expectations";
import { creationBody, intoTable, minimal, pipeInOwnTable, pipesProgram } from "../kit/pipes";
import { planOf } from "./plan";
import { declaration, outputs } from "../kit/program";
import { newSimulator, pipeNamed, takeBodies, takeWrites } from "../kit/simulator";
import { deployStack, newStack } from "../kit/stack";

const topics = "source.kafka.topics";
const guarded = pipeInOwnTable("guarded", {}, "{ protect: true }");
const others = ["ignored", "target", "bystander"].map((name) => pipeInOwnTable(name));

const after = [
  pipeInOwnTable("ignored", { [topics]: "other" }, `{ ignoreChanges: ["${topics}"] }`),
  guarded,
  pipeInOwnTable("target", { name: "target 2" }),
  pipeInOwnTable("bystander", { name: "bystander 2" }),
].join("");

test("supports ignoreChanges, --target and protect", async () => {
  const { simulator, stack } = await deployStack([guarded, ...others].join(""));
  takeWrites(simulator);
  await stack.write(after);
  const { steps } = await planOf(stack);
  expect(steps).toEqual({ target: ["update"], bystander: ["update"] });
  await stack.up({ flags: ["--target", "**target"] });
  expect(takeBodies(simulator)).toEqual([{ name: "target 2" }]);
  await stack.up();
  expect(takeBodies(simulator)).toEqual([{ name: "bystander 2" }]);
  expect(pipeNamed(simulator, "ignored").source.kafka?.topics).toBe("orders");
  await expectNoChanges(stack);

  await stack.write(pipeInOwnTable("target", { name: "target 2" }));
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toMatch(/::guarded" cannot be deleted/);
  expect((await stack.export()).named("guarded").id).toBe(pipeNamed(simulator, "guarded").id);
});

const endpointId = "0a1b2c3d-0000-4000-8000-0000000000f1";
const serviceId = "0a1b2c3d-0000-4000-8000-000000000002";

const child = intoTable("child");

const ofEveryKind = (pipeId: string): string => `
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
    type.endsWith(":Pipe") && !opts.id
      ? { props: { ...props, settings: { dbmsMaxThreads: 5 } }, opts } : undefined);
  const parent = new pulumi.ComponentResource("test:index:Group", "group");
  new datapipes.Pipe("child", ${JSON.stringify(child)}, {
    parent,
    transforms: [({ props, opts }) => ({ props: { ...props, name: "transformed" }, opts })],
  });
  const gotten = datapipes.Pipe.get("gotten", ${JSON.stringify(pipeId)});
  const endpoint = datapipes.ReversePrivateEndpoint.get("endpoint", "${endpointId}", {
    description: "known", type: "VPC_ENDPOINT_SERVICE",
  });
  const settings = datapipes.ServiceSettings.get("settings", "${serviceId}", { name: "Known" });
  ${outputs({
    gotten: "[gotten.name, gotten.source.kafka.topics, gotten.scaling.replicas, gotten.observed]",
    endpoint: "[endpoint.id, endpoint.description, endpoint.type]",
    settings: "[settings.id, settings.name]",
  })}`;

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

test("`get` reads a pipe that the same run creates", async () => {
  const simulator = await newSimulator();
  const program = `const a = ${declaration("Pipe", "a", minimal.kafka)};
const b = datapipes.Pipe.get("b", a.id);
${outputs({ names: "[b.name, datapipes.getPipeOutput({ id: a.id }).name]" })}`;
  const stack = await newStack({ simulator, program });
  await stack.up();
  expect((await stack.outputs())["names"]).toEqual(["a", "a"]);
});

test("transforms change the request, and `get` reads all three resources", async () => {
  const simulator = await newSimulator();
  const [seeded] = simulator.control.seedPipes([creationBody("seeded", minimal.kafka)]);
  const stack = await newStack({ simulator, program: ofEveryKind(seeded?.id ?? "") });
  await stack.up();
  const transformed = { ...child, name: "transformed", settings: { dbms_max_threads: 5 } };
  expect(takeBodies(simulator)).toEqual([transformed]);
  const { gotten, endpoint, settings } = await stack.outputs();
  // Each value that was read is an output of its own, so `observed` need not repeat it.
  expect(gotten).toEqual(["seeded", "orders", 1, {}]);
  expect(endpoint).toEqual([endpointId, "known", "VPC_ENDPOINT_SERVICE"]);
  expect(settings).toEqual([serviceId, "Known"]);
  await expectNoChanges(stack);

  const unknown = "00000000-0000-4000-8000-000000000000";
  await stack.write(`datapipes.Pipe.get("gotten", "${unknown}");`);
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toContain(`read Pipe ${unknown} failed: the service has no pipe with this ID`);
});
