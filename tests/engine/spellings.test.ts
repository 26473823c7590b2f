import type { Profile } from "../../simulator/src/index";
import { complete, minimal, pipesProgram, withValue, type JsonObject } from "../../testkit/pipes";
import { newSimulator, pipeNamed, writes, type Call, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";

/** How the services answer, one each. */
const behaviours: Record<string, readonly Profile[]> = {
  quantity: ["quantity"],
  omit: ["omit"],
  zero: ["zero-later"],
  sparse: ["sparse"],
  masked: ["masked"],
  lower: ["lower-case"],
  recheck: ["recheck-connection"],
  all: ["quantity", "omit", "zero-later", "sparse", "masked", "lower-case", "recheck-connection"],
};

/** The services whose list states a field that can be changed in place otherwise than the answer to the create did. */
const repaired = ["all", "lower"];

const services = new Map(
  Object.keys(behaviours).map((name, index) => [name, `0a1b2c3d-0000-4000-8000-0000000000c${index}`]),
);

/** Names that a service may keep in lower case, and a path that it may normalize. */
const spelt = (args: JsonObject): JsonObject => {
  const changes: [string, JsonObject[string]][] = [
    ["destination.database", "Shop"],
    ["destination.table", "Events"],
    ["destination.tableDefinition.sortingKey", ["Id"]],
    ["destination.tableDefinition.engine", { versionColumnId: "Id", columnIds: ["Id", "Note"] }],
    ["destination.columns.0.name", "Id"],
    ["destination.columns.1.name", "Note"],
    ["fieldMappings.0.destinationField", "Id"],
    ["fieldMappings.1.destinationField", "Note"],
    // What accompanies an update is in the way of its comparison.
    ["source.validateSamples", undefined as never],
  ];
  return changes.reduce((copy, [path, value]) => withValue(copy, path, value), args);
};

const declared: Record<string, JsonObject> = {
  kafka: spelt(complete.kafka),
  files: withValue(spelt(complete.objectStorage), "source.objectStorage.path", "/2026//**.csv"),
  kinesis: spelt(complete.kinesis),
  postgres: spelt(complete.postgres),
  few: minimal.kafka,
};

type Edit = (args: JsonObject, kind: string) => JsonObject;

/** Every pipe in every service, each under the names of both. */
const program = (edit: Edit = (args) => args): string =>
  pipesProgram(
    Object.fromEntries(
      [...services].flatMap(([service, serviceId]) =>
        Object.entries(declared).map(([kind, args]) => [
          `${service}-${kind}`,
          { ...edit(args, kind), serviceId },
        ]),
      ),
    ),
  );

async function start(): Promise<{ simulator: Simulator; stack: TestStack }> {
  const simulator = await newSimulator({
    accounts: [
      {
        apiKeyId: "key",
        apiKeySecret: "key-secret",
        organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
        serviceIds: [...services.values()],
      },
    ],
  });
  for (const [name, serviceId] of services)
    simulator.control.setBehaviour({ profiles: behaviours[name] ?? [] }, serviceId);
  return { simulator, stack: await newStack({ simulator, program: program() }) };
}

/** The bodies of the writes since the last call, by the name of the pipe. Nothing but updates is allowed. */
function takePatches(simulator: Simulator): Record<string, Call["body"][]> {
  const names = new Map(simulator.control.state().pipes.map(({ id, name }) => [id, name]));
  const patches: Record<string, Call["body"][]> = {};
  for (const { method, path, body } of writes(simulator)) {
    expect(method).toBe("PATCH");
    (patches[names.get(path.split("/").at(-1) ?? "") ?? path] ??= []).push(body);
  }
  simulator.control.clearRequests();
  return patches;
}

const serviceOf = (name: string): string => name.slice(0, name.indexOf("-"));

test("services that write, omit, mask or delay what they state cost one PATCH at most, and never a replacement", async () => {
  const { simulator, stack } = await start();
  await stack.up();
  simulator.control.clearRequests();

  // What can be changed in place and is written in another way is sent once more, and then known.
  await stack.up({ flags: ["--refresh"] });
  const repairs = takePatches(simulator);
  expect([...new Set(Object.keys(repairs).map(serviceOf))].sort()).toEqual(repaired);
  expect(Object.values(repairs).map((bodies) => bodies.length)).toEqual(Object.keys(repairs).map(() => 1));
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  await stack.up({ flags: ["--refresh"] });
  await stack.preview({ expectNoChanges: true });
  expect(takePatches(simulator)).toEqual({});

  // A change of one field sends that field, with what must accompany it.
  const changes: Record<string, [string, JsonObject[string]]> = {
    postgres: ["source.postgres.port", 6543],
    kafka: ["source.kafka.iamRole", "changed"],
  };
  await stack.write(program((args, kind) => (changes[kind] ? withValue(args, ...changes[kind]) : args)));
  await stack.up();
  const credentials = { username: "postgres-user", password: "postgres-password" };
  const expected = [...services.keys()].flatMap((service) => [
    [`${service}-postgres`, [{ source: { postgres: { port: 6543, credentials } } }]],
    [`${service}-kafka`, [{ source: { kafka: { iamRole: "changed" } } }]],
  ]);
  expect(takePatches(simulator)).toEqual(Object.fromEntries(expected));
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  expect(takePatches(simulator)).toEqual({});

  // A real change made elsewhere is drift all the same, and repaired once.
  for (const service of services.keys()) {
    const { id } = pipeNamed(simulator, `${service}-kafka`);
    simulator.control.editPipe(id, { source: { kafka: { iamRole: "theirs" } } });
  }
  await stack.up({ flags: ["--refresh"] });
  expect(takePatches(simulator)).toEqual(
    Object.fromEntries(
      [...services.keys()].map((service) => [
        `${service}-kafka`,
        [{ source: { kafka: { iamRole: "changed" } } }],
      ]),
    ),
  );
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});
