import { isNative } from "../../testkit/adapter";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { canary, leaks } from "../../testkit/canary";
import { complete, pipesProgram, withValue, type JsonObject } from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { newSimulator, pipeNamed, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";

const keySecret = canary("api-key-secret");
const connectionString = canary("connection-string");
const secretKey = canary("secret-key");
const hidden = [keySecret, connectionString, secretKey, `key-id:${keySecret}`];
const account = {
  apiKeyId: "key-id",
  apiKeySecret: keySecret,
  organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
  serviceIds: ["0a1b2c3d-0000-4000-8000-000000000002"],
};

const log = "grpc.json";

/** What the plugin's own calls ended with, and the lines that it had the engine log. */
async function pluginTexts(stack: TestStack): Promise<string> {
  const lines = (await readFile(path.join(stack.project, log), "utf8"))
    .split("\n")
    .filter((line) => line !== "");
  const calls = lines.map(
    (line) => JSON.parse(line) as { method: string; request?: unknown; errors?: unknown },
  );
  const shown = calls.filter(({ method, errors }) => errors !== undefined || method.endsWith("/Log"));
  expect(shown.length).toBeGreaterThan(0);
  return shown
    .map(({ method, request, errors }) => JSON.stringify(method.endsWith("/Log") ? request : errors))
    .join("\n");
}

const files = (threads: number): JsonObject => {
  const { source } = complete.objectStorage;
  const args = {
    source: source ?? null,
    destination: { table: "files" },
    settings: { dbmsMaxThreads: threads },
  };
  const keyed = withValue(args, "source.objectStorage.accessKey.secretKey", secretKey);
  return {
    ...withValue(keyed, "source.objectStorage.connectionString", connectionString),
    deletionPolicy: "delete",
  };
};

const program = (threads: number, name = "Shop"): string =>
  [
    pipesProgram({ files: files(threads) }),
    declaration("ServiceSettings", "settings", {
      name,
      privateEndpointIds: [`vpce-${threads}`],
      deletionPolicy: "delete",
    }),
    declaration("ReversePrivateEndpoint", "endpoint", {
      description: "an endpoint",
      type: "VPC_ENDPOINT_SERVICE",
      deletionPolicy: "delete",
    }),
  ].join(";\n");

const functions = `module.exports = async () => {
  const calls = [datapipes.getBackups(), datapipes.getPipes(), datapipes.getPipe({ name: "files" }),
    datapipes.getPipeSettings({ pipeId: "0a1b2c3d-0000-4000-8000-0000000000f1" })];
  return { failures: (await Promise.allSettled(calls)).map(({ reason }) => [reason.code, reason.message, reason.stack]) };
};`;

/** The next request of each of these operations is answered with all that came with it. */
function echo(
  simulator: Simulator,
  operations: readonly Parameters<Simulator["control"]["fault"]>[0]["operationId"][],
): void {
  simulator.control.clearFaults();
  for (const operationId of operations)
    simulator.control.fault({ operationId, kind: "echo", withAuthorization: true, times: 3 });
}

test("no operation's error shows what the server repeats, not even to the engine", async () => {
  const simulator = await newSimulator({ accounts: [account] });
  const env = { PULUMI_DEBUG_GRPC: log };
  const stack = await newStack({ simulator, env, program: program(1), config: { maxRetries: "0" } });
  const all = { expectFailure: true, flags: ["--continue-on-error", "--diff"] };
  const texts: Record<string, string> = {};
  const see = async (step: string, { output }: { output: string }, operations: RegExp[]): Promise<void> => {
    for (const operation of operations) expect(output).toMatch(operation);
    texts[step] = output;
    texts[`state after ${step}`] = await stack.storedText();
    expect(leaks(texts, hidden)).toEqual([]);
  };

  echo(simulator, ["createPipe", "updateService", "createReversePrivateEndpoint"]);
  await see("create", await stack.up(all), [/create pipe/, /service .*400/, /endpoint .*400/]);
  simulator.control.clearFaults();
  await stack.up();
  echo(simulator, ["getPipeSettings", "updateService"]);
  await stack.write(program(2, "Shop 2"));
  await see("update", await stack.up(all), [/could not read them back/, /service .*400/]);
  echo(simulator, ["listPipes"]);
  await see("refresh", await stack.refresh({ expectFailure: true }), [/list the pipes .*400/]);
  simulator.control.clearFaults();
  simulator.control.editPipe(pipeNamed(simulator, "files").id, { name: "edited" });
  await see("drift", await stack.preview({ diff: true, flags: ["--refresh"] }), [/"edited" => "files"/]);
  echo(simulator, ["deletePipe", "deleteReversePrivateEndpoint", "updateService"]);
  await see("destroy", await stack.destroy(all), [
    /delete pipe/,
    /delete reverse private endpoint/,
    /service .*400/,
  ]);
  simulator.control.clearFaults();
  await stack.destroy();

  await stack.write(functions);
  echo(simulator, ["listBackups", "listPipes", "getPipeSettings"]);
  await see("functions", await stack.up(), [isNative ? /list the backups/ : /bad-request/]);
  const plugin = await pluginTexts(stack);
  expect(plugin).toMatch(/create pipe[^]*list the pipes[^]*delete pipe/);
  expect(leaks({ outputs: JSON.stringify(await stack.outputs()), plugin }, hidden)).toEqual([]);
});
