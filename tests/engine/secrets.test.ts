import { readFile } from "node:fs/promises";
import path from "node:path";
import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, canaryAt, leaks, pipeCanaries, secretFieldsOf, withCanaries } from "../kit/canary";
import type { Run } from "../kit/cli";
import { secretPathsIn, valueAt } from "../kit/deployment";
import { type Json, type JsonObject, mapValues, withValue, withValues } from "../kit/json";
import { complete, minimal, pipesProgram, withOwnDatabases } from "../kit/pipes";
import { declaration, isNative } from "../kit/program";
import { type Simulator, newSimulator, pipeNamed, takeWrites } from "../kit/simulator";
import { type TestStack, newStack } from "../kit/stack";

const keySecret = canary("api-key-secret");
/** The service of the pipe whose update succeeds. */
const otherService = "0a1b2c3d-0000-4000-8000-000000000003";
const account = {
  ...DEFAULT_ACCOUNT,
  apiKeyId: "key-id",
  apiKeySecret: keySecret,
  serviceIds: [...DEFAULT_ACCOUNT.serviceIds, otherService],
};

/** What no output and no stored file may show. */
const hidden = [keySecret, `key-id:${keySecret}`, ...pipeCanaries];

const deletionPolicy = "delete";

/** Pipes with secrets and little else, so that no limit of a message's length hides what it should not show. */
const pipesOf = (version: number): Record<string, JsonObject> =>
  mapValues(minimal, (args, kind) => withCanaries({ ...args, deletionPolicy }, kind, version));

/** Expects that no output of runs shows a secret, and no file that the engine has stored after it. */
async function see(stack: TestStack, ...runs: readonly (() => Promise<Run>)[]): Promise<string[]> {
  const outputs: string[] = [];
  for (const start of runs) {
    const { command, output } = await start();
    expect(leaks({ [command]: output, state: await stack.storedText() }, hidden)).toEqual([]);
    outputs.push(output);
  }
  return outputs;
}

async function expectEncryptedSecrets(stack: TestStack): Promise<void> {
  const state = await stack.export();
  for (const kind of Object.keys(minimal)) {
    const { inputs, outputs } = state.named(kind);
    for (const side of [inputs, outputs]) {
      const encrypted = secretPathsIn(side);
      const isShown = (path: string) => !encrypted.some((found) => `${path}.`.startsWith(`${found}.`));
      expect({ kind, shown: secretFieldsOf(kind).filter(isShown) }).toEqual({ kind, shown: [] });
      for (const path of ["source", `source.${kind}`, "source.kafka.brokers"])
        expect(encrypted).not.toContain(path);
    }
  }
}

const username = canaryAt("source.kafka.credentials.username");
const password = canaryAt("source.kafka.credentials.password");

/** What the service states in `observed`: a connection string that no program declares, and a password under other names. */
function editByOthers({ control }: Simulator, idOf: (name: string) => string): string[] {
  const path = "source.objectStorage.connectionString";
  control.editPipe(idOf("objectStorage"), withValue({}, path, canaryAt(path, 3)));
  control.editPipe(idOf("undeclared"), withValue({}, path, canaryAt(path, 2)));
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const kafka = { comment: `connects with ${password}`, header };
  control.editPipe(idOf("repeated"), { note: password, source: { kafka } });
  return ["note", "source.kafka.comment", "source.kafka.header"];
}

const repeated = withValue(minimal.kafka, "source.kafka.credentials", { username, password });

function program(version: number): string {
  const { kafka = {}, objectStorage, ...pipes } = pipesOf(version);
  const all = {
    ...pipes,
    kafka: withValue(kafka, "source.kafka.iamRole", `role-${version}`),
    objectStorage: { ...objectStorage, serviceId: otherService, settings: { dbmsMaxThreads: version } },
    undeclared: { ...minimal.objectStorage, deletionPolicy },
    repeated,
  };
  const settings = { name: `Shop ${version}`, privateEndpointIds: [`vpce-${version}`], deletionPolicy };
  const endpoint = { description: "an endpoint", type: "VPC_ENDPOINT_SERVICE", deletionPolicy };
  return [
    pipesProgram(withOwnDatabases(all)),
    declaration("ServiceSettings", "settings", settings),
    declaration("ReversePrivateEndpoint", "endpoint", endpoint),
  ].join(";\n");
}

type Operation = Parameters<Simulator["control"]["fault"]>[0]["operationId"];

/** Runs while requests of these operations are answered with all that came with them, which no error shows. */
async function seeErrors(
  { control }: Simulator,
  stack: TestStack,
  operations: readonly Operation[],
  run: () => Promise<Run>,
  ...errors: readonly RegExp[]
): Promise<void> {
  for (const operationId of operations) {
    const serviceId = operationId === "updatePipe" ? { serviceId: account.serviceIds[0] ?? "" } : {};
    control.fault({ operationId, ...serviceId, kind: "echo", withAuthorization: true, times: "always" });
  }
  const [output] = await see(stack, run);
  for (const error of errors) expect(output).toMatch(error);
  control.clearFaults();
}

const functions = `module.exports = async () => {
  const calls = [datapipes.getBackups(), datapipes.getPipes(), datapipes.getPipe({ name: "kafka" }),
    datapipes.getPipeSettings({ pipeId: "0a1b2c3d-0000-4000-8000-0000000000f1" })];
  return { failures: (await Promise.allSettled(calls)).map(({ reason }) => [reason.code, reason.message, reason.stack]) };
};`;

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

const flags = ["--diff"];
const failing = { expectFailure: true, flags: ["--continue-on-error", "--diff"] };

async function seeCreates(simulator: Simulator, stack: TestStack): Promise<void> {
  const [planned] = await see(stack, () => stack.preview({ diff: true }));
  await seeErrors(
    simulator,
    stack,
    ["createPipe", "updateService", "createReversePrivateEndpoint"],
    () => stack.up(failing),
    ...[/(create pipe [^]*?400[^]*){6}/, /service .*400/, /endpoint .*400/],
  );
  const [created] = await see(stack, () => stack.up({ flags }));
  for (const output of [planned, created]) expect(output).toContain("[secret]");
  expect(simulator.control.state().pipes[0]?.credentialsDigest).toBeDefined();
  await expectEncryptedSecrets(stack);
}

async function seeDrift(simulator: Simulator, stack: TestStack): Promise<void> {
  const others = editByOthers(simulator, (name) => pipeNamed(simulator, name).id);
  await stack.write(program(2));
  const [diff = ""] = await see(
    stack,
    () => stack.preview({ diff: true, flags: ["--refresh"] }),
    () => stack.preview({ json: true, flags: ["--refresh"] }),
  );
  for (const field of ["credentials", "connectionString"])
    expect(diff).toMatch(new RegExp(`${field} *: \\[secret\\] => \\[secret\\]`));
  // The rest of a source with secrets is readable.
  expect(diff).toMatch(/iamRole *: "role-1" => "role-2"/);
  const refresh = () => stack.refresh({ expectFailure: "either", flags });
  await seeErrors(simulator, stack, ["listPipes"], refresh, /list the pipes .*400/);
  await see(stack, refresh);
  const state = await stack.export();
  expect(secretPathsIn(state.named("undeclared").outputs)).toContain(
    "observed.source.objectStorage.connectionString",
  );
  expect(secretPathsIn(state.named("repeated").outputs)).toEqual(
    expect.arrayContaining(others.map((at) => `observed.${at}`)),
  );
}

async function seeUpdates(simulator: Simulator, stack: TestStack): Promise<void> {
  await seeErrors(
    simulator,
    stack,
    ["updatePipe", "getPipeSettings", "updateService"],
    () => stack.up(failing),
    ...[/(update pipe [^]*?400[^]*){3}/, /could not read them back/, /service .*400/],
  );
  takeWrites(simulator);
  await see(stack, () => stack.up({ flags }));
  expect(takeWrites(simulator)).toHaveLength(4);
  await see(
    stack,
    () => stack.preview({ diff: true, expectNoChanges: true, flags: ["--refresh"] }),
    () => stack.pulumi(["stack", "--show-urns"]),
    () => stack.pulumi(["stack", "history", "--json"]),
  );
}

async function seeDeletions(simulator: Simulator, stack: TestStack): Promise<void> {
  await seeErrors(
    simulator,
    stack,
    ["deletePipe", "deleteReversePrivateEndpoint", "updateService"],
    () => stack.destroy(failing),
    ...[/(delete pipe [^]*?400[^]*){5}/, /delete reverse private endpoint/, /service .*400/],
  );
  await see(stack, () => stack.destroy({ flags }));
}

async function seeDataFunctions(simulator: Simulator, stack: TestStack): Promise<void> {
  await stack.write(functions);
  const called = isNative ? /list the backups/ : /bad-request/;
  const reads = ["listBackups", "listPipes", "getPipeSettings"] as const;
  await seeErrors(simulator, stack, reads, () => stack.up(), called);
  expect(leaks({ outputs: JSON.stringify(await stack.outputs()) }, hidden)).toEqual([]);
}

test("encrypts plain credentials in the state, and shows them nowhere from create to delete", async () => {
  const simulator = await newSimulator({ accounts: [account] });
  const env = { PULUMI_DEBUG_GRPC: log };
  const stack = await newStack({ simulator, env, program: program(1), config: { maxRetries: "0" } });
  await seeCreates(simulator, stack);
  await seeDrift(simulator, stack);
  await seeUpdates(simulator, stack);
  await seeDeletions(simulator, stack);
  await seeDataFunctions(simulator, stack);
  const plugin = await pluginTexts(stack);
  expect(plugin).toMatch(/create pipe[^]*list the pipes[^]*delete pipe/);
  expect(leaks({ plugin }, hidden)).toEqual([]);
});

test("errors about wrong values beside secrets, or in their place, do not show the secrets", async () => {
  const { kafka = {} } = pipesOf(1);
  const misplaced = canaryAt("source.kafka.credentials.password", 3);
  const wrong: Record<string, Json> = {
    "source.kafka.offset.timestamp": "yesterday",
    "source.kafka.topics": 5,
    "source.kafka.credentials.passwort": misplaced,
    "source.kafka.schemaRegistry.credentials": misplaced,
    "source.kinesis": { streamName: "clicks" },
  };
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: pipesProgram({ orders: withValues(kafka, wrong) }) });
  const { output } = await stack.preview({ expectFailure: true });
  for (const path of Object.keys(wrong).map((at) => (at === "source.kinesis" ? "source" : at)))
    expect(output).toMatch(new RegExp(`problem: .*${path} `));

  await stack.write(pipesProgram({ orders: withValue(kafka, "source", misplaced) }));
  const whole = await stack.preview({ expectFailure: true });
  expect(whole.output).toMatch(/problem: source/);
  expect(leaks({ output, whole: whole.output }, hidden)).toEqual([]);
});

test("secrets that the program marks stay secret in their field and in `observed`", async () => {
  const simulator = await newSimulator();
  const topic = canary("topic");
  const program = `
    const config = new pulumi.Config("app");
    const args = ${JSON.stringify(complete.kafka)};
    args.source.kafka.topics = config.requireSecret("topic");
    args.source.kafka.credentials.password = config.requireSecret("password");
    const pipe = new datapipes.Pipe("orders", args, { additionalSecretOutputs: ["observed"] });
    exports.source = pipe.source;
    exports.observed = pipe.observed;
    exports.brokers = pipe.source.apply((source) => source.kafka.brokers);
    new datapipes.Pipe("untold", { ...args, destination: { ...args.destination, table: "untold" } });`;
  const secrets = { "app:topic": topic, "app:password": password };
  const stack = await newStack({ simulator, program, secrets });
  const [up = ""] = await see(stack, () => stack.up({ flags: ["--diff"] }));
  expect(pipeNamed(simulator, "orders").source.kafka?.topics).toBe(topic);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });

  const refresh = await stack.refresh({ flags: ["--diff"] });
  const state = await stack.export();
  const orders = state.named("orders");
  const untold = state.named("untold");
  for (const side of [untold.inputs, untold.outputs])
    expect(secretPathsIn(side)).toContain("source.kafka.topics");
  // What equals the declared value is not repeated there, where the engine would not know it for a secret.
  expect(valueAt(untold.outputs, "observed.source.kafka.topics")).toBeUndefined();
  const stored = JSON.stringify([orders, untold]);
  expect(leaks({ up, refresh: refresh.output, stored }, [topic])).toEqual([]);
});
