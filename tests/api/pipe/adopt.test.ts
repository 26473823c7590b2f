import { pipeDefinition } from "../../../provider/src/resources/pipe/lifecycle";
import { canary } from "../../support/canary";
import { complete, creationBody, minimal, withValue, type JsonObject } from "../../support/pipes";
import { stopSimulators, takeWrites, type SeedPipe } from "../../support/simulator";
import { failureOf } from "../client/connected";
import { online, up, type Online } from "../resources/online";

afterEach(stopSimulators);

const seed = ({ simulator }: Online, name: string, args: JsonObject): string =>
  simulator.control.seedPipes([creationBody(name, args) as unknown as SeedPipe])[0]?.id ?? "";

const theirs = complete.kafka;
const mine = (adopt: string, args: JsonObject = theirs): JsonObject => ({ name: "orders", ...args, adopt });
const advice = "Make the program state what the pipe has, or leave out adopt to create another pipe.";

test("a pipe that is as declared is taken over without a write, and stays what it is when adopt is taken out", async () => {
  const run = await online(pipeDefinition, { nulls: true });
  const id = seed(run, "orders", theirs);
  const args = withValue(mine(id), "source.kafka.credentials", undefined);
  const taken = await up(run, args);
  expect(run.lines).toEqual([`pipe "orders" is not created: the existing pipe ${id} is taken over (adopt).`]);
  expect(taken.id).toBe(id);
  const owned = await up(run, withValue(args, "adopt", undefined), taken);
  expect(owned).toEqual({ id, outputs: { ...taken.outputs, adopt: undefined } });
  expect(takeWrites(run.simulator)).toEqual([]);
});

test("what differs is changed in place, credentials included, and then waited for", async () => {
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
});

test("what no update can change is told, all of it, with both values and no secret", async () => {
  const run = await online(pipeDefinition);
  const secret = canary("adopted");
  const differs = withValue(
    withValue(theirs, "source.kafka.topics", "theirs"),
    "scaling.replicas",
    undefined,
  );
  const id = seed(run, "orders", withValue(differs, "source.kafka.credentials.password", secret));
  run.simulator.control.editPipe(id, { scaling: null });
  const { code, message } = await failureOf(up(run, { ...mine(id), scaling: { replicas: 2 } }));
  expect([code, message]).toEqual([
    "conflict",
    `adopt pipe ${id} failed: it differs from the program in what cannot be changed in place:\n` +
      `  source.kafka.topics: the pipe has "theirs", the program declares "orders,returns"\n` +
      `  scaling.replicas: the pipe has nothing, the program declares 2\n` +
      advice,
  ]);
  expect(takeWrites(run.simulator)).toEqual([]);
});

test.each<[what: string, declared: JsonObject, edit: object, source: string]>([
  ["another kind", complete.objectStorage, {}, "objectStorage"],
  ["no known kind", complete.kafka, { source: { kafka: null } }, "of no known kind"],
  ["no source", complete.kafka, { source: null }, "of no known kind"],
])("a pipe with a source of %s is not taken over", async (_, args, edit, source) => {
  const run = await online(pipeDefinition);
  const id = seed(run, "orders", args);
  run.simulator.control.editPipe(id, edit);
  const { code, message } = await failureOf(up(run, mine(id, complete.postgres)));
  expect([code, message]).toEqual([
    "conflict",
    `adopt pipe ${id} failed: it differs from the program in what cannot be changed in place:\n` +
      `  source: the source of the pipe is ${source}, the program declares postgres\n` +
      advice,
  ]);
});

test("a pipe that is not there cannot be taken over", async () => {
  const run = await online(pipeDefinition);
  const id = "0a1b2c3d-0000-4000-8000-00000000dead";
  const { code, message } = await failureOf(up(run, mine(id, minimal.kafka)));
  expect([code, message]).toEqual([
    "not-found",
    `adopt pipe ${id} failed: service ${run.simulator.account.serviceIds[0] ?? ""} has no pipe of this id. ` +
      `Check adopt, organizationId and serviceId.`,
  ]);
});

test("without a service there is nothing to take over from, and the message says how to name one", async () => {
  const run = await online(pipeDefinition);
  const { organizationId } = run.simulator.account;
  const work = run.lifecycle.create({ name: "orders", ...minimal.kafka, organizationId });
  expect((await failureOf(work)).message).toBe(
    "serviceId is not known. Give it as an argument, or set it with `pulumi config set datapipes:serviceId <uuid>`.",
  );
});

describe("adopt on a pipe that is in the stack already", () => {
  const other = "0A1B2C3D-0000-4000-8000-00000000AAAA";
  const told = async (adopt: (id: string) => string, again = false): Promise<string[]> => {
    const run = await online(pipeDefinition);
    const args = { name: "orders", ...minimal.kafka };
    const before = await up(run, args);
    const first = await up(run, { ...args, adopt: adopt(before.id) }, before);
    if (!again) return run.lines.map((line) => line.replaceAll(before.id, "<id>"));
    run.lines.length = 0;
    await up(run, { ...args, adopt: adopt(before.id), name: "renamed" }, first);
    return run.lines;
  };

  test("takes over no other one, and the user is told what to do instead", async () => {
    expect(await told(() => other)).toEqual([
      `warning: pipe <id> is in the stack already, so adopt does not take over pipe ${other}. To have that one instead, run ` +
        "`pulumi state delete <URN of the resource>`, which leaves pipe <id> running and unmanaged, then `pulumi up`.",
    ]);
  });

  test("is told once", async () => {
    expect(await told(() => other, true)).toEqual([]);
  });

  test("may name that pipe, in either spelling", async () => {
    expect(await told((id) => id.toUpperCase())).toEqual([]);
  });
});
