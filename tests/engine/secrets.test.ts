import { canary, leaks } from "../../testkit/canary";
import { secretPaths, valueAt } from "../../testkit/deployment";
import {
  complete,
  minimal,
  pipesProgram,
  withValue,
  type JsonObject,
  type SourceKind,
} from "../../testkit/pipes";
import { newSimulator, pipeNamed, takeWrites } from "../../testkit/simulator";
import { deployed, newStack, type TestStack } from "../../testkit/stack";

/** Every secret value of the four sources. */
const secretsOf: Record<SourceKind, string[]> = {
  kafka: [
    "source.kafka.credentials.username",
    "source.kafka.credentials.password",
    "source.kafka.schemaRegistry.credentials.username",
    "source.kafka.schemaRegistry.credentials.password",
  ],
  objectStorage: [
    "source.objectStorage.connectionString",
    "source.objectStorage.accessKey.accessKeyId",
    "source.objectStorage.accessKey.secretKey",
  ],
  kinesis: ["source.kinesis.accessKey.accessKeyId", "source.kinesis.accessKey.secretKey"],
  postgres: ["source.postgres.credentials.username", "source.postgres.credentials.password"],
};

const canaryAt = (path: string, version = 1): string => canary(`${path.replaceAll(".", "-")}-v${version}`);

const allPaths = Object.values(secretsOf).flat();
const allCanaries = [1, 2, 3].flatMap((version) => allPaths.map((path) => canaryAt(path, version)));

/** Complete pipes whose secrets are canaries. The registry's credentials never change, for that needs another pipe. */
function pipes(version: number): Record<string, JsonObject> {
  const entries = Object.entries(secretsOf).map(([kind, paths]) => {
    const base = complete[kind as SourceKind];
    const args = paths.reduce(
      (copy, path) => withValue(copy, path, canaryAt(path, path.includes("schemaRegistry") ? 1 : version)),
      base,
    );
    return [kind, args] as const;
  });
  return Object.fromEntries(entries);
}

/** Texts of a run and what is on disk after it, by name. */
async function everything(stack: TestStack, run: { command: string; output: string }) {
  return { [run.command]: run.output, state: await stack.storedText() };
}

const keySecret = canary("api-key-secret");
const account = {
  apiKeyId: "key-id",
  apiKeySecret: keySecret,
  organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
  serviceIds: ["0a1b2c3d-0000-4000-8000-000000000002"],
};

test("encrypts credentials given as plain strings in the state, and shows them nowhere", async () => {
  const simulator = await newSimulator({ accounts: [account] });
  const program = pipesProgram({ ...pipes(1), undeclared: minimal.objectStorage });
  const stack = await newStack({ simulator, program });
  const hidden = [...allCanaries, keySecret];
  for (const run of [await stack.preview({ diff: true }), await stack.up({ flags: ["--diff"] })]) {
    expect(leaks(await everything(stack, run), hidden)).toEqual([]);
    expect(run.output).toContain("[secret]");
  }
  expect(simulator.control.state().pipes[0]?.credentialsDigest).toBeDefined();

  const state = await stack.export();
  for (const [kind, paths] of Object.entries(secretsOf)) {
    const { inputs, outputs } = state.named(kind);
    for (const side of [inputs, outputs]) {
      const encrypted = secretPaths(side);
      for (const path of paths)
        expect(encrypted.some((found) => path === found || path.startsWith(`${found}.`))).toBe(true);
      expect(encrypted).not.toContain("source");
      expect(encrypted).not.toContain(`source.${kind}`);
    }
  }
  for (const side of [state.named("kafka").inputs, state.named("kafka").outputs])
    expect(valueAt(side, "source.kafka.brokers")).toBe("b-1.example:9092");

  // A connection string that the program does not declare, and that the API returns.
  const connectionString = canaryAt("source.objectStorage.connectionString", 2);
  const { id } = pipeNamed(simulator, "undeclared");
  simulator.control.editPipe(id, { source: { objectStorage: { connectionString } } });
  const refresh = await stack.refresh({ flags: ["--diff"] });
  expect(leaks(await everything(stack, refresh), hidden)).toEqual([]);
  expect(secretPaths((await stack.export()).named("undeclared").outputs)).toContain(
    "observed.source.objectStorage.connectionString",
  );
});

test("changed and drifted credentials are shown as [secret]", async () => {
  const { simulator, stack } = await deployed(pipesProgram(pipes(1)));
  const { id } = pipeNamed(simulator, "objectStorage");
  const drifted = canaryAt("source.objectStorage.connectionString", 3);
  simulator.control.editPipe(id, { source: { objectStorage: { connectionString: drifted } } });
  const runs = [
    await stack.preview({ diff: true, flags: ["--refresh"] }),
    await stack.preview({ json: true, flags: ["--refresh"] }),
    await stack.refresh({ flags: ["--diff"] }),
  ];
  await stack.write(pipesProgram(pipes(2)));
  runs.push(await stack.preview({ diff: true }), await stack.preview({ json: true }));
  expect(runs.at(-2)?.output).toMatch(/credentials *: \[secret\] => \[secret\]/);
  expect(runs.at(-2)?.output).toMatch(/connectionString *: \[secret\] => \[secret\]/);
  takeWrites(simulator);
  runs.push(await stack.up({ flags: ["--diff"] }));
  expect(takeWrites(simulator)).toHaveLength(4);
  runs.push(await stack.pulumi(["stack", "--show-urns"]), await stack.pulumi(["stack", "history", "--json"]));
  runs.push(await stack.destroy({ flags: ["--diff"] }));
  for (const run of runs) expect(leaks(await everything(stack, run), allCanaries)).toEqual([]);
});

test("the diff of a pipe with secrets shows the rest of its source", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: pipesProgram({ kafka: pipes(1)["kafka"] ?? {} }) });
  await stack.up();
  const changed = withValue(pipes(1)["kafka"] ?? {}, "source.kafka.iamRole", "another-role");
  await stack.write(pipesProgram({ kafka: { ...changed, replacementPolicy: "allow" } }));
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toMatch(/iamRole *: "role-of-kafka" => "another-role"/);
});

/** Pipes with secrets and little else, so that no limit of a message's length hides what it should not show. */
function smallPipes(version: number): Record<string, JsonObject> {
  const entries = Object.entries(secretsOf).map(([kind, paths]) => {
    const base = withValue(minimal[kind as SourceKind], "source.validateSamples", undefined);
    const changing = paths.filter((path) => version === 1 || !path.includes("schemaRegistry"));
    return [
      kind,
      changing.reduce((copy, path) => withValue(copy, path, canaryAt(path, version)), base),
    ] as const;
  });
  return Object.fromEntries(entries);
}

test("errors show no secret that the server repeats", async () => {
  const simulator = await newSimulator({ accounts: [account] });
  const program = pipesProgram(smallPipes(1));
  const stack = await newStack({ simulator, program, config: { maxRetries: "0" } });
  const hidden = [...allCanaries, keySecret, `key-id:${keySecret}`];
  const echo = { kind: "echo", withAuthorization: true, times: 4 } as const;
  const everyOne = { expectFailure: true, flags: ["--continue-on-error"] };
  simulator.control.fault({ operationId: "createPipe", ...echo });
  const creation = await stack.up(everyOne);
  expect(takeWrites(simulator)).toHaveLength(4);
  expect(creation.output).toContain("400");
  expect(leaks(await everything(stack, creation), hidden)).toEqual([]);

  await stack.up();
  takeWrites(simulator);
  const { kafka = {}, ...others } = smallPipes(2);
  await stack.write(pipesProgram({ kafka: withRegistry(kafka), ...others }));
  simulator.control.fault({ operationId: "updatePipe", ...echo });
  const update = await stack.up(everyOne);
  expect(takeWrites(simulator)).toHaveLength(4);
  expect(update.output).toContain("400");
  expect(leaks(await everything(stack, update), hidden)).toEqual([]);
});

/** The registry's credentials stay as they were created, for their change needs another pipe. */
function withRegistry(kafka: JsonObject): JsonObject {
  const registry = secretsOf.kafka.filter((path) => path.includes("schemaRegistry"));
  return registry.reduce((copy, path) => withValue(copy, path, canaryAt(path)), kafka);
}

const kafkaPipe = pipes(1)["kafka"] ?? {};
const misplaced = canaryAt("source.kafka.credentials.password", 3);

const wrong: [path: string, args: JsonObject][] = [
  ["source.kafka.offset.timestamp", withValue(kafkaPipe, "source.kafka.offset.timestamp", "yesterday")],
  ["source.kafka.topics", withValue(kafkaPipe, "source.kafka.topics", 5)],
  ["source.kafka.credentials.passwort", withValue(kafkaPipe, "source.kafka.credentials.passwort", misplaced)],
  ["source.kafka.credentials", withValue(kafkaPipe, "source.kafka.credentials", misplaced)],
  ["source", withValue(kafkaPipe, "source.kinesis", { streamName: "clicks" })],
  ["source", withValue(kafkaPipe, "source", misplaced)],
];

test("an error about a wrong value beside a secret, or in its place, does not show the secret", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: "" });
  for (const [path, args] of wrong) {
    await stack.write(pipesProgram({ orders: args }));
    const { output } = await stack.preview({ expectFailure: true });
    expect(output).toContain(path);
    expect(leaks({ output }, allCanaries)).toEqual([]);
  }
});

test("secrets that the program marks stay secret in their field, and in `observed` where Pulumi marks them", async () => {
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
    new datapipes.Pipe("untold", args);`;
  const password = canaryAt("source.kafka.credentials.password");
  const secrets = { "app:topic": topic, "app:password": password };
  const stack = await newStack({ simulator, program, secrets });
  const run = await stack.up({ flags: ["--diff"] });
  expect(leaks(await everything(stack, run), [password])).toEqual([]);
  expect(pipeNamed(simulator, "orders").source.kafka?.topics).toBe(topic);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });

  const refresh = await stack.refresh({ flags: ["--diff"] });
  expect(leaks({ run: run.output, refresh: refresh.output }, [topic])).toEqual([]);
  const state = await stack.export();
  const [orders, untold] = [state.named("orders"), state.named("untold")];
  expect(leaks({ orders: JSON.stringify(orders) }, [topic])).toEqual([]);
  for (const side of [untold.inputs, untold.outputs])
    expect(secretPaths(side)).toContain("source.kafka.topics");
  // What equals the declared value is not repeated there, where the engine would not know it for a secret.
  expect(valueAt(untold.outputs, "observed.source.kafka.topics")).toBeUndefined();
  expect(leaks({ untold: JSON.stringify(untold) }, [topic])).toEqual([]);
});

test("encrypts a credential in the state that the server repeats under another name, and shows it nowhere", async () => {
  const path = "source.kafka.credentials.password";
  const password = canaryAt(path);
  const args = withValue(minimal.kafka, path, password);
  const program = pipesProgram({ orders: withValue(args, "source.kafka.credentials.username", "loader") });
  const { simulator, stack } = await deployed(program);
  const { id } = pipeNamed(simulator, "orders");
  const encoded = Buffer.from(`loader:${password}`).toString("base64");
  simulator.control.editPipe(id, {
    note: password,
    source: { kafka: { comment: `connects as loader with ${password}`, header: `Basic ${encoded}` } },
  });

  const refresh = await stack.refresh({ flags: ["--diff"] });
  expect(leaks(await everything(stack, refresh), [password])).toEqual([]);
  const { outputs } = (await stack.export()).named("orders");
  expect(secretPaths(outputs)).toEqual(
    expect.arrayContaining([
      "observed.note",
      "observed.source.kafka.comment",
      "observed.source.kafka.header",
    ]),
  );
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});
