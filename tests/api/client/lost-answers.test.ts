import { createPipe } from "../../../provider/src/resources/pipe/create-pipe";
import { InstantClock } from "../../../testkit/instant-clock";
import { connect, counts, failureOf, PIPE } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
import type { FaultKind, Simulator } from "../../../simulator/src/index";

let simulator: Simulator;
let ids: () => string[];

beforeAll(async () => {
  simulator = await newSimulator();
  ids = () => simulator.control.state().pipes.map(({ id }) => id);
});
beforeEach(() => {
  simulator.control.reset();
});

/** Creates a pipe; pauses take no time. The faults are those of its POSTs, one after the other. */
function create(...faults: FaultKind[]) {
  for (const fault of faults) simulator.control.fault({ operationId: "createPipe", ...fault });
  const { client, scope } = connect(simulator, { maxRetries: 2, clock: new InstantClock() });
  return createPipe(client, scope, PIPE);
}

const posts = (): number | undefined => counts(simulator)["createPipe"];

const refused = (code: number, more: object = {}): FaultKind => ({ kind: "status", status: code, ...more });

/** Answers to a POST that leave open whether it was processed, and how many POSTs the provider sends when it was not. */
test.each<[posts: number, what: string, unprocessed: FaultKind, processed?: FaultKind]>([
  [2, "a 504 page", { kind: "html" }],
  [2, "a page of 429", { kind: "html", status: 429 }],
  [1, "a page of 200", { kind: "html", status: 200 }],
  [1, "broken JSON", { kind: "bad-json" }],
  [2, "an envelope of failure", { kind: "wrong-envelope" }],
  [2, "500", refused(500)],
  [2, "503", refused(503)],
  [2, "408", refused(408)],
  [1, "a redirect", refused(302)],
  [2, "a cut connection", { kind: "reset-before" }, { kind: "reset-after" }],
])(
  "createPipe sends %i POSTs in all when %s comes in place of a new pipe; one when it follows it, and takes no older pipe",
  async (times, _, unprocessed, processed = { ...unprocessed, processed: true } as FaultKind) => {
    const work = create(unprocessed);
    if (times === 2) expect([(await work).id]).toEqual(ids());
    else
      expect((await failureOf(work)).message).toMatch(
        /sent the request once, and the list of the service has no new pipe.* check in the service's console/,
      );
    expect(posts()).toBe(times);

    simulator.control.reset();
    const [old] = simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
    const { id } = await create(processed);
    expect([posts(), ids()]).toEqual([1, [old?.id, id]]);
  },
);

test("createPipe names the pipe of a POST that was refused though it was done", async () => {
  const { message } = await failureOf(create(refused(409, { processed: true })));
  const [copy = ""] = ids();
  expect(message).toMatch(
    new RegExp(`returned 409.* a pipe "orders" has appeared: ${copy}\\. .* set adopt to its id\\.`),
  );
  expect(posts()).toBe(1);
});

test("createPipe takes the pipe of its own first request, whose answer was lost, when the second is refused", async () => {
  const { id } = await create({ kind: "reset-before" }, refused(409, { processed: true }));
  expect([posts(), ids()]).toEqual([2, [id]]);
});

test("createPipe looks for no pipe after a POST that the rate limit refused", async () => {
  const { code } = await failureOf(create({ kind: "rate-limit", resetSeconds: 9_999 }));
  expect([code, counts(simulator)]).toEqual(["rate-limited", { listPipes: 1, createPipe: 1 }]);
});

test("30 creates whose answers are lost at the same time ask for at most 8 lists, also when lists are behind, and create each pipe once", async () => {
  const behind = await newSimulator({ readLagSeconds: 2 });
  behind.control.fault({ operationId: "createPipe", kind: "reset-after", times: 30 });
  const { client, scope } = connect(behind, { maxRetries: 2 });
  const names = Array.from({ length: 30 }, (_, index) => `orders-${index}`);
  const created = await Promise.all(names.map((name) => createPipe(client, scope, { ...PIPE, name })));
  expect(created.map(({ name }) => name)).toEqual(names);
  expect(behind.control.state().pipes).toHaveLength(30);
  const { createPipe: sent, listPipes: lists } = counts(behind);
  expect([sent, Math.max(8, lists ?? 0)]).toEqual([30, 8]);
});
