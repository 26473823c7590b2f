import { answerWithoutNames } from "../../testkit/examples";
import { newSimulator, pipeNamed } from "../../testkit/simulator";
import { deploy, destroy, stackOf, transpileOnly } from "./example";

test("private-kafka reads through its endpoint", async () => {
  const { simulator, stack } = await stackOf("private-kafka");
  await deploy(stack);
  const [endpoint] = simulator.control.state().endpoints;
  expect(pipeNamed(simulator, "payments").source.kafka?.reversePrivateEndpointIds).toEqual([endpoint?.id]);
  await destroy(stack);
});

test("msk previews while the names are unknown, and reads from the names of its connection", async () => {
  const { simulator, stack } = await stackOf("msk");
  const { output } = await stack.preview({ diff: true });
  expect(output).toMatch(/brokers +: \[unknown\]/);
  await deploy(stack, { env: transpileOnly });
  const [name = "none"] = simulator.control.state().endpoints[0]?.dnsNames ?? [];
  expect(pipeNamed(simulator, "orders").source.kafka?.brokers).toBe(`${name}:14001`);
  await destroy(stack);
});

test("msk asks for the brokers where the service names them later, and then creates the pipe", async () => {
  const simulator = await newSimulator();
  answerWithoutNames(simulator);
  const { stack } = await stackOf("msk", { simulator });
  const { output } = await stack.up({ expectFailure: true, env: transpileOnly });
  expect(output).toContain("The connection has no DNS names yet: run `pulumi config set msk:brokers …`.");
  expect(simulator.control.state().pipes).toEqual([]);
  await stack.setConfig({ "msk:brokers": "b-1.example.com:14001" });
  await stack.up({ env: transpileOnly });
  expect(pipeNamed(simulator, "orders").source.kafka?.brokers).toBe("b-1.example.com:14001");
});

test("component declares two feeds, and tells of the one that does not run", async () => {
  const { simulator, stack } = await stackOf("component", {
    config: { "component:endpointService": "com.example.vpce-svc-1" },
    secrets: { "component:password": "any" },
  });
  await deploy(stack);
  const { resources } = await stack.export();
  expect(resources.filter(({ type }) => type === "shop:data:DataFeed")).toHaveLength(2);
  const { id } = pipeNamed(simulator, "refunds");
  simulator.control.editPipe(id, { state: "Failed" });
  await stack.up({ flags: ["--refresh"], env: transpileOnly });
  const { alerts } = await stack.outputs();
  expect(alerts).toEqual([`Feed refunds: the state of pipe ${id} is Failed.`]);
  await destroy(stack);
});
