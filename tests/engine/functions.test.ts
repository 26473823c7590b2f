import { declaration, isNative } from "../kit/program";
import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, leaks } from "../kit/canary";
import { requestCounts, newSimulator, type Simulator } from "../kit/simulator";
import { complete, creationBody, minimal, pipesProgram } from "../kit/pipes";
import { withValue } from "../kit/json";
import { newStack } from "../kit/stack";

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

interface PipeResult {
  readonly id: string;
  readonly source: object;
}

/** What `everyFunction` exports. */
interface Results {
  readonly [name: string]: unknown;
  readonly byName: PipeResult;
  readonly pipes: { readonly pipes: readonly PipeResult[] };
}

function expectPipes(simulator: Simulator, shown: Results, ids: readonly string[]): void {
  const [pipe] = simulator.control.state().pipes;
  const { byName } = shown;
  expect(byName).toMatchObject({
    id: ids[0],
    name: "files",
    state: pipe?.state,
    createdAt: pipe?.createdAt,
    source: { objectStorage: { url: "https://bucket.example/*.csv" } },
    destination: { table: "events" },
    scaling: { replicas: 2 },
    settings: { dbmsMaxThreads: 6 },
  });
  expect(byName.source).not.toHaveProperty("objectStorage.connectionString");
  expect(shown["byId"]).toEqual(byName);
  expect(shown.pipes).toEqual(shown["pipesOutput"]);
  const listed = shown.pipes.pipes;
  expect(listed.map(({ id }) => id)).toEqual(ids);
  expect(listed[0]).toEqual(byName);
}

function expectSettingsAndBackups(simulator: Simulator, shown: Results): void {
  const some = { streamingMaxInsertWaitMs: 4000, dbmsParallelViewProcessing: true };
  expect(shown["settings"]).toMatchObject(some);
  expect(shown["settingsOutput"]).toEqual(shown["settings"]);
  const { backups } = simulator.control.state();
  const [serviceId] = DEFAULT_ACCOUNT.serviceIds;
  expect(shown["backups"]).toEqual({ backups: backups.filter((one) => one.serviceId === serviceId) });
  expect(shown["backupsOutput"]).toEqual(shown["backups"]);
}

function expectFailures(shown: Results, [, one = "", another = ""]: readonly string[]): void {
  const failed = (code: string, message: RegExp) => ({
    code,
    message: expect.stringMatching(message) as string,
  });
  const failures = [
    failed("conflict", new RegExp(`2 pipes.*${one}, ${another}\\. Pass the ID of one of them`)),
    failed("not-found", /no pipe with the name "missing"/),
    failed("not-found", /no pipe with the ID 00000000-/),
    failed("invalid-argument", /serviceId must be a UUID, .* got "nonsense"/),
    failed("invalid-argument", /pipeId is required/),
  ];
  // An error that comes over gRPC has no code.
  expect(shown["failures"]).toEqual(isNative ? failures.map(({ message }) => ({ message })) : failures);
}

test("data functions read in both forms, also at preview, and show no credential", async () => {
  const serviceIds = [...DEFAULT_ACCOUNT.serviceIds, otherService];
  const simulator = await newSimulator({ nulls: true, accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
  const ids = simulator.control.seedPipes(seeds).map(({ id }) => id);
  const stack = await newStack({ simulator, program: everyFunction(ids[0]) });
  const preview = await stack.preview();
  expect(Object.keys(requestCounts(simulator)).sort()).toEqual([
    "getPipeSettings",
    "listBackups",
    "listPipes",
  ]);
  expect(preview.output).toContain("duplicate");
  const up = await stack.up();
  const shown = (await stack.outputs()) as Results;
  const texts = { preview: preview.output, up: up.output, outputs: JSON.stringify(shown) };
  expect(leaks({ ...texts, state: await stack.storedText() }, [secret])).toEqual([]);
  expectPipes(simulator, shown, ids);
  expectSettingsAndBackups(simulator, shown);
  expectFailures(shown, ids);
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
