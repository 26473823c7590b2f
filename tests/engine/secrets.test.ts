import { canary, leaks } from "../../testkit/canary";
import type { Run } from "../../testkit/cli";
import { secretPaths, valueAt } from "../../testkit/deployment";
import { complete, minimal, pipesProgram, withValue, withValues } from "../../testkit/pipes";
import type { Json, JsonObject, SourceKind } from "../../testkit/pipes";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";
import { account, canaryAt, completePipes, hidden, secretsOf } from "./secret-pipes";

/** The outputs of runs, none of which shows a secret, nor does a file that the engine has stored after it. */
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
  for (const kind of Object.keys(complete) as SourceKind[]) {
    const { inputs, outputs } = state.named(kind);
    for (const side of [inputs, outputs]) {
      const encrypted = secretPaths(side);
      const isShown = (path: string) => !encrypted.some((found) => `${path}.`.startsWith(`${found}.`));
      expect([kind, secretsOf(kind).filter(isShown)]).toEqual([kind, []]);
      for (const path of ["source", `source.${kind}`, "source.kafka.brokers"])
        expect(encrypted).not.toContain(path);
    }
  }
}

const [username, password] = [
  canaryAt("source.kafka.credentials.username"),
  canaryAt("source.kafka.credentials.password"),
];

/** What the service states in `observed`: a connection string that no program declares, and a password under other names. */
function editByOthers({ control }: Simulator, idOf: (name: string) => string): string[] {
  const path = "source.objectStorage.connectionString";
  control.editPipe(idOf("objectStorage"), withValue({}, path, canaryAt(path, 3)));
  control.editPipe(idOf("undeclared"), withValue({}, path, canaryAt(path, 2)));
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  control.editPipe(idOf("repeated"), {
    note: password,
    source: { kafka: { comment: `connects with ${password}`, header } },
  });
  return ["note", "source.kafka.comment", "source.kafka.header"];
}

test("encrypts credentials given as plain strings in the state, and shows them nowhere, as they are created, change, drift and go", async () => {
  const simulator = await newSimulator({ accounts: [account] });
  const repeated = withValue(minimal.kafka, "source.kafka.credentials", { username, password });
  const program = (pipes: Record<string, JsonObject>) =>
    pipesProgram({ ...pipes, undeclared: minimal.objectStorage, repeated });
  const stack = await newStack({ simulator, program: program(completePipes(1)) });
  const flags = ["--diff"];
  const created = await see(
    stack,
    () => stack.preview({ diff: true }),
    () => stack.up({ flags }),
  );
  for (const output of created) expect(output).toContain("[secret]");
  expect(simulator.control.state().pipes[0]?.credentialsDigest).toBeDefined();
  await expectEncryptedSecrets(stack);

  const others = editByOthers(simulator, (name) => pipeNamed(simulator, name).id);
  const { kafka, ...pipes } = completePipes(2);
  await stack.write(program({ kafka: withValue(kafka, "source.kafka.iamRole", "another-role"), ...pipes }));
  const [diff = ""] = await see(
    stack,
    () => stack.preview({ diff: true, flags: ["--refresh"] }),
    () => stack.preview({ json: true, flags: ["--refresh"] }),
    () => stack.refresh({ flags }),
  );
  for (const field of ["credentials", "connectionString"])
    expect(diff).toMatch(new RegExp(`${field} *: \\[secret\\] => \\[secret\\]`));
  // The rest of a source with secrets is readable.
  expect(diff).toMatch(/iamRole *: "role-of-kafka" => "another-role"/);
  const state = await stack.export();
  expect(secretPaths(state.named("undeclared").outputs)).toContain(
    "observed.source.objectStorage.connectionString",
  );
  expect(secretPaths(state.named("repeated").outputs)).toEqual(
    expect.arrayContaining(others.map((path) => `observed.${path}`)),
  );

  takeWrites(simulator);
  await see(stack, () => stack.up({ flags }));
  expect(takeWrites(simulator)).toHaveLength(4);
  await see(
    stack,
    () => stack.preview({ diff: true, expectNoChanges: true, flags: ["--refresh"] }),
    () => stack.pulumi(["stack", "--show-urns"]),
    () => stack.pulumi(["stack", "history", "--json"]),
    () => stack.destroy({ flags }),
  );
});

test("errors about wrong values beside secrets, or in their place, do not show the secrets", async () => {
  const { kafka } = completePipes(1);
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
  const secrets = { "app:topic": topic, "app:password": password };
  const stack = await newStack({ simulator, program, secrets });
  const [up = ""] = await see(stack, () => stack.up({ flags: ["--diff"] }));
  expect(pipeNamed(simulator, "orders").source.kafka?.topics).toBe(topic);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });

  const refresh = await stack.refresh({ flags: ["--diff"] });
  const state = await stack.export();
  const [orders, untold] = [state.named("orders"), state.named("untold")];
  for (const side of [untold.inputs, untold.outputs])
    expect(secretPaths(side)).toContain("source.kafka.topics");
  // What equals the declared value is not repeated there, where the engine would not know it for a secret.
  expect(valueAt(untold.outputs, "observed.source.kafka.topics")).toBeUndefined();
  const stored = JSON.stringify([orders, untold]);
  expect(leaks({ up, refresh: refresh.output, stored }, [topic])).toEqual([]);
});
