import { expectNoChanges, expectWrites } from "./expectations";
import { withValue, type JsonObject } from "../kit/json";
import { creationBody, minimal } from "../kit/pipes";
import { planOf } from "./plan";
import { declaration, outputs } from "../kit/program";
import { newSimulator, pipeNamed, takeWrites } from "../kit/simulator";
import { deployStack, newStack } from "../kit/stack";

const { kafka } = minimal;
const topics = "source.kafka.topics";
/** A pipe with a table of its own. */
const pipe = (name: string, args: JsonObject = kafka, options?: string): string =>
  `${declaration("Pipe", name, withValue(args, "destination.table", name), options)};\n`;

const guarded = pipe("protected", kafka, "{ protect: true }");
const before = [pipe("ignored"), guarded, pipe("target"), pipe("bystander")].join("");

const after = [
  pipe("ignored", withValue(kafka, topics, "other"), `{ ignoreChanges: ["${topics}"] }`),
  pipe("protected", kafka, "{ protect: true }"),
  pipe("target", { ...kafka, name: "target 2" }),
  pipe("bystander", { ...kafka, name: "bystander 2" }),
].join("");

test("supports ignoreChanges, --target and protect", async () => {
  const { simulator, stack } = await deployStack(before);
  takeWrites(simulator);
  await stack.write(after);
  const { steps } = await planOf(stack);
  expect(steps).toEqual({ target: ["update"], bystander: ["update"] });
  await stack.up({ flags: ["--target", "**target"] });
  expectWrites(simulator, ["PATCH", { name: "target 2" }]);
  await stack.up();
  expectWrites(simulator, ["PATCH", { name: "bystander 2" }]);
  expect(pipeNamed(simulator, "ignored").source.kafka?.topics).toBe("orders");
  await expectNoChanges(stack);

  await stack.write(pipe("target", { ...kafka, name: "target 2" }));
  expect((await stack.up({ expectFailure: true })).output).toMatch(/protected/);
  expect((await stack.export()).named("protected").id).toBe(pipeNamed(simulator, "protected").id);
});

const endpointId = "0a1b2c3d-0000-4000-8000-0000000000f1";
const serviceId = "0a1b2c3d-0000-4000-8000-000000000002";

const child = withValue(kafka, "destination.table", "child");

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

test("transforms change the request, and `get` reads all three resources", async () => {
  const simulator = await newSimulator();
  const [seeded] = simulator.control.seedPipes([creationBody("seeded", kafka)]);
  const stack = await newStack({ simulator, program: ofEveryKind(seeded?.id ?? "") });
  await stack.up();
  expectWrites(simulator, ["POST", { ...child, name: "transformed", settings: { dbms_max_threads: 5 } }]);
  expect(await stack.outputs()).toEqual({
    // Each value that was read is an output of its own, so `observed` need not repeat it.
    gotten: ["seeded", "orders", 1, {}],
    endpoint: [endpointId, "known", "VPC_ENDPOINT_SERVICE"],
    settings: [serviceId, "Known"],
  });
  await expectNoChanges(stack);

  const unknown = "00000000-0000-4000-8000-000000000000";
  await stack.write(`datapipes.Pipe.get("gotten", "${unknown}");`);
  expect((await stack.preview({ expectFailure: true })).output).toContain(unknown);
});
