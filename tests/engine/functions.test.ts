import { declaration, isNative } from "../kit/program";
import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, leaks } from "../kit/canary";
import { requestCounts, newSimulator, type Simulator } from "../kit/simulator";
import { complete, creationBody, minimal, pipesProgram } from "../kit/pipes";
import { withValue } from "../kit/json";
import { newStack, type TestStack } from "../kit/stack";

const secret = canary("connection-string");

const seeds = [
  creationBody("files", withValue(complete.objectStorage, "source.objectStorage.connectionString", secret)),
  creationBody("duplicate", minimal.kafka),
  creationBody("duplicate", minimal.kafka),
];

/** A service without other pipes. */
const otherService = "0a1b2c3d-0000-4000-8000-000000000003";

/** A program with a pipe, whose outputs are what all functions give, in both forms, and what fails. */
const everyFunction = (files = ""): string => `
${pipesProgram({ orders: { ...complete.kafka, serviceId: otherService } })}
const failure = (promise) => promise.then(() => "no error", ({ code, message }) => ({ code, message }));
module.exports = async () => {
  const byName = await datapipes.getPipe({ name: "files" });
  const id = pulumi.output(${JSON.stringify(files.toUpperCase())});
  return {
    byName,
    byId: datapipes.getPipeOutput({ id }),
    pipes: datapipes.getPipes(),
    pipesOutput: datapipes.getPipesOutput(),
    settings: await datapipes.getPipeSettings({ pipeId: ${JSON.stringify(files)} }),
    settingsOutput: datapipes.getPipeSettingsOutput({ pipeId: id }),
    backups: await datapipes.getBackups({}),
    backupsOutput: datapipes.getBackupsOutput({ serviceId: pulumi.output(undefined) }),
    failures: await Promise.all([
      datapipes.getPipe({ name: "duplicate" }),
      datapipes.getPipe({ name: "missing" }),
      datapipes.getPipe({ id: "00000000-0000-4000-8000-000000000000" }),
      datapipes.getPipes({ serviceId: "nonsense" }),
      datapipes.getPipeSettings({ id: "x" }),
    ].map(failure)),
  };
};`;

describe("the data functions, each as a promise and as an Output", () => {
  let simulator: Simulator;
  let stack: TestStack;
  let ids: string[];
  let previewed: string;
  let requestedByPreview: string[];
  let output: string;
  let shown: Record<string, unknown>;

  beforeAll(async () => {
    const serviceIds = [...DEFAULT_ACCOUNT.serviceIds, otherService];
    simulator = await newSimulator({ nulls: true, accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
    ids = simulator.control.seedPipes(seeds).map(({ id }) => id);
    stack = await newStack({ simulator, program: everyFunction(ids[0]) });
    previewed = (await stack.preview()).output;
    requestedByPreview = Object.keys(requestCounts(simulator)).sort();
    output = (await stack.up()).output;
    shown = await stack.outputs();
  });

  test("read at preview", () => {
    expect(requestedByPreview).toEqual(["getPipeSettings", "listBackups", "listPipes"]);
    expect(previewed).toContain("https://bucket.example/*.csv");
  });

  test("show no credential in a command, the outputs or the state", async () => {
    const texts = { previewed, output, outputs: JSON.stringify(shown), state: await stack.storedText() };
    expect(leaks(texts, [secret])).toEqual([]);
  });

  test("getPipe reads a pipe by its name, and by its ID in capitals", () => {
    const [pipe] = simulator.control.state().pipes;
    expect(shown["byName"]).toMatchObject({
      id: ids[0],
      name: "files",
      state: pipe?.state,
      createdAt: pipe?.createdAt,
      source: { objectStorage: { url: "https://bucket.example/*.csv" } },
      destination: { table: "events" },
      scaling: { replicas: 2 },
      settings: { dbmsMaxThreads: 6 },
    });
    expect(shown["byName"]).not.toHaveProperty("source.objectStorage.connectionString");
    expect(shown["byId"]).toEqual(shown["byName"]);
  });

  test("getPipes reads the pipes of the configured service", () => {
    const [, one, another] = ids;
    const { byName, pipes, pipesOutput } = shown;
    expect(pipes).toMatchObject({ pipes: [byName, { id: one }, { id: another }] });
    expect(pipesOutput).toEqual(pipes);
  });

  test("getPipeSettings reads the settings of a pipe", () => {
    const { settings, settingsOutput } = shown;
    expect(settings).toMatchObject({ streamingMaxInsertWaitMs: 4000, dbmsParallelViewProcessing: true });
    expect(settingsOutput).toEqual(settings);
  });

  test("getBackups reads the backups of the configured service", () => {
    const [serviceId] = DEFAULT_ACCOUNT.serviceIds;
    const backups = simulator.control.state().backups.filter((one) => one.serviceId === serviceId);
    expect(backups).toHaveLength(4);
    expect(shown["backups"]).toEqual({ backups });
    expect(shown["backupsOutput"]).toEqual({ backups });
  });

  test("fail with a message that names the pipe or the argument, and with a code", () => {
    const [, one, another] = ids;
    // An error that comes over gRPC has no code.
    const failed = (code: string, message: string) => ({
      ...(!isNative && { code }),
      message: expect.stringMatching(message) as string,
    });
    expect(shown["failures"]).toEqual([
      failed("conflict", `2 pipes.*${one}, ${another}\\. Pass the ID of one of them`),
      failed("not-found", 'no pipe with the name "missing"'),
      failed("not-found", "no pipe with the ID 00000000-"),
      failed("invalid-argument", 'serviceId must be a UUID, .* got "nonsense"'),
      failed("invalid-argument", "pipeId is required"),
    ]);
  });
});

test("a function that depends on a new pipe reads a list with it, after an earlier list", async () => {
  const simulator = await newSimulator();
  const program = `
module.exports = async () => {
  const before = (await datapipes.getPipes()).pipes.length;
  const orders = ${declaration("Pipe", "orders", minimal.kafka)};
  const { pipes } = datapipes.getPipesOutput({}, { dependsOn: [orders] });
  return { before, after: pipes.apply(({ length }) => length) };
};`;
  const stack = await newStack({ simulator, program });
  await stack.up();
  expect(await stack.outputs()).toEqual({ before: 0, after: 1 });
});
