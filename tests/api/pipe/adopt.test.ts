import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../../provider/src/core/property-value";
import { canary } from "../../../testkit/canary";
import { complete, creationBody, minimal, withValue, type JsonObject } from "../../../testkit/pipes";
import { takeWrites } from "../../../testkit/simulator";
import { failureOf } from "../../../testkit/connected";
import { CheckFailed, online, up, type Online } from "../../../testkit/online";

const seed = ({ simulator }: Online, name: string, args: JsonObject): string =>
  simulator.control.seedPipes([creationBody(name, args)])[0]?.id ?? "";

const theirs = complete.kafka;
const mine = (adopt: string, args: JsonObject = theirs): JsonObject => ({ name: "orders", ...args, adopt });

/** What the preview says of an adoption that cannot be; without a preview, creation says the same. */
async function refusalOf(run: Online, args: JsonObject): Promise<string> {
  const { adopt } = args as { adopt: string };
  const refused = await up(run, args).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CheckFailed);
  const { lifecycle } = run;
  const { code, message } = await failureOf(lifecycle.create(lifecycle.check(undefined, args).inputs));
  const [ofPreview, ofCreate] = [`adopt names pipe ${adopt}, but `, `adopt pipe ${adopt} failed: `];
  expect((refused as Error).message.replace(ofPreview, ofCreate)).toBe(message);
  return `${code}: ${message.replace(ofCreate, "")}`;
}

test("adopts a pipe that equals the program without a write, and keeps it when adopt is removed", async () => {
  const run = await online(pipeDefinition, { nulls: true });
  const id = seed(run, "orders", theirs);
  const args = withValue(mine(id), "source.kafka.credentials", undefined);
  const taken = await up(run, args);
  expect(run.lines).toEqual([
    `pipe "orders" adopts the existing pipe ${id} as it is; the provider sends nothing.`,
  ]);
  expect(taken.id).toBe(id);
  const owned = await up(run, withValue(args, "adopt", undefined), taken);
  expect(owned).toEqual(taken);
  expect(takeWrites(run.simulator)).toEqual([]);
});

test("updates an adopted pipe in place, credentials included, and then waits for its state", async () => {
  const run = await online(pipeDefinition, { stateSeconds: 1 });
  const id = seed(run, "theirs", withValue(theirs, "source.kafka.iamRole", "theirs"));
  const taken = await up(run, { ...mine(id), waitFor: { states: ["Running"] } });
  const { credentials } = (theirs["source"] as { kafka: JsonObject }).kafka;
  expect(takeWrites(run.simulator)).toEqual([
    {
      method: "PATCH",
      path: `/pipes/${id}`,
      body: {
        name: "orders",
        source: { kafka: { iamRole: "role-of-kafka", credentials }, validateSamples: true },
      },
    },
  ]);
  expect(taken.outputs).toMatchObject({ name: "orders", state: "Running" });
  expect(run.lines[0]).toBe(
    `pipe "orders" adopts the existing pipe "theirs" (${id}) and changes: name: "theirs" => "orders"; ` +
      `source.kafka.iamRole: "theirs" => "role-of-kafka"; source.kafka.credentials: [secret].`,
  );
});

const [A, B, C] = ["a", "b", "c"].map((end) => `0a1b2c3d-0000-4000-8000-00000000000${end}`);

test.each([
  [[A, B], [B, C], `["${A}"] => ["${C}"] (the other elements stay).`],
  [[A], [C], `["${A}"] => ["${C}"].`],
  [[A], [A, C], `[] => ["${C}"] (the other elements stay).`],
] as [string[], string[], string][])(
  "names the elements of a set that an adoption changes: %j to %j",
  async (before, after, shown) => {
    const run = await online(pipeDefinition);
    const set = "source.kafka.reversePrivateEndpointIds";
    const args = withValue(theirs, "source.kafka.credentials", undefined);
    const id = seed(run, "orders", withValue(args, set, before));
    await up(run, withValue(mine(id, args), set, after));
    expect(run.lines[0]).toBe(`pipe "orders" adopts the existing pipe ${id} and changes: ${set}: ${shown}`);
  },
);

describe("the preview of an adoption", () => {
  test.each<[what: string, source: PropertyValue]>([
    ["no source yet", undefined],
    ["a source that is not known yet", UNKNOWN],
    ["a kind that is not known yet", { kinesis: UNKNOWN }],
  ])("refuses nothing where the program has %s", async (_, source) => {
    const run = await online(pipeDefinition);
    const id = seed(run, "orders", theirs);
    const [organizationId, serviceId] = [
      run.simulator.account.organizationId,
      run.simulator.account.serviceIds[0],
    ];
    const inputs: PropertyMap = { name: "orders", organizationId, serviceId, adopt: id, source };
    const preview = await run.lifecycle.definition.previewAdoption?.(inputs);
    expect(preview?.failures).toEqual([]);
    expect(preview?.lines).toEqual([expect.stringMatching(`adopts the existing pipe ${id}`)]);
  });

  test.each(["adopt", "organizationId", "serviceId"])("says nothing without %s", async (missing) => {
    const run = await online(pipeDefinition);
    const { organizationId, serviceIds } = run.simulator.account;
    const all = { ...mine(seed(run, "orders", theirs)), organizationId, serviceId: serviceIds[0] };
    const inputs = { ...all, [missing]: undefined };
    run.simulator.control.clearRequests();
    expect(await run.lifecycle.definition.previewAdoption?.(inputs)).toEqual({ lines: [], failures: [] });
    expect(run.simulator.control.requests()).toEqual([]);
  });
});

test("names every immutable difference with both values and without secrets", async () => {
  const run = await online(pipeDefinition);
  const secret = canary("adopted");
  const differs = withValue(
    withValue(theirs, "source.kafka.topics", "theirs"),
    "scaling.replicas",
    undefined,
  );
  const id = seed(run, "orders", withValue(differs, "source.kafka.credentials.password", secret));
  // An answer that does not have a value says nothing of it.
  run.simulator.control.editPipe(id, { scaling: { replicas: null, concurrency: 7 } });
  expect(await refusalOf(run, { ...mine(id), scaling: { replicas: 2, concurrency: 3 } })).toBe(
    "conflict: it differs from the program in fields that cannot be changed in place:\n" +
      `  source.kafka.topics: the pipe has "theirs", the program declares "orders,returns"\n` +
      `  scaling.concurrency: the pipe has 7, the program declares 3\n` +
      "Declare the values that the pipe has.",
  );
  expect(takeWrites(run.simulator)).toEqual([]);
});

test.each<[what: string, declared: JsonObject, edit: object, source: string]>([
  ["another kind", complete.objectStorage, {}, "objectStorage"],
  ["no known kind", complete.kafka, { source: { kafka: null } }, "no known kind"],
  ["no source", complete.kafka, { source: null }, "no known kind"],
])("does not adopt a pipe with a source of %s", async (_, args, edit, source) => {
  const run = await online(pipeDefinition);
  const id = seed(run, "orders", args);
  run.simulator.control.editPipe(id, edit);
  expect(await refusalOf(run, mine(id, complete.postgres))).toBe(
    "conflict: it differs from the program in fields that cannot be changed in place:\n" +
      `  source: the pipe reads from ${source}, the program declares postgres\n` +
      "Declare the values that the pipe has.",
  );
});

test("adopts a pipe whose other kinds of source the service returns empty", async () => {
  const run = await online(pipeDefinition);
  const id = seed(run, "orders", minimal.kafka);
  const { kafka } = run.simulator.control.state().pipes[0]?.source as JsonObject;
  run.simulator.control.editPipe(id, { source: { kafka, postgres: { host: null }, kinesis: {} } });
  expect((await up(run, mine(id, minimal.kafka))).id).toBe(id);
  expect(takeWrites(run.simulator)).toEqual([]);
});

test("refuses to adopt a pipe that does not exist", async () => {
  const run = await online(pipeDefinition);
  const id = "0a1b2c3d-0000-4000-8000-00000000dead";
  expect(await refusalOf(run, mine(id, minimal.kafka))).toBe(
    `not-found: service ${run.simulator.account.serviceIds[0] ?? ""} has no pipe with this id. Check adopt, ` +
      "organizationId and serviceId; remove adopt only if the pipe was deleted.",
  );
});

test("refuses to adopt without a service, and says how to configure one", async () => {
  const run = await online(pipeDefinition);
  const { organizationId } = run.simulator.account;
  const work = run.lifecycle.create({ name: "orders", ...minimal.kafka, organizationId });
  expect((await failureOf(work)).message).toBe(
    "serviceId is missing. Pass it as an argument, or set it with `pulumi config set datapipes:serviceId <uuid>`.",
  );
});

describe("adopt on a pipe of the stack", () => {
  const other = "0A1B2C3D-0000-4000-8000-00000000AAAA";
  const linesOf = async (adopt: (id: string) => string, again = false): Promise<string[]> => {
    const run = await online(pipeDefinition);
    const args = { name: "orders", ...minimal.kafka };
    const before = await up(run, args);
    const first = await up(run, { ...args, adopt: adopt(before.id) }, before);
    if (again) {
      run.lines.length = 0;
      await up(run, { ...args, adopt: adopt(before.id), name: "renamed" }, first);
    }
    return run.lines.map((line) => line.replaceAll(before.id, "<id>"));
  };

  const warningOf = (name: string): string =>
    `warning: pipe "${name}" (<id>) is in the stack already, so adopt does not take over ${other}. To manage that one instead, run ` +
    "`pulumi state delete <URN of the resource>`, which leaves <id> unmanaged, then `pulumi up`.";

  test("adopts no other pipe, and the message says what to do instead", async () => {
    expect(await linesOf(() => other)).toEqual([warningOf("orders")]);
  });

  test("repeats the warning at the next preview", async () => {
    expect(await linesOf(() => other, true)).toEqual([warningOf("orders")]);
  });

  test("repeats the warning after updates and a refresh", async () => {
    const run = await online(pipeDefinition);
    const args = { name: "orders", ...minimal.kafka };
    const created = await up(run, args);
    const late = { ...args, adopt: other };
    const renamed = await up(run, { ...late, name: "renamed" }, created);
    const read = await run.lifecycle.read(renamed.id, renamed.outputs);
    run.lines.length = 0;
    await up(run, { ...late, name: "renamed" }, renamed);
    await up(run, { ...late, name: "again" }, { id: renamed.id, outputs: read?.outputs ?? {} });
    const warnings = run.lines.map((line) => line.replaceAll(created.id, "<id>"));
    expect(warnings).toEqual([warningOf("renamed"), warningOf("renamed")]);
  });

  test("may name the same pipe, in either spelling of its id", async () => {
    expect(await linesOf((id) => id.toUpperCase())).toEqual([]);
  });
});

test.each([
  ["retain", 3],
  ["delete", 1],
])(
  "with deletionPolicy %s, each replacement of an adopted pipe creates a new pipe, without a warning about adopt",
  async (deletionPolicy, left) => {
    const run = await online(pipeDefinition);
    const pipesOf = (): string[] => run.simulator.control.state().pipes.map(({ id }) => id);
    const id = seed(run, "orders", minimal.kafka);
    const program = (topics: string): JsonObject => ({
      ...withValue(mine(id.toUpperCase(), minimal.kafka), "source.kafka.topics", topics),
      deletionPolicy,
      replacementPolicy: "allow",
    });
    const adopted = await up(run, program("orders"));
    expect(adopted.id).toBe(id);
    const second = await up(run, program("second"), adopted);
    expect(pipesOf()).toContain(second.id);
    const third = await up(run, program("third"), second);
    expect(new Set([id, second.id, third.id]).size).toBe(3);
    expect(pipesOf()).toHaveLength(left);
    expect(pipesOf()).toContain(third.id);

    run.lines.length = 0;
    expect(await up(run, program("third"), third)).toBe(third);
    expect(run.lines).toEqual([]);
  },
);
