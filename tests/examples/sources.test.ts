import { takeWrites } from "../../testkit/simulator";
import { deploy, destroy, stackOf, transpileOnly } from "./example";

test("quickstart loads a topic and files", async () => {
  const { simulator, stack } = await stackOf("quickstart");
  await deploy(stack);
  await destroy(stack);
  expect(simulator.control.state().pipes).toHaveLength(2);
});

test("kafka-schema-registry gives the pipe its registry, and the preview refuses another password of it", async () => {
  const { simulator, stack } = await stackOf("kafka-schema-registry");
  await deploy(stack);
  const [pipe] = simulator.control.state().pipes;
  expect(pipe?.source.kafka?.schemaRegistry).toEqual({ url: "https://registry.example.com" });
  await stack.setConfig({}, { "kafka-schema-registry:registryPassword": "another" });
  const { output } = await stack.preview({ expectFailure: true, env: transpileOnly });
  expect(output).toContain("source.kafka.schemaRegistry.credentials");
  await destroy(stack);
});

test("object-storage loads files once and continuously, and waits for the first", async () => {
  const { simulator, stack } = await stackOf("object-storage");
  await deploy(stack);
  const { pipes } = simulator.control.state();
  expect(Object.fromEntries(pipes.map(({ name, state }) => [name, state]))).toEqual({
    history: "Completed",
    clicks: "Running",
  });
  await destroy(stack);
});

test("postgres replicates the tables of the configuration", async () => {
  const { simulator, stack } = await stackOf("postgres");
  await deploy(stack);
  const [pipe] = simulator.control.state().pipes;
  expect(pipe?.source.postgres?.tableMappings?.map(({ sourceTable }) => sourceTable)).toEqual([
    "orders",
    "customers",
  ]);
  await destroy(stack);
});

test("kinesis deletes its pipe when the stack is destroyed", async () => {
  const { simulator, stack } = await stackOf("kinesis");
  await deploy(stack);
  takeWrites(simulator);
  await destroy(stack);
  expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["DELETE"]);
  expect(simulator.control.state().pipes).toEqual([]);
});
