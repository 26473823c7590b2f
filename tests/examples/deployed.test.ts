import { leaks } from "../kit/canary";
import { accountOf, pipeNamed, takeWrites, type Call, type Simulator } from "../kit/simulator";
import { answerWithoutNames, exampleCases, simulatorOf, YAML_EXAMPLES, yamlExample } from "./cases";
import type { TestStack } from "../kit/stack";
import { destroy, stackOf } from "./example";

/** What the simulator has chosen: ids, and names of endpoints. */
function chosenBy({ control }: Simulator): string[] {
  const { endpoints, pipes } = control.state();
  return [...endpoints, ...pipes].map(({ id }) => id).concat(endpoints.flatMap(({ dnsNames }) => dnsNames));
}

/** Which operations have read, and each write, without what the simulator has chosen. */
function takeRequests(simulator: Simulator) {
  const reads = simulator.control.requests().filter(({ method }) => method === "GET");
  const texts = takeWrites(simulator).map((write) =>
    chosenBy(simulator).reduce((text, id) => text.replaceAll(id, "<made>"), JSON.stringify(write)),
  );
  return {
    reads: [...new Set(reads.map(({ operationId }) => String(operationId)))].sort(),
    // Pulumi creates resources that do not depend on each other in any order.
    writes: texts.sort().map((text) => JSON.parse(text) as Call),
  };
}

/** The first `pulumi up` of an example. */
async function deploy(stack: TestStack, simulator: Simulator) {
  const { output } = await stack.up();
  return { simulator, stack, output, requests: takeRequests(simulator) };
}

type Deployed = Awaited<ReturnType<typeof deploy>>;

/** The hosts of most runs do not check types: one example is compiled as by its user. */
async function deployInTypeScript(example: string): Promise<Deployed> {
  const { simulator, stack } = await stackOf(example, { cold: example === "quickstart" });
  return deploy(stack, simulator);
}

async function deployInYaml(example: string): Promise<Deployed> {
  const simulator = await simulatorOf(example);
  return deploy(await yamlExample(example, simulator), simulator);
}

const EXAMPLES = Object.keys(exampleCases);
const deployments = new Map<string, Promise<Deployed>>();

/**
 * An example in TypeScript. All tests of an example share one, because each run of the CLI takes seconds; those that
 * change it come last.
 */
function deployed(example: string): Promise<Deployed> {
  const deployment = deployments.get(example) ?? deployInTypeScript(example);
  deployments.set(example, deployment);
  return deployment;
}

/** The policies of each resource, by its logical name. */
async function policiesOf({ stack }: Deployed) {
  const { resources } = await stack.export();
  const own = resources.filter(({ type }) => type.includes("datapipes:"));
  return Object.fromEntries(
    own.map(({ urn, inputs = {} }) => [
      urn.slice(urn.lastIndexOf(":") + 1),
      { deletion: inputs["deletionPolicy"], replacement: inputs["replacementPolicy"] },
    ]),
  );
}

/** What a run of an example may show nowhere. */
const secretsOf = (example: string) => Object.values(exampleCases[example]?.secrets ?? {});

test.each(EXAMPLES)("%s sends requests and shows outputs", async (example) => {
  const { output, requests } = await deployed(example);
  expect(output).toContain("Outputs:");
  expect(requests.reads.length + requests.writes.length).toBeGreaterThan(0);
});

test.each(EXAMPLES)("%s shows and stores no secret", async (example) => {
  const { stack, output } = await deployed(example);
  expect(leaks({ output, stored: await stack.storedText() }, secretsOf(example))).toEqual([]);
});

test.each(YAML_EXAMPLES)("%s sends the same requests in YAML, and stores no secret", async (example) => {
  const [typescript, yaml] = await Promise.all([deployed(example), deployInYaml(example)]);
  expect(yaml.requests).toEqual(typescript.requests);
  expect(await policiesOf(yaml)).toEqual(await policiesOf(typescript));
  const preview = await yaml.stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  const texts = { output: yaml.output, preview: preview.output, stored: await yaml.stack.storedText() };
  expect(leaks(texts, secretsOf(example))).toEqual([]);
});

test("only kinesis and service declare resources that Pulumi may delete", async () => {
  const deleting = [];
  for (const example of EXAMPLES) {
    const policies = Object.values(await policiesOf(await deployed(example)));
    if (policies.some(({ deletion }) => deletion === "delete")) deleting.push(example);
  }
  expect(deleting).toEqual(["kinesis", "service"]);
});

test.each(EXAMPLES)("%s shows no change after a refresh", async (example) => {
  const { stack } = await deployed(example);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("private-kafka reads through its endpoint", async () => {
  const { simulator } = await deployed("private-kafka");
  const [endpoint] = simulator.control.state().endpoints;
  const { source } = pipeNamed(simulator, "payments");
  expect(source.kafka?.reversePrivateEndpointIds).toEqual([endpoint?.id]);
});

test("msk reads from the names of its connection", async () => {
  const { simulator } = await deployed("msk");
  const [name = "none"] = simulator.control.state().endpoints[0]?.dnsNames ?? [];
  expect(pipeNamed(simulator, "orders").source.kafka?.brokers).toBe(`${name}:14001`);
});

test("two-accounts creates a pipe in each account", async () => {
  const { simulator } = await deployed("two-accounts");
  const services = simulator.control.state().pipes.map(({ serviceId }) => serviceId);
  expect(services.sort()).toEqual([1, 2].map((number) => accountOf(number).serviceIds[0]));
});

test("inventory shows pipes of an account, and changes nothing", async () => {
  const { stack, requests } = await deployed("inventory");
  expect((await stack.outputs())["states"]).toEqual({ theirs: "Running" });
  expect(requests.writes).toEqual([]);
});

test("take-over adopts a pipe with one update", async () => {
  const { requests } = await deployed("take-over");
  const update = { method: "PATCH", body: { settings: { streaming_max_insert_wait_ms: 2000 } } };
  expect(requests.writes).toEqual([expect.objectContaining(update)]);
});

test("msk asks for the brokers where the service names them later, and then creates the pipe", async () => {
  const simulator = await simulatorOf("msk");
  answerWithoutNames(simulator);
  const { stack } = await stackOf("msk", { simulator });
  const { output } = await stack.up({ expectFailure: true });
  expect(output).toContain("The connection has no DNS names yet: run `pulumi config set msk:brokers …`.");
  expect(simulator.control.state().pipes).toEqual([]);
  await stack.setConfig({ "msk:brokers": "b-1.example.com:14001" });
  await stack.up();
  expect(pipeNamed(simulator, "orders").source.kafka?.brokers).toBe("b-1.example.com:14001");
});

test("component declares two feeds, and tells of the one that does not run", async () => {
  const { simulator, stack } = await stackOf("component", {
    config: { "component:endpointService": "com.example.vpce-svc-1" },
    secrets: { "component:password": "any" },
  });
  await stack.up();
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  const { resources } = await stack.export();
  expect(resources.filter(({ type }) => type === "shop:data:DataFeed")).toHaveLength(2);
  const { id } = pipeNamed(simulator, "refunds");
  simulator.control.editPipe(id, { state: "Failed" });
  await stack.up({ flags: ["--refresh"] });
  const { alerts } = await stack.outputs();
  expect(alerts).toEqual([`Feed refunds: the state of pipe ${id} is Failed.`]);
  await destroy(stack);
});
