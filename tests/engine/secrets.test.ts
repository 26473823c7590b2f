import { readFile } from "node:fs/promises";
import path from "node:path";
import { DEFAULT_ACCOUNT, type Fault } from "../../simulator/src/index";
import { canary, canaryAt, leaks, pipeCanaries, secretFieldsOf, withCanaries } from "../kit/canary";
import type { Run } from "../kit/cli";
import { secretPathsIn, valueAt } from "../kit/deployment";
import { type Json, type JsonObject, mapValues, withValue, withValues } from "../kit/json";
import { complete, minimal, pipesProgram, withOwnDatabases } from "../kit/pipes";
import { declaration, isNative } from "../kit/program";
import { type Simulator, newSimulator, pipeNamed, takeWrites } from "../kit/simulator";
import { type TestStack, newStack } from "../kit/stack";
import { writesByPipe } from "./expectations";
import { errorsOf } from "./messages";

const keySecret = canary("api-key-secret");
const [serviceId = ""] = DEFAULT_ACCOUNT.serviceIds;
/** The service of the pipe whose update succeeds. */
const otherService = "0a1b2c3d-0000-4000-8000-000000000003";
const account = {
  ...DEFAULT_ACCOUNT,
  apiKeyId: "key-id",
  apiKeySecret: keySecret,
  serviceIds: [serviceId, otherService],
};

/** What no output and no stored file may show. */
const hidden = [keySecret, `key-id:${keySecret}`, ...pipeCanaries];

const deletionPolicy = "delete";
const username = canaryAt("source.kafka.credentials.username");
const password = canaryAt("source.kafka.credentials.password");

/** Pipes with secrets and little else, so that no limit of a message's length hides what it should not show. */
const pipesOf = (version: number): Record<string, JsonObject> =>
  mapValues(minimal, (args, kind) => withCanaries({ ...args, deletionPolicy }, kind, version));

/** Two versions differ in the secrets, in one field of the Kafka pipe, in a setting and in the service's settings. */
function program(version: number): string {
  const { kafka = {}, objectStorage, ...pipes } = pipesOf(version);
  const all = {
    ...pipes,
    kafka: withValue(kafka, "source.kafka.iamRole", `role-${version}`),
    objectStorage: { ...objectStorage, serviceId: otherService, settings: { dbmsMaxThreads: version } },
    undeclared: { ...minimal.objectStorage, deletionPolicy },
    repeated: withValue(minimal.kafka, "source.kafka.credentials", { username, password }),
  };
  const settings = { name: `Shop ${version}`, privateEndpointIds: [`vpce-${version}`], deletionPolicy };
  const endpoint = { description: "an endpoint", type: "VPC_ENDPOINT_SERVICE", deletionPolicy };
  return [
    pipesProgram(withOwnDatabases(all)),
    declaration("ServiceSettings", "settings", settings),
    declaration("ReversePrivateEndpoint", "endpoint", endpoint),
  ].join(";\n");
}

const functions = `module.exports = async () => {
  const calls = [datapipes.getBackups(), datapipes.getPipes(), datapipes.getPipe({ name: "kafka" }),
    datapipes.getPipeSettings({ pipeId: "0a1b2c3d-0000-4000-8000-0000000000f1" })];
  return { failures: (await Promise.allSettled(calls)).map(({ reason }) => [reason.code, reason.message, reason.stack]) };
};`;

/** Runs the CLI, whose output may not show a secret. */
async function runWithoutSecrets(run: Promise<Run>): Promise<Run> {
  const result = await run;
  expect(leaks({ [result.command]: result.output }, hidden)).toEqual([]);
  return result;
}

/** What the plugin's own calls ended with, and the lines that it had the engine log. */
async function pluginTexts(log: string): Promise<string> {
  const lines = (await readFile(log, "utf8")).trim().split("\n");
  const calls = lines.map(
    (line) => JSON.parse(line) as { method: string; request?: unknown; errors?: unknown },
  );
  const shown = calls.map(({ method, request, errors }) => (method.endsWith("/Log") ? request : errors));
  return shown.map((text) => JSON.stringify(text ?? "")).join("\n");
}

describe("from create to delete", () => {
  const log = "grpc.json";
  const flags = ["--diff"];
  const failing = { expectFailure: true, flags: ["--continue-on-error"] };
  let simulator: Simulator;
  let stack: TestStack;

  beforeAll(async () => {
    simulator = await newSimulator({ accounts: [account] });
    const env = { PULUMI_DEBUG_GRPC: log };
    stack = await newStack({ simulator, env, program: program(1), config: { maxRetries: "0" } });
  });

  afterEach(() => {
    simulator.control.clearFaults();
  });

  /** The API answers requests of these operations with all that came with them. */
  function echo(...operations: readonly Fault["operationId"][]): void {
    for (const operationId of operations) {
      const scope = operationId === "updatePipe" ? { serviceId } : {};
      simulator.control.fault({
        operationId,
        ...scope,
        kind: "echo",
        withAuthorization: true,
        times: "always",
      });
    }
  }

  test("a preview of creates shows [secret]", async () => {
    const { output } = await runWithoutSecrets(stack.preview({ diff: true }));
    expect(output).toContain("[secret]");
  });

  test("errors of creates show no secret", async () => {
    echo("createPipe", "updateService", "createReversePrivateEndpoint");
    const errors = errorsOf(await runWithoutSecrets(stack.up(failing)));
    for (const name of ["kafka", "objectStorage", "kinesis", "postgres", "undeclared", "repeated"])
      expect(errors.get(name)).toMatch(/^create pipe .* the server returned 400\b/);
    expect(errors.get("settings")).toMatch(/^update service .* the server returned 400\b/);
    expect(errors.get("endpoint")).toMatch(/^create reverse private endpoint .* the server returned 400\b/);
  });

  test("creates send the secrets, and show [secret]", async () => {
    const { output } = await runWithoutSecrets(stack.up({ flags }));
    expect(output).toContain("[secret]");
    expect(simulator.control.state().pipes[0]?.credentialsDigest).toBeDefined();
  });

  test.each(Object.keys(minimal))("the state encrypts the secrets of a %s pipe alone", async (kind) => {
    const { inputs, outputs } = (await stack.export()).named(kind);
    for (const side of [inputs, outputs]) {
      const encrypted = secretPathsIn(side);
      const isShown = (path: string) => !encrypted.some((found) => `${path}.`.startsWith(`${found}.`));
      expect(secretFieldsOf(kind).filter(isShown)).toEqual([]);
      for (const path of ["source", `source.${kind}`, "source.kafka.brokers"])
        expect(encrypted).not.toContain(path);
    }
  });

  describe("after edits by other clients", () => {
    const connectionString = "source.objectStorage.connectionString";

    beforeAll(async () => {
      const edit = (name: string, change: object): void => {
        simulator.control.editPipe(pipeNamed(simulator, name).id, change);
      };
      edit("objectStorage", withValue({}, connectionString, canaryAt(connectionString, 3)));
      edit("undeclared", withValue({}, connectionString, canaryAt(connectionString, 2)));
      const header = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
      const kafka = { comment: `connects with ${password}`, header };
      edit("repeated", { note: password, source: { kafka } });
      await stack.write(program(2));
    });

    test("a preview shows [secret] for drift, and the other fields of the source", async () => {
      const { output } = await runWithoutSecrets(stack.preview({ diff: true, flags: ["--refresh"] }));
      expect(output).toMatch(/credentials *: \[secret\] => \[secret\]/);
      expect(output).toMatch(/connectionString *: \[secret\] => \[secret\]/);
      expect(output).toMatch(/iamRole *: "role-1" => "role-2"/);
    });

    test("a preview in JSON shows no secret", async () => {
      await runWithoutSecrets(stack.preview({ json: true, flags: ["--refresh"] }));
    });

    test("errors of a refresh show no secret", async () => {
      echo("listPipes");
      const errors = errorsOf(await runWithoutSecrets(stack.refresh({ expectFailure: true })));
      expect([...errors.values()].join("\n")).toMatch(/list the pipes .* the server returned 400\b/);
    });

    test("a refresh encrypts secrets that the program does not declare or that the API repeats", async () => {
      await runWithoutSecrets(stack.refresh({ flags }));
      const state = await stack.export();
      expect(secretPathsIn(state.named("undeclared").outputs)).toContain(`observed.${connectionString}`);
      const paths = ["note", "source.kafka.comment", "source.kafka.header"].map((at) => `observed.${at}`);
      expect(secretPathsIn(state.named("repeated").outputs)).toEqual(expect.arrayContaining(paths));
    });
  });

  test("errors of updates show no secret", async () => {
    echo("updatePipe", "getPipeSettings", "updateService");
    const run = await runWithoutSecrets(stack.up(failing));
    const errors = errorsOf(run);
    for (const name of ["kafka", "kinesis", "postgres"])
      expect(errors.get(name)).toMatch(/^update pipe .* the server returned 400\b/);
    expect(errors.get("settings")).toMatch(/^update service .* the server returned 400\b/);
    expect(run.output).toMatch(/could not read them back/);
  });

  test("updates send the new secrets, and show none", async () => {
    takeWrites(simulator);
    await runWithoutSecrets(stack.up({ flags }));
    const written = Object.keys(writesByPipe(simulator));
    expect(written.sort()).toEqual(["Shop 2", "kafka", "kinesis", "postgres"]);
    await runWithoutSecrets(stack.preview({ expectNoChanges: true, flags: ["--refresh"] }));
  });

  test("errors of deletions show no secret", async () => {
    echo("deletePipe", "deleteReversePrivateEndpoint", "updateService");
    const errors = errorsOf(await runWithoutSecrets(stack.destroy(failing)));
    for (const name of ["kafka", "objectStorage", "kinesis", "postgres", "undeclared"])
      expect(errors.get(name)).toMatch(/^delete pipe .* the server returned 400\b/);
    expect(errors.get("endpoint")).toMatch(/^delete reverse private endpoint .* the server returned 400\b/);
    expect(errors.get("settings")).toMatch(/^update service .* the server returned 400\b/);
  });

  test("deletions show no secret", async () => {
    await runWithoutSecrets(stack.destroy({ flags }));
    expect(simulator.control.state().pipes.map(({ name }) => name)).toEqual(["repeated"]);
  });

  test("errors of data functions show no secret", async () => {
    echo("listBackups", "listPipes", "getPipeSettings");
    await stack.write(functions);
    const { output } = await runWithoutSecrets(stack.up());
    expect(output).toMatch(isNative ? /list the backups/ : /bad-request/);
  });

  test("calls and log lines of the plugin show no secret", async () => {
    const plugin = await pluginTexts(path.join(stack.project, log));
    expect(plugin).toMatch(/create pipe[^]*list the pipes[^]*delete pipe/);
    expect(leaks({ plugin }, hidden)).toEqual([]);
  });

  test("the states of all these runs, their history and outputs have no secret unencrypted", async () => {
    expect(leaks({ stored: await stack.storedText() }, hidden)).toEqual([]);
  });
});

const misplaced = canaryAt("source.kafka.credentials.password", 3);
const besideSecrets = {
  "source.kafka.offset.timestamp": "yesterday",
  "source.kafka.topics": 5,
  "source.kafka.credentials.passwort": misplaced,
  "source.kafka.schemaRegistry.credentials": misplaced,
};

test.each<[where: string, wrong: Record<string, Json>]>([
  ["beside secrets", besideSecrets],
  ["in the place of a source", { source: misplaced }],
])("errors about wrong values %s name their paths, and show no secret", async (_, wrong) => {
  const pipe = withValues(pipesOf(1)["kafka"] ?? {}, wrong);
  const stack = await newStack({ simulator: await newSimulator(), program: pipesProgram({ orders: pipe }) });
  const { output } = await runWithoutSecrets(stack.preview({ expectFailure: true }));
  for (const path of Object.keys(wrong)) expect(output).toContain(`problem: ${path} `);
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
  const up = await stack.up({ flags: ["--diff"] });
  expect(pipeNamed(simulator, "orders").source.kafka?.topics).toBe(topic);
  const refresh = await stack.refresh({ flags: ["--diff", "--expect-no-changes"] });
  const { inputs, outputs } = (await stack.export()).named("untold");
  for (const side of [inputs, outputs]) expect(secretPathsIn(side)).toContain("source.kafka.topics");
  // What equals the declared value is not repeated there, where the engine would not know it for a secret.
  expect(valueAt(outputs, "observed.source.kafka.topics")).toBeUndefined();
  const texts = { up: up.output, refresh: refresh.output, stored: await stack.storedText() };
  expect(leaks(texts, [topic, ...hidden])).toEqual([]);
});
