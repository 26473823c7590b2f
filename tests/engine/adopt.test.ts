import { canary, leaks } from "../kit/canary";
import { expectNoChanges, expectNoWrites, writesByPipe } from "./expectations";
import { complete, creationBody, pipesProgram } from "../kit/pipes";
import { KINDS, type SourceKind } from "../kit/pipe-fields";
import { mapValues, withValue, withValues, type JsonObject } from "../kit/json";
import { listReads, newSimulator, type Simulator } from "../kit/simulator";
import { newStack } from "../kit/stack";

const credentials: Record<SourceKind, string> = {
  kafka: "source.kafka.credentials",
  objectStorage: "source.objectStorage.accessKey",
  kinesis: "source.kinesis.accessKey",
  postgres: "source.postgres.credentials",
};

/** What a program declares that knows no credentials. */
const withoutCredentials = (kind: SourceKind): JsonObject =>
  withValue(complete[kind], credentials[kind], undefined);

/** Without what would be sent along with the PATCH, too. */
const declaredFor = (kind: SourceKind): JsonObject =>
  withValue(withoutCredentials(kind), "source.validateSamples", undefined);

const seeded = (simulator: Simulator, name: string, args: JsonObject): string =>
  simulator.control.seedPipes([creationBody(name, args)])[0]?.id ?? "";

/** Pipes that differ from the program in what can be changed: what they have, what the program declares, and the PATCH. */
const differing: Record<string, Record<"theirs" | "declared" | "body", JsonObject> & { lines: RegExp[] }> = {
  differs: {
    theirs: withValues(complete.kafka, { "source.kafka.iamRole": "theirs", "settings.dbmsMaxThreads": 1 }),
    declared: declaredFor("kafka"),
    body: {
      name: "differs",
      source: { kafka: { iamRole: "role-of-kafka" } },
      settings: { dbms_max_threads: 6 },
    },
    lines: [
      /pipe "differs" adopts the existing pipe "theirs" \(\S+\) and changes:/,
      /name: "theirs" => "differs"; source.kafka.iamRole: "theirs" => "role-of-kafka"/,
      /settings.dbmsMaxThreads: 1 => 6/,
    ],
  },
  credentials: {
    theirs: complete.kinesis,
    declared: complete.kinesis,
    body: {
      source: {
        kinesis: { accessKey: { accessKeyId: "kinesis-key-id", secretKey: "kinesis-secret-key" } },
        validateSamples: true,
      },
    },
    lines: [
      /pipe "credentials" adopts the existing pipe \S+ and changes:/,
      /source\.kinesis\.accessKey: \[secret\]/,
    ],
  },
};

test("adopts equal pipes without a write and others with one PATCH each, as the preview says, and keeps them without adopt", async () => {
  const simulator = await newSimulator({ nulls: true });
  const equal = KINDS.map(
    (kind) => [kind, withoutCredentials(kind), seeded(simulator, kind, complete[kind])] as const,
  );
  const others = Object.entries(differing).map(
    ([name, { theirs, declared }]) =>
      [name, declared, seeded(simulator, name === "differs" ? "theirs" : name, theirs)] as const,
  );
  const all = [...equal, ...others];
  const programWith = (adopts: boolean): string =>
    all
      .map(([name, args, adopt]) => pipesProgram({ [name]: { ...args, ...(adopts && { adopt }) } }))
      .join("");
  const stack = await newStack({ simulator, program: programWith(true) });
  const { output } = await stack.preview();
  for (const [kind, , adopt] of equal)
    expect(output).toContain(
      `pipe "${kind}" adopts the existing pipe ${adopt} as it is; the provider sends nothing.`,
    );
  for (const line of Object.values(differing).flatMap(({ lines }) => lines)) expect(output).toMatch(line);
  expect(output).not.toContain("kinesis-secret-key");
  // The list is the only request of a preview, and one is enough for all pipes.
  expect(listReads(simulator)).toHaveLength(1);
  expect(simulator.control.requests()).toHaveLength(1);
  const { output: diff } = await stack.preview({ diff: true });
  expect(diff).toContain('and changes: name: "theirs" => "differs"; source.kafka.iamRole: "theirs" => ');
  expectNoWrites(simulator);

  await stack.up();
  const names = new Map(all.map(([name, , id]) => [id, name]));
  expect(writesByPipe(simulator, names)).toEqual(mapValues(differing, ({ body }) => [["PATCH", body]]));
  const state = await stack.export();
  for (const [name, , adopt] of all) expect(state.named(name).id).toBe(adopt);
  await expectNoChanges(stack);
  await stack.write(programWith(false));
  await stack.up();
  await expectNoChanges(stack);
  expectNoWrites(simulator);
});

test("refuses to adopt a pipe with other immutable fields, of another kind, or that does not exist", async () => {
  const simulator = await newSimulator();
  const secret = canary("adopted-secret");
  const theirs = withValues(complete.kafka, { "source.kafka.topics": "theirs", "scaling.replicas": 9 });
  const mine = withValues(complete.kafka, {
    "source.kafka.credentials.password": secret,
    "destination.tableDefinition.sortingKey": ["note"],
    name: "mine",
  });
  const fields = seeded(simulator, "orders", theirs);
  const kind = seeded(simulator, "files", complete.objectStorage);
  const none = "00000000-0000-4000-8000-000000000000";
  const refusals = {
    [fields]: [
      `adopt names pipe ${fields}, but it differs from the program`,
      'source.kafka.topics: the pipe has "theirs", the program declares "orders,returns"',
      "scaling.replicas: the pipe has 9, the program declares 2",
      'destination.tableDefinition.sortingKey: the pipe has ["id"], the program declares ["note"]',
    ],
    [kind]: ["source: the pipe reads from objectStorage, the program declares kafka"],
    [none]: [
      `adopt names pipe ${none}, but service`,
      "has no pipe with this ID. Check adopt, organizationId and serviceId. If the pipe was deleted, remove adopt and declare",
    ],
  };
  const stack = await newStack({ simulator });
  for (const [adopt, lines] of Object.entries(refusals)) {
    await stack.write(pipesProgram({ orders: { ...mine, adopt } }));
    // What the preview refuses, `up` refuses too.
    const { output } = await stack[adopt === kind ? "up" : "preview"]({ expectFailure: true });
    for (const line of lines) expect(output).toContain(line);
    expect(output).not.toMatch(/destination\.roles|credentials: the pipe|storage-account-key/);
    expect(leaks({ output }, [secret])).toEqual([]);
  }
  expectNoWrites(simulator);
  expect((await stack.export()).ofType("Pipe")).toEqual([]);
});
