import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as automation from "@pulumi/pulumi/automation";
import { startSimulator, type Simulator } from "pulumi-datapipes-simulator";

const stackName = "integration-test";

let backend: string;
let simulator: Simulator;
let stack: automation.Stack;

/** The simulator as the service, and a temporary folder for the state. */
function environment(): Record<string, string> {
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = simulator.account;
  return {
    DATAPIPES_BASE_URL: simulator.url,
    DATAPIPES_API_KEY_ID: apiKeyId,
    DATAPIPES_API_KEY_SECRET: apiKeySecret,
    DATAPIPES_ORGANIZATION_ID: organizationId,
    DATAPIPES_SERVICE_ID: serviceIds[0] ?? "",
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "not-a-real-passphrase",
  };
}

beforeAll(async () => {
  backend = await mkdtemp(path.join(tmpdir(), "integration-test-"));
  // Pipes reach their state at once.
  simulator = await startSimulator({ stateSeconds: 0 });
  stack = await automation.LocalWorkspace.createStack(
    { stackName, workDir: __dirname },
    { envVars: environment() },
  );
  await stack.setConfig("unit-tests:kafkaPassword", { value: "not-a-real-password", secret: true });
}, 60_000);

afterAll(async () => {
  await simulator.close();
  await rm(backend, { recursive: true });
  // The configuration of the stack, which the Automation API writes beside the program.
  await rm(path.join(__dirname, `Pulumi.${stackName}.yaml`), { force: true });
});

/** Method and body of the requests that changed something since the last call. */
function takeWrites(): unknown[] {
  const writes = simulator.control.requests().filter(({ method }) => method !== "GET");
  simulator.control.clearRequests();
  return writes.map(({ method, body }) => ({ method, body }));
}

// One test, because each step continues where the last one ended.
test("the program deploys, changes in place, and leaves the pipes running when it is destroyed", async () => {
  const { pipeIds } = (await stack.up()).outputs;
  const pipes = simulator.control.state().pipes;
  expect(pipes.map(({ name }) => name).sort()).toEqual(["orders", "refunds", "stock-levels"]);
  expect((pipeIds?.value as string[]).sort()).toEqual(pipes.map(({ id }) => id).sort());
  await stack.preview({ expectNoChanges: true });
  takeWrites();

  await stack.setConfig("unit-tests:flushIntervalMs", { value: "2000" });
  await stack.up({ refresh: true });
  const change = { method: "PATCH", body: { settings: { streaming_max_insert_wait_ms: 2000 } } };
  expect(takeWrites()).toEqual([change, change, change]);

  await stack.destroy();
  expect(takeWrites()).toEqual([]);
  expect(simulator.control.state().pipes).toHaveLength(3);
}, 300_000);
