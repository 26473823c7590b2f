import { seed } from "../../testkit/imported";
import { expectNoChanges, expectWrites } from "./expectations";
import { minimal, pipesProgram, withValue, type JsonObject } from "../../testkit/pipes";
import { planOf } from "../../testkit/plan";
import { outputs } from "../../testkit/program";
import { newSimulator, pipeNamed, takeWrites } from "../../testkit/simulator";
import { deployed, newStack } from "../../testkit/stack";

const { kafka } = minimal;
const topics = "source.kafka.topics";
const isolated = (name: string, args: JsonObject = kafka, options?: string): string =>
  pipesProgram({ [name]: args }, options);

const before = [
  isolated("ignored"),
  isolated("protected", kafka, "{ protect: true }"),
  isolated("left", { ...kafka, deletionPolicy: "delete" }, "{ retainOnDelete: true }"),
  isolated("old-name", { ...kafka, name: "renamed" }),
  isolated("target"),
  isolated("bystander"),
].join("");

const after = [
  isolated("ignored", withValue(kafka, topics, "other"), `{ ignoreChanges: ["${topics}"] }`),
  isolated("protected", kafka, "{ protect: true }"),
  isolated("new-name", { ...kafka, name: "renamed" }, '{ aliases: [{ name: "old-name" }] }'),
  isolated("target", { ...kafka, name: "target 2" }),
  isolated("bystander", { ...kafka, name: "bystander 2" }),
].join("");

test("supports ignoreChanges, retainOnDelete, aliases, --target and protect", async () => {
  const { simulator, stack } = await deployed(before);
  takeWrites(simulator);
  await stack.write(after);
  expect((await planOf(stack)).steps).toEqual({
    left: ["delete"],
    target: ["update"],
    bystander: ["update"],
  });
  await stack.up({ flags: ["--target", "**target"] });
  expectWrites(simulator, ["PATCH", { name: "target 2" }]);
  await stack.up();
  expectWrites(simulator, ["PATCH", { name: "bystander 2" }]);
  expect(pipeNamed(simulator, "ignored").source.kafka?.topics).toBe("orders");
  expect(pipeNamed(simulator, "left").id).toBeDefined();
  await expectNoChanges(stack);

  await stack.write(isolated("target", { ...kafka, name: "target 2" }));
  expect((await stack.up({ expectFailure: true })).output).toMatch(/protected/);
  expect((await stack.export()).named("protected").id).toBe(pipeNamed(simulator, "protected").id);
});

const ids = {
  endpoint: "0a1b2c3d-0000-4000-8000-0000000000f1",
  service: "0a1b2c3d-0000-4000-8000-000000000002",
};

const others = (pipeId: string): string => `
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
    type.endsWith(":Pipe") && !opts.id
      ? { props: { ...props, settings: { dbmsMaxThreads: 5 } }, opts } : undefined);
  const parent = new pulumi.ComponentResource("test:index:Group", "group");
  const child = new datapipes.Pipe("child", ${JSON.stringify(kafka)}, {
    parent,
    transforms: [({ props, opts }) => ({ props: { ...props, name: "transformed" }, opts })],
  });
  const gotten = datapipes.Pipe.get("gotten", ${JSON.stringify(pipeId)});
  const endpoint = datapipes.ReversePrivateEndpoint.get("endpoint", "${ids.endpoint}", {
    description: "known", type: "VPC_ENDPOINT_SERVICE",
  });
  const settings = datapipes.ServiceSettings.get("settings", "${ids.service}", { name: "Known" });
  const kinds = [datapipes.Pipe, datapipes.ReversePrivateEndpoint, datapipes.ServiceSettings];
  const table = [child, gotten, endpoint, settings, parent].map((one) => kinds.map((kind) => kind.isInstance(one)));
  ${outputs({
    table: "table",
    gotten: "[gotten.name, gotten.source.kafka.topics, gotten.scaling.replicas, gotten.observed]",
    endpoint: "[endpoint.id, endpoint.description, endpoint.type]",
    settings: "[settings.id, settings.name]",
  })}`;

test("transforms change the request, `get` reads all three resources, and `isInstance` distinguishes them", async () => {
  const simulator = await newSimulator();
  const [seeded] = simulator.control.seedPipes([seed("seeded", kafka)]);
  const stack = await newStack({ simulator, program: others(seeded?.id ?? "") });
  await stack.up();
  expectWrites(simulator, ["POST", { ...kafka, name: "transformed", settings: { dbms_max_threads: 5 } }]);
  expect(await stack.outputs()).toEqual({
    table: [
      [true, false, false],
      [true, false, false],
      [false, true, false],
      [false, false, true],
      [false, false, false],
    ],
    // Each value that was read is an output of its own, so `observed` need not repeat it.
    gotten: ["seeded", "orders", 1, {}],
    endpoint: [ids.endpoint, "known", "VPC_ENDPOINT_SERVICE"],
    settings: [ids.service, "Known"],
  });
  await expectNoChanges(stack);

  const unknown = "00000000-0000-4000-8000-000000000000";
  await stack.write(`datapipes.Pipe.get("gotten", "${unknown}");`);
  expect((await stack.preview({ expectFailure: true })).output).toContain(unknown);
});
