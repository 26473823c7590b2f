import { readFile } from "node:fs/promises";
import path from "node:path";
import { isNative } from "../../testkit/adapter";
import { leaks } from "../../testkit/canary";
import { mapValues, pipesProgram, type JsonObject } from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";
import { account, hidden, smallPipes } from "./secret-pipes";

const log = "grpc.json";

/** What the plugin's own calls ended with, and the lines that it had the engine log. */
async function pluginTexts(stack: TestStack): Promise<string> {
  const lines = (await readFile(path.join(stack.project, log), "utf8")).trim().split("\n");
  const calls = lines.map(
    (line) => JSON.parse(line) as { method: string; request?: unknown; errors?: unknown },
  );
  const shown = calls.map(({ method, request, errors }) => (method.endsWith("/Log") ? request : errors));
  return shown.map((text) => JSON.stringify(text ?? "")).join("\n");
}

/** The service of the pipe whose update succeeds. */
const otherService = "0a1b2c3d-0000-4000-8000-000000000003";
const deletionPolicy = "delete";

function program(version: number): string {
  const { objectStorage, ...pipes } = smallPipes(version);
  const updated = { ...objectStorage, serviceId: otherService, settings: { dbmsMaxThreads: version } };
  const settings = { name: `Shop ${version}`, privateEndpointIds: [`vpce-${version}`], deletionPolicy };
  const endpoint = { description: "an endpoint", type: "VPC_ENDPOINT_SERVICE", deletionPolicy };
  const all: Record<string, JsonObject> = { ...pipes, objectStorage: updated };
  return [
    pipesProgram(mapValues(all, (args) => ({ ...args, deletionPolicy }))),
    declaration("ServiceSettings", "settings", settings),
    declaration("ReversePrivateEndpoint", "endpoint", endpoint),
  ].join(";\n");
}

const functions = `module.exports = async () => {
  const calls = [datapipes.getBackups(), datapipes.getPipes(), datapipes.getPipe({ name: "kafka" }),
    datapipes.getPipeSettings({ pipeId: "0a1b2c3d-0000-4000-8000-0000000000f1" })];
  return { failures: (await Promise.allSettled(calls)).map(({ reason }) => [reason.code, reason.message, reason.stack]) };
};`;

type Operation = Parameters<Simulator["control"]["fault"]>[0]["operationId"];

/** The next requests of each of these operations are answered with all that came with them. */
function echo({ control }: Simulator, ...operations: readonly Operation[]): void {
  control.clearFaults();
  for (const operationId of operations) {
    const serviceId = operationId === "updatePipe" ? { serviceId: account.serviceIds[0] ?? "" } : {};
    control.fault({ operationId, ...serviceId, kind: "echo", withAuthorization: true, times: 4 });
  }
}

test("no operation's error shows what the server repeats, not even to the engine", async () => {
  const serviceIds = [...account.serviceIds, otherService];
  const simulator = await newSimulator({ accounts: [{ ...account, serviceIds }] });
  const env = { PULUMI_DEBUG_GRPC: log };
  const stack = await newStack({ simulator, env, program: program(1), config: { maxRetries: "0" } });
  const all = { expectFailure: true, flags: ["--continue-on-error", "--diff"] };
  const see = async (step: string, { output }: { output: string }, operations: RegExp[]): Promise<void> => {
    for (const operation of operations) expect(output).toMatch(operation);
    const texts = { [step]: output, [`state after ${step}`]: await stack.storedText() };
    expect(leaks(texts, hidden)).toEqual([]);
  };

  echo(simulator, "createPipe", "updateService", "createReversePrivateEndpoint");
  await see("create", await stack.up(all), [
    /(create pipe [^]*?400[^]*){4}/,
    /service .*400/,
    /endpoint .*400/,
  ]);
  simulator.control.clearFaults();
  await stack.up();
  takeWrites(simulator);
  echo(simulator, "updatePipe", "getPipeSettings", "updateService");
  await stack.write(program(2));
  await see("update", await stack.up(all), [
    /(update pipe [^]*?400[^]*){3}/,
    /could not read them back/,
    /service .*400/,
  ]);
  echo(simulator, "listPipes");
  await see("refresh", await stack.refresh({ expectFailure: true }), [/list the pipes .*400/]);
  simulator.control.clearFaults();
  simulator.control.editPipe(pipeNamed(simulator, "postgres").id, { name: "edited" });
  const drift = await stack.preview({ diff: true, flags: ["--refresh"] });
  await see("drift", drift, [/"edited" => "postgres"/]);
  echo(simulator, "deletePipe", "deleteReversePrivateEndpoint", "updateService");
  const destroy = await stack.destroy(all);
  await see("destroy", destroy, [
    /(delete pipe [^]*?400[^]*){4}/,
    /delete reverse private endpoint/,
    /service .*400/,
  ]);
  simulator.control.clearFaults();
  await stack.destroy();

  await stack.write(functions);
  echo(simulator, "listBackups", "listPipes", "getPipeSettings");
  await see("functions", await stack.up(), [isNative ? /list the backups/ : /bad-request/]);
  const plugin = await pluginTexts(stack);
  expect(plugin).toMatch(/create pipe[^]*list the pipes[^]*delete pipe/);
  expect(leaks({ outputs: JSON.stringify(await stack.outputs()), plugin }, hidden)).toEqual([]);
});
