import { setTimeout as sleep } from "node:timers/promises";
import { createPipe } from "../../../provider/src/resources/pipe/create-pipe";
import type { Profile } from "../../../simulator/src/index";
import { answer, connect, counts, failureOf, PIPE } from "../../../testkit/connected";
import { InstantClock } from "../../../testkit/instant-clock";
import { ManualClock } from "../../../testkit/manual-clock";
import { creationBody } from "../../../testkit/pipes";
import { newSimulator, type SimulatorOptions } from "../../../testkit/simulator";

/** A clock that lets another client act when the provider first waits. */
class SharedClock extends InstantClock {
  otherClient: () => void = () => undefined;

  override async sleep(milliseconds: number): Promise<void> {
    await super.sleep(milliseconds);
    const act = this.otherClient;
    this.otherClient = () => undefined;
    act();
  }
}

const START = Date.parse("2026-01-31T12:00:00.250Z");
const objectStorage = { url: "https://account.example", path: "/in//2026/*.json", isContinuous: true };
const ORDERS = { ...PIPE, source: { objectStorage }, destination: { table: "Orders" } };

/** A client of a service; the same clock moves both. */
async function serviceOf(options: SimulatorOptions, maxRetries = 0) {
  const clock = new SharedClock();
  const simulator = await newSimulator({ now: () => START + clock.now(), ...options });
  const { client, scope } = connect(simulator, { clock, maxRetries });
  const create = (pipe: object = ORDERS) => createPipe(client, scope, { ...ORDERS, ...pipe });
  return { clock, simulator, control: simulator.control, create };
}

/** A service whose list of before is a minute old when the POST comes. */
async function longAfterTheList(options: SimulatorOptions) {
  const service = await serviceOf(options);
  const { id } = await service.create({ name: "first" });
  service.control.deletePipe(id);
  service.control.clearRequests();
  await service.clock.sleep(60_000);
  return service;
}

/** How long before or after the POST, in ms, another client creates the same pipe. */
type Theirs = number | undefined;
/** Whose pipe the provider takes, or a part of the error, in which the pipes are `ours` and `theirs`. */
type Scenario = [what: string, theirs: Theirs, isProcessed: boolean, outcome: string];

type Service = Awaited<ReturnType<typeof serviceOf>>;

async function follow(service: Service, ...[, theirs, isProcessed, outcome]: Scenario) {
  const { clock, control, simulator } = service;
  const foreign = new Set<string>();
  const actOther = (): void => {
    for (const { id } of control.seedPipes([creationBody(ORDERS.name, ORDERS)])) foreign.add(id);
  };
  if (theirs !== undefined && theirs <= 0) {
    actOther();
    await clock.sleep(-theirs);
  } else if (theirs !== undefined)
    clock.otherClient = () => {
      void clock.sleep(theirs);
      actOther();
    };
  control.fault({ operationId: "createPipe", kind: isProcessed ? "reset-after" : "reset-before" });
  const work = service.create().then(({ id }) => `takes ${id}`);
  const isTaken = outcome.startsWith("takes ");
  const { code, message } = isTaken ? { code: undefined, message: await work } : await failureOf(work);
  const pipes = control.state().pipes.map(({ id }) => id);
  const named = pipes.reduce((text, id) => text.replaceAll(id, foreign.has(id) ? "theirs" : "ours"), message);
  expect(named).toContain(outcome);
  expect([code, counts(simulator)["createPipe"]]).toEqual([isTaken ? undefined : "conflict", 1]);
  expect(pipes).toHaveLength(foreign.size + (isProcessed ? 1 : 0));
}

const NOT_ADOPTED = "The provider did not adopt it.";
const BEFORE = `theirs (created before the request). ${NOT_ADOPTED}`;
const PERHAPS = `theirs (perhaps created before the request). ${NOT_ADOPTED}`;
const BOTH = "have appeared: ours, theirs. The provider adopted none of them.";

describe.each([
  ["as late as ours", 0],
  ["8 minutes ahead", 480],
  ["8 minutes behind", -480],
])("with a server's clock %s, after a POST without an answer", (_, clockSkewSeconds) => {
  test.each<[...Scenario, ...profiles: Profile[]]>([
    ["finds its own pipe, also when the earlier list is old", undefined, true, "takes ours"],
    ["names, and does not adopt, a pipe that another client created 4 s before", -4_000, false, BEFORE],
    ["names, and does not adopt, a pipe that another client created 1 s before", -1_000, false, PERHAPS],
    ["takes its own pipe beside one that another client created 4 s before", -4_000, true, "takes ours"],
    ["takes neither, and names both, when another client created the same right after", 1, true, BOTH],
    ["takes neither when another client created one 1 s before", -1_000, true, "appeared: ours, theirs."],
    ["takes one that another client created a second after a failed POST", 1_000, false, "takes theirs"],
    ["finds its own pipe, written in lower case", undefined, true, "takes ours", "lower-case"],
    ["finds its own pipe, whose secrets the service masks", undefined, true, "takes ours", "masked"],
  ])("%s", async (...[what, theirs, isProcessed, outcome, ...profiles]) => {
    const service = await longAfterTheList({ clockSkewSeconds, profiles });
    await follow(service, what, theirs, isProcessed, outcome);
  });
});

describe("where a service writes no creation times, after a POST without an answer", () => {
  test("takes its own pipe when the list was read just before", async () => {
    await follow(await serviceOf({ timeFormat: "absent" }), "", undefined, true, "takes ours");
  });

  test("names its own pipe, and takes none, when the earlier list is old", async () => {
    const outcome = `ours (perhaps created before the request). ${NOT_ADOPTED}`;
    await follow(await longAfterTheList({ timeFormat: "absent" }), "", undefined, true, outcome);
  });

  test("counts a pipe once that the list repeats, in another case", async () => {
    const { clock, control, create } = await serviceOf({ timeFormat: "absent" });
    control.fault({ operationId: "createPipe", kind: "reset-after" });
    clock.otherClient = () => {
      const [pipe] = control.state().pipes;
      const list = [pipe, { ...pipe, id: pipe?.id.toUpperCase() }];
      control.fault({ operationId: "listPipes", ...answer(list), times: 9 });
    };
    const { id } = await create();
    expect(control.state().pipes.map((pipe) => pipe.id)).toEqual([id.toLowerCase()]);
  });
});

test("creates with answers send one list for all and one POST each, at once and however old the list is", async () => {
  const { clock, simulator, create } = await serviceOf({});
  await Promise.all([create({ name: "first" }), create({ name: "second" })]);
  await clock.sleep(60_000);
  await create({ name: "third" });
  expect(counts(simulator)).toEqual({ listPipes: 1, createPipe: 3 });
});

const refused = { operationId: "createPipe", kind: "status", status: 409, processed: true } as const;

test("names the pipe of a POST that was refused though it was done", async () => {
  const { simulator, control, create } = await serviceOf({});
  control.fault(refused);
  const { message } = await failureOf(create());
  const [copy] = control.state().pipes;
  expect(message).toMatch(
    new RegExp(`returned 409.* a pipe "orders" has appeared: ${copy?.id ?? ""}\\. .* set adopt to its id\\.`),
  );
  expect(counts(simulator)["createPipe"]).toBe(1);
});

test("takes the pipe of its own first request, whose answer was lost, when the second is refused", async () => {
  const { simulator, control, create } = await serviceOf({}, 2);
  control.fault({ operationId: "createPipe", kind: "reset-before" });
  control.fault(refused);
  const { id } = await create();
  expect([counts(simulator)["createPipe"], control.state().pipes]).toMatchObject([2, [{ id }]]);
});

test("looks for no pipe after a POST that the rate limit refused", async () => {
  const { simulator, control, create } = await serviceOf({});
  control.fault({ operationId: "createPipe", kind: "rate-limit", resetSeconds: 9_999 });
  const { code } = await failureOf(create());
  expect([code, counts(simulator)]).toEqual(["rate-limited", { listPipes: 1, createPipe: 1 }]);
});

test("30 creates whose answers are lost at the same time ask for at most 8 lists, also when lists are behind, and create each pipe once", async () => {
  const clock = new ManualClock();
  const behind = await newSimulator({ readLagSeconds: 2, now: () => START + clock.now() });
  behind.control.fault({ operationId: "createPipe", kind: "reset-after", times: 30 });
  const { client, scope, lines } = connect(behind, { clock, maxRetries: 2 });
  const names = Array.from({ length: 30 }, (_, index) => `orders-${index}`);
  const created = Promise.all(names.map((name) => createPipe(client, scope, { ...PIPE, name })));
  // No time passes before all answers are lost.
  while (lines.length < 30) await sleep(5);
  expect((await clock.runDuring(created)).map(({ name }) => name)).toEqual(names);
  expect(behind.control.state().pipes).toHaveLength(30);
  const { createPipe: sent, listPipes: lists } = counts(behind);
  expect(sent).toBe(30);
  expect(lists).toBeLessThanOrEqual(8);
});
