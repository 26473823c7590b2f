import { leaks } from "../kit/canary";
import { accountOf, pipeNamed, takeWrites, writes, type Call, type Simulator } from "../kit/simulator";
import { answerWithoutNames, exampleCases, simulatorOf, takenOverId, yamlExample } from "./cases";
import type { TestStack } from "../kit/stack";
import { destroy, stackOf } from "./example";

interface Deployed {
  readonly simulator: Simulator;
  readonly stack: TestStack;
  /** The requests of its first `pulumi up`. */
  readonly created: Requests;
}

/** An example, which exists in TypeScript and in YAML. */
interface Case {
  readonly does: string;
  /** What the service has before. */
  readonly before?: (simulator: Simulator) => void;
  /** What its first preview shows. */
  readonly shows?: RegExp;
  /** What is true when it is up. */
  readonly up?: (deployed: Deployed) => Promise<void> | void;
  /** The methods of the writes with which it goes down. */
  readonly deleted?: readonly string[];
  /** What can be done when it is down. */
  readonly down?: (deployed: Deployed) => Promise<void>;
}

const theirs = { source: "198.51.100.9", description: "Their laptop" };
const pipesOf = ({ simulator }: Deployed) => simulator.control.state().pipes;

const CASES: Readonly<Record<string, Case>> = {
  quickstart: {
    does: "loads a topic and files",
    up: (deployed) => {
      expect(pipesOf(deployed)).toHaveLength(2);
    },
  },
  "kafka-schema-registry": {
    does: "gives the pipe its registry, and the preview refuses another password of it",
    up: async (deployed) => {
      const [pipe] = pipesOf(deployed);
      expect(pipe?.source.kafka?.schemaRegistry).toEqual({ url: "https://registry.example.com" });
      const { stack } = deployed;
      await stack.setConfig({}, { "kafka-schema-registry:registryPassword": "another" });
      const { output } = await stack.preview({ expectFailure: true });
      expect(output).toContain("source.kafka.schemaRegistry.credentials");
    },
  },
  "private-kafka": {
    does: "reads through its endpoint",
    up: ({ simulator }) => {
      const [endpoint] = simulator.control.state().endpoints;
      const { source } = pipeNamed(simulator, "payments");
      expect(source.kafka?.reversePrivateEndpointIds).toEqual([endpoint?.id]);
    },
  },
  msk: {
    does: "previews while the names are unknown, and reads from the names of its connection",
    shows: /brokers +: \[unknown\]/,
    up: ({ simulator }) => {
      const [name = "none"] = simulator.control.state().endpoints[0]?.dnsNames ?? [];
      expect(pipeNamed(simulator, "orders").source.kafka?.brokers).toBe(`${name}:14001`);
    },
  },
  "object-storage": {
    does: "loads files once and continuously, and waits for the first",
    up: (deployed) => {
      expect(Object.fromEntries(pipesOf(deployed).map(({ name, state }) => [name, state]))).toEqual({
        history: "Completed",
        clicks: "Running",
      });
    },
  },
  postgres: {
    does: "replicates the tables of the configuration",
    up: (deployed) => {
      const [pipe] = pipesOf(deployed);
      const tables = pipe?.source.postgres?.tableMappings?.map(({ sourceTable }) => sourceTable);
      expect(tables).toEqual(["orders", "customers"]);
    },
  },
  kinesis: { does: "deletes its pipe when the stack is destroyed", deleted: ["DELETE"] },
  service: {
    does: "leaves entries of others alone, and removes them once it is exclusive",
    before: ({ control, account }) => {
      control.editService(account.serviceIds[0] ?? "", { ipAccessList: [theirs] });
    },
    up: async ({ simulator, stack }) => {
      expect((await stack.outputs())["madeByOthers"]).toEqual([theirs]);
      takeWrites(simulator);
      await stack.setConfig({ "service:exclusive": "true" });
      await stack.up();
      const removal = { ipAccessList: { remove: [theirs] } };
      expect(takeWrites(simulator).map(({ body }) => body)).toEqual([removal]);
      expect((await stack.outputs())["madeByOthers"]).toEqual([]);
    },
    deleted: ["PATCH"],
  },
  "two-accounts": {
    does: "creates a pipe in each account",
    up: (deployed) => {
      const pipes = pipesOf(deployed).map(({ name, serviceId }) => `${name} in ${serviceId}`);
      expect(pipes.sort()).toEqual([1, 2].map((number) => `orders in ${accountOf(number).serviceIds[0]}`));
    },
  },
  inventory: {
    does: "shows pipes of an account, and changes nothing",
    up: async ({ stack, created }) => {
      expect((await stack.outputs())["states"]).toEqual({ theirs: "Running" });
      expect(created.writes).toEqual([]);
    },
  },
  "take-over": {
    does: "adopts a pipe with one update, and imports it without a change",
    shows: /settings\.streamingMaxInsertWaitMs.*9000.*2000/,
    up: ({ created }) => {
      const update = { method: "PATCH", body: { settings: { streaming_max_insert_wait_ms: 2000 } } };
      expect(created.writes).toEqual([expect.objectContaining(update)]);
    },
    // The commands of the comment.
    down: async ({ simulator, stack }) => {
      await stack.datapipes(["import", "--mode", "import", "--force", "--only", takenOverId]);
      await stack.pulumi(["import", "--file", "import.json", "--generate-code=false", "--yes"]);
      await stack.preview({ expectNoChanges: true });
      expect(writes(simulator)).toEqual([]);
    },
  },
};

/** Each write, and which operations read. */
interface Requests {
  readonly reads: readonly string[];
  readonly writes: readonly Call[];
}

/** What the simulator has chosen: ids, and names of endpoints. */
function chosenBy({ control }: Simulator): string[] {
  const { endpoints, pipes } = control.state();
  return [...endpoints, ...pipes].map(({ id }) => id).concat(endpoints.flatMap(({ dnsNames }) => dnsNames));
}

/** The requests since the last call, without what the simulator has chosen. */
function takeRequests(simulator: Simulator, chosen = chosenBy(simulator)): Requests {
  const reads = simulator.control.requests().filter(({ method }) => method === "GET");
  const texts = takeWrites(simulator).map((write) =>
    chosen.reduce((text, id) => text.replaceAll(id, "<made>"), JSON.stringify(write)),
  );
  return {
    reads: [...new Set(reads.map(({ operationId }) => String(operationId)))].sort(),
    // Pulumi creates resources that do not depend on each other in any order.
    writes: texts.sort().map((text) => JSON.parse(text) as Call),
  };
}

/** Deploys an example, and previews it without a difference after a refresh. Returns all that the CLI prints. */
async function deploy(stack: TestStack, simulator: Simulator) {
  const up = await stack.up();
  expect(up.output).toContain("Outputs:");
  const created = takeRequests(simulator);
  const preview = await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  return { simulator, stack, created, output: up.output + preview.output };
}

/** The hosts of most runs do not check types: one example is compiled as by its user. */
const COMPILED = "quickstart";

const inTypeScript = async (example: string, { before, shows }: Case) => {
  const simulator = await simulatorOf(example);
  before?.(simulator);
  const { stack } = await stackOf(example, { simulator, cold: example === COMPILED });
  if (shows !== undefined) {
    expect((await stack.preview({ diff: true })).output).toMatch(shows);
    expect(writes(simulator)).toEqual([]);
  }
  return deploy(stack, simulator);
};

const inYaml = async (example: string, { before }: Case) => {
  const simulator = await simulatorOf(example);
  before?.(simulator);
  return deploy(await yamlExample(example, simulator), simulator);
};

async function destroyed({ stack, simulator }: Deployed): Promise<Requests> {
  const chosen = chosenBy(simulator);
  takeWrites(simulator);
  await destroy(stack);
  return takeRequests(simulator, chosen);
}

const rows = Object.entries(CASES).map(([example, each]) => [example, each.does, each] as const);

test.each(rows)("%s %s; in YAML, it sends the same, and shows no secret", async (example, _, each) => {
  const [typescript, yaml] = await Promise.all([inTypeScript(example, each), inYaml(example, each)]);
  const { reads, writes: sent } = typescript.created;
  expect(reads.length + sent.length).toBeGreaterThan(0);
  expect(yaml.created).toEqual(typescript.created);
  await each.up?.(typescript);
  const deleted = await destroyed(typescript);
  expect(deleted.writes.map(({ method }) => method)).toEqual(each.deleted ?? []);
  expect(await destroyed(yaml)).toEqual(deleted);
  const { secrets = {} } = exampleCases[example] ?? {};
  const texts = { output: yaml.output, stored: await yaml.stack.storedText() };
  expect(leaks(texts, Object.values(secrets))).toEqual([]);
  await each.down?.(typescript);
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

test("msk in YAML creates no pipe where the service names the brokers later", async () => {
  const simulator = await simulatorOf("msk");
  answerWithoutNames(simulator);
  const { output } = await (await yamlExample("msk", simulator)).up({ expectFailure: true });
  expect(output).toContain("list index 0 out-of-bounds");
  expect(simulator.control.state().pipes).toEqual([]);
});

test("component declares two feeds, and tells of the one that does not run", async () => {
  const { simulator, stack } = await stackOf("component", {
    config: { "component:endpointService": "com.example.vpce-svc-1" },
    secrets: { "component:password": "any" },
  });
  await deploy(stack, simulator);
  const { resources } = await stack.export();
  expect(resources.filter(({ type }) => type === "shop:data:DataFeed")).toHaveLength(2);
  const { id } = pipeNamed(simulator, "refunds");
  simulator.control.editPipe(id, { state: "Failed" });
  await stack.up({ flags: ["--refresh"] });
  const { alerts } = await stack.outputs();
  expect(alerts).toEqual([`Feed refunds: the state of pipe ${id} is Failed.`]);
  await destroy(stack);
});

test("every example that exists in YAML is deployed in both languages", () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(exampleCases).sort());
});
