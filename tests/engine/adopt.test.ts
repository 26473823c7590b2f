import { canary, leaks } from "../../testkit/canary";
import {
  complete,
  creationBody,
  pipesProgram,
  withValue,
  type JsonObject,
  type SourceKind,
} from "../../testkit/pipes";
import {
  listReads,
  newSimulator,
  pipeNamed,
  takeWrites,
  type SeedPipe,
  type Simulator,
} from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const credentialPaths: Record<SourceKind, string> = {
  kafka: "source.kafka.credentials",
  objectStorage: "source.objectStorage.accessKey",
  kinesis: "source.kinesis.accessKey",
  postgres: "source.postgres.credentials",
};
const kinds = Object.keys(credentialPaths) as SourceKind[];

/** Creates a pipe as another client, and returns its id. */
function seed(simulator: Simulator, name: string, args: JsonObject): string {
  const [pipe] = simulator.control.seedPipes([creationBody(name, args) as unknown as SeedPipe]);
  return pipe?.id ?? "";
}

const withoutCredentials = (kind: SourceKind): JsonObject =>
  withValue(complete[kind], credentialPaths[kind], undefined);

test("adopts pipes that equal the program without a write", async () => {
  const simulator = await newSimulator({ nulls: true });
  const adopted = kinds.map((kind) => {
    const adopt = seed(simulator, kind, complete[kind]);
    return [kind, { ...withoutCredentials(kind), adopt }] as const;
  });
  const stack = await newStack({ simulator, program: pipesProgram(Object.fromEntries(adopted)) });
  const preview = await stack.preview();
  for (const [kind, { adopt }] of adopted)
    expect(preview.output).toContain(
      `pipe "${kind}" adopts the existing pipe ${adopt} as it is; the provider sends nothing.`,
    );
  // The list is the only request of a preview, and one is enough for all pipes.
  expect(listReads(simulator)).toHaveLength(1);
  expect(simulator.control.requests()).toHaveLength(1);

  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  const state = await stack.export();
  for (const [kind, { adopt }] of adopted) expect(state.named(kind).id).toBe(adopt);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  const gone = adopted.map(([kind]) => [kind, withoutCredentials(kind)] as const);
  await stack.write(pipesProgram(Object.fromEntries(gone)));
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
});

test("sends one PATCH that brings an adopted pipe to the declared values, credentials included", async () => {
  const simulator = await newSimulator();
  const differs = withValue(
    withValue(complete.kafka, "source.kafka.iamRole", "theirs"),
    "settings.dbmsMaxThreads",
    1,
  );
  const ids = {
    differs: seed(simulator, "theirs", differs),
    credentials: seed(simulator, "credentials", complete.kinesis),
    tables: seed(
      simulator,
      "tables",
      withValue(complete.postgres, "source.postgres.tableMappings.1.sourceTable", "x"),
    ),
  };
  const { validateSamples: _, ...postgres } = complete.postgres["source"] as JsonObject;
  const declared = {
    differs: {
      ...withValue(withoutCredentials("kafka"), "source.validateSamples", undefined),
      adopt: ids.differs,
    },
    credentials: { ...complete.kinesis, adopt: ids.credentials },
    tables: {
      ...withoutCredentials("postgres"),
      source: withoutIn(postgres, "credentials"),
      adopt: ids.tables,
    },
  };
  const stack = await newStack({ simulator, program: pipesProgram(declared) });
  const preview = await stack.preview();
  for (const line of [
    `pipe "differs" adopts the existing pipe "theirs" (${ids.differs}) and changes:`,
    'name: "theirs" => "differs"',
    'source.kafka.iamRole: "theirs" => "role-of-kafka"',
    "settings.dbmsMaxThreads: 1 => 6",
    `pipe "credentials" adopts the existing pipe ${ids.credentials} and changes:`,
    "source.kinesis.accessKey: [secret]",
    `pipe "tables" adopts the existing pipe ${ids.tables} and changes:`,
  ])
    expect(preview.output).toContain(line);
  expect(preview.output).toMatch(
    /source\.postgres\.tableMappings: .*"sourceTable":"x".* => .*"sourceTable":"returns"/,
  );
  expect(preview.output).not.toContain("kinesis-secret-key");
  const { output: diff } = await stack.preview({ flags: ["--diff"] });
  expect(diff).toContain(
    'and changes: name: "theirs" => "differs"; source.kafka.iamRole: "theirs" => "role-of-kafka"; ',
  );
  expect(takeWrites(simulator)).toEqual([]);
  await stack.up();
  const returns = { sourceSchemaName: "public", sourceTable: "returns", targetTable: "returns" };
  const kinesis = complete.kinesis["source"] as { kinesis: JsonObject };
  expect(
    Object.fromEntries(takeWrites(simulator).map(({ method, path, body }) => [`${method} ${path}`, body])),
  ).toEqual({
    [`PATCH /pipes/${ids.differs}`]: {
      name: "differs",
      source: { kafka: { iamRole: "role-of-kafka" } },
      settings: { dbms_max_threads: 6 },
    },
    [`PATCH /pipes/${ids.credentials}`]: {
      source: { kinesis: { accessKey: kinesis.kinesis["accessKey"] }, validateSamples: true },
    },
    [`PATCH /pipes/${ids.tables}`]: {
      source: {
        postgres: {
          tableMappingsToAdd: [returns],
          tableMappingsToRemove: [{ ...returns, sourceTable: "x" }],
        },
      },
    },
  });
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

/** The only member of a source without one of its fields. */
function withoutIn(source: JsonObject, field: string): JsonObject {
  const [[kind, value] = ["", {}]] = Object.entries(source);
  return withValue({ [kind]: value }, `${kind}.${field}`, undefined);
}

test("refuses to adopt a pipe with other immutable fields", async () => {
  const simulator = await newSimulator();
  const secret = canary("adopted-secret");
  const theirs = {
    orders: withValue(complete.kafka, "source.kafka.topics", "theirs"),
    files: complete.objectStorage,
  };
  const id = seed(simulator, "orders", withValue(theirs.orders, "scaling.replicas", 9));
  const mine = withValue(complete.kafka, "source.kafka.credentials.password", secret);
  const changed = withValue(
    withValue(mine, "destination.tableDefinition.sortingKey", ["note"]),
    "name",
    "mine",
  );
  const stack = await newStack({ simulator, program: pipesProgram({ orders: { ...changed, adopt: id } }) });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toContain(`adopt names pipe ${id}, but it differs from the program`);
  for (const line of [
    'source.kafka.topics: the pipe has "theirs", the program declares "orders,returns"',
    "scaling.replicas: the pipe has 9, the program declares 2",
    'destination.tableDefinition.sortingKey: the pipe has ["id"], the program declares ["note"]',
  ])
    expect(output).toContain(line);
  expect(output).not.toMatch(/destination\.roles|credentials: the pipe/);
  expect(takeWrites(simulator)).toEqual([]);
  expect((await stack.export()).ofType("Pipe")).toEqual([]);
  expect(leaks({ output }, [secret])).toEqual([]);

  const files = seed(simulator, "files", theirs.files);
  await stack.write(pipesProgram({ orders: { ...complete.kafka, adopt: files } }));
  const another = await stack.up({ expectFailure: true });
  expect(another.output).toContain("source: the pipe reads from objectStorage, the program declares kafka");
  expect(another.output).not.toMatch(/storage-account-key|kafka-password/);

  const unknown = "00000000-0000-4000-8000-000000000000";
  await stack.write(pipesProgram({ orders: { ...complete.kafka, adopt: unknown } }));
  const missing = await stack.preview({ expectFailure: true });
  expect(missing.output).toContain(`adopt names pipe ${unknown}, but service`);
  expect(missing.output).toContain(
    "has no pipe with this id. Check adopt, organizationId and serviceId; remove adopt only if",
  );
  expect(takeWrites(simulator)).toEqual([]);
});

test('replaces an adopted pipe with new pipes under deletionPolicy "delete", however often', async () => {
  const simulator = await newSimulator();
  const adopt = seed(simulator, "orders", complete.kafka);
  const args = { ...complete.kafka, adopt, deletionPolicy: "delete", replacementPolicy: "allow" };
  const stack = await newStack({ simulator, program: pipesProgram({ orders: args }) });
  await stack.up();
  takeWrites(simulator);
  for (const topics of ["second", "third"]) {
    const { id } = pipeNamed(simulator, "orders");
    await stack.write(pipesProgram({ orders: withValue(args, "source.kafka.topics", topics) }));
    await stack.up();
    expect(takeWrites(simulator).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `DELETE /pipes/${id}`,
      "POST /pipes",
    ]);
    expect(pipeNamed(simulator, "orders").source.kafka?.topics).toBe(topics);
    expect((await stack.export()).named("orders").id).toBe(pipeNamed(simulator, "orders").id);
    await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  }
});
