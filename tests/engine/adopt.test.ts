import { isNative } from "../../testkit/program";
import { canary, leaks } from "../../testkit/canary";
import { expectNoChanges, expectNoWrites, writesByPipe } from "./expectations";
import { complete, creationBody, KINDS, mapValues, minimal, pipesProgram } from "../../testkit/pipes";
import { withValue, withValues } from "../../testkit/pipes";
import type { JsonObject, SourceKind } from "../../testkit/pipes";
import { listReads, newSimulator, takeWrites, type Simulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";
import { programOf, type Declaration } from "./safety/program";

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
      "has no pipe with this id. Check adopt, organizationId and serviceId; remove adopt only if",
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

const pipe = (name: string, table: string, more: JsonObject = {}): Declaration => ({
  kind: "Pipe",
  name,
  args: {
    ...withValue(minimal.kafka, "destination.table", table),
    ...{ name: table, deletionPolicy: "delete", ...more },
  },
});

test("two resources cannot adopt one pipe, and a run that leaves out what adopts a pipe, or fails to adopt it, does not delete it under its former name", async () => {
  const simulator = await newSimulator();
  const tables = ["removed", "failing", "aliased", "excluded", "provided", "moved", "held"];
  const own = (table: string, name = `${table}.old`): Declaration => pipe(name, table);
  const stack = await newStack({ simulator, program: programOf(tables.map((table) => own(table))) });
  await stack.up();
  const ids = new Map(simulator.control.state().pipes.map(({ id, name }) => [name, id]));
  const deleted = (): string[] =>
    takeWrites(simulator).flatMap(({ method, path }) =>
      method === "DELETE" ? [...ids].flatMap(([table, id]) => (path.endsWith(id) ? [table] : [])) : [],
    );
  const adopting = (table: string, options?: Declaration["options"], more: object = {}): Declaration => ({
    ...pipe(`${table}.new`, table, { adopt: ids.get(table)?.toUpperCase() ?? "" }),
    ...{ options, ...more },
  });
  // A preview refuses two resources that adopt one pipe, also of two providers.
  for (const provided of [false, true]) {
    const second = { ...adopting("held", { provided }), name: "second" };
    await stack.write(programOf([adopting("held"), second]));
    const { output } = await stack.preview({ expectFailure: true });
    for (const name of ["held.new", "second"]) expect(output).toContain(name);
  }
  expect(takeWrites(simulator)).toHaveLength(tables.length);

  const failing = adopting("failing");
  failing.args["name"] = "failing 2";
  const others = [
    failing,
    adopting("aliased", { formerName: "aliased.old" }),
    adopting("excluded"),
    adopting("provided", { provided: true }),
    adopting("moved", { moved: true }, { name: "moved.old" }),
  ];
  await stack.write(programOf([...others, own("held")]));
  simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 400 });
  const flags = [
    ...leftOut(["::excluded.new", "::provided.new", "Group$*::moved.old", "::aliased.new"], "--exclude"),
    "--continue-on-error",
  ];
  await stack.up({ flags, expectFailure: true });
  expect(deleted()).toEqual(["removed"]);

  // The state has both names of this pipe, and the program the new one, with and without its id.
  const held = adopting("held");
  await stack.write(programOf([...others, held]));
  await stack.up({ flags: ["--target", "**::held.new"] });
  await stack.write(programOf([...others, own("held", "held.new")]));
  if (!isNative) {
    const { output } = await stack.up({ flags: leftOut(["::held.old"], "--target") });
    expect(output).toMatch(
      new RegExp(`${ids.get("held") ?? ""}.* is not deleted: "held.new" .* leaves "held.new" out`),
    );
  }
  await stack.up();
  expect(deleted()).toEqual([]);
  await stack.preview({ expectNoChanges: true });
  await stack.destroy({ flags: ["--run-program"] });
  expect(deleted().sort()).toEqual(tables.filter((table) => table !== "removed").sort());
});

/** The engine tells the native plugin nothing about a resource that a run leaves out, so there a run leaves out none. */
const leftOut = (names: readonly string[], flag: string): string[] =>
  isNative ? [] : names.flatMap((name) => [flag, `**${name}`]);
