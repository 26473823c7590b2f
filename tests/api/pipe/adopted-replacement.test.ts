import { Client } from "../../../provider/src/api/client";
import { Lifecycle } from "../../../provider/src/core/resource";
import { pipeDefinition } from "../../../provider/src/resources/pipe/lifecycle";
import { DEFAULT_ACCOUNT, startSimulator, type Simulator } from "../../../simulator/src/index";

const organizationId = DEFAULT_ACCOUNT.organizationId;
const serviceId = DEFAULT_ACCOUNT.serviceIds[0] ?? "";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

function newLifecycle(lines: string[]): Lifecycle {
  const inform = (line: string): void => {
    lines.push(line);
  };
  const client = new Client({
    baseUrl: simulator.url,
    apiKeyId: DEFAULT_ACCOUNT.apiKeyId,
    apiKeySecret: DEFAULT_ACCOUNT.apiKeySecret,
    rateLimit: "off",
    requestTimeoutSeconds: 5,
    maxRetries: 0,
    userAgent: "test",
    inform,
  });
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  return new Lifecycle(pipeDefinition({ client: () => client, inform, clock }), {
    configurationProblems: () => [],
    defaults: () => ({ organizationId, serviceId }),
    inform,
  });
}

const program = (adopt: string, topics: string) => ({
  organizationId,
  serviceId,
  name: "orders",
  source: { kafka: { brokers: "b:9092", topics } },
  destination: { database: "default", table: "orders" },
  adopt,
  deletionPolicy: "delete",
});

test("a pipe that was adopted once can be replaced: it is deleted, and another one is created in its place", async () => {
  const lines: string[] = [];
  const [seeded] = simulator.control.seedPipes([
    {
      name: "orders",
      source: { kafka: { brokers: "b:9092", topics: "old" } },
      destination: { table: "orders", database: "default" },
    },
  ]);
  const adopted = (seeded?.id ?? "").toUpperCase();
  const lifecycle = newLifecycle(lines);

  const before = await lifecycle.create(program(adopted, "old"));
  expect(before.id).toBe(seeded?.id);

  const news = program(adopted, "new");
  expect(lifecycle.check(before.outputs, news).failures).toEqual([]);
  expect(lifecycle.diff(before.id, before.outputs, news)).toMatchObject({ deleteBeforeReplace: true });
  lines.length = 0;
  expect(lifecycle.check(undefined, news).failures).toEqual([]);
  expect(lines).toEqual([]);
  await lifecycle.delete(before.id, before.outputs);
  const after = await lifecycle.create(news);

  expect(after.id).not.toBe(before.id);
  expect(simulator.control.state().pipes.map(({ id }) => id)).toEqual([after.id]);
});
