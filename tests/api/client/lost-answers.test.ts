import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import { InstantClock } from "../../../testkit/instant-clock";
import { connect, failureOf, type Connected } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
import type { FaultKind, Simulator } from "../../../simulator/src/index";

const body = (topics = "orders") => ({
  name: "orders",
  source: { kafka: { brokers: "b:9092", topics } },
  destination: { database: "default", table: "orders" },
});

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});
beforeEach(() => {
  simulator.control.reset();
});

/** A client whose pauses take no time. */
const newClient = (requestTimeoutSeconds = 10): Connected =>
  connect(simulator, { requestTimeoutSeconds, maxRetries: 2, clock: new InstantClock() });

const create = (pipe = body(), { client, scope } = newClient()) => createPipe(client, scope, pipe);

const sent = (method: string): number =>
  simulator.control.requests().filter((request) => request.method === method).length;
const ids = (): string[] => simulator.control.state().pipes.map((pipe) => pipe.id);

const operationId = "createPipe";
const status = (code: number, processed = true): FaultKind => ({ kind: "status", status: code, processed });

test.each<[what: string, fault: FaultKind]>([
  ["broken JSON", { kind: "bad-json" }],
  ["a page that says 200", { kind: "html", status: 200 }],
  ["a redirect", { kind: "redirect", location: "https://elsewhere.example/" }],
])(
  "createPipe does not repeat a POST answered with %s, and says that the list has no pipe",
  async (_, fault) => {
    simulator.control.fault({ operationId, ...fault });
    expect((await failureOf(create())).message).toMatch(
      /sent the request once, and the list of the service has no new pipe.* check in the service's console/,
    );
    expect([sent("POST"), ids()]).toEqual([1, []]);
  },
);

test.each<[times: number, what: string, fault: FaultKind]>([
  [1, "cut after it was processed", { kind: "reset-after" }],
  [1, "answered with a 504 page after it was processed", { kind: "html", processed: true }],
  [1, "answered with broken JSON after it was processed", { kind: "bad-json", processed: true }],
  [1, "answered with 500 after it was processed", status(500)],
  [1, "answered with 503 after it was processed", status(503)],
  [
    1,
    "answered with an envelope of failure although it was processed",
    { kind: "wrong-envelope", processed: true },
  ],
  [
    1,
    "answered with a page of 429 although it was processed",
    { kind: "html", status: 429, processed: true },
  ],
  [1, "answered with 408 after it was processed", status(408)],
  [1, "redirected after it was processed", status(302)],
  [1, "answered with a page of 200 after it was processed", { kind: "html", status: 200, processed: true }],
  [2, "cut before it was processed", { kind: "reset-before" }],
  [2, "answered with a 504 page instead of being processed", { kind: "html" }],
  [2, "answered with 500 instead of being processed", status(500, false)],
  [2, "not answered in time and not processed", { kind: "hang" }],
  [2, "answered with 408 instead of being processed", status(408, false)],
])(
  "createPipe sends %i POSTs in all when the first is %s, and does not take an older pipe",
  async (...row) => {
    const [times, , fault] = row;
    const [old] = simulator.control.seedPipes([body()]);
    simulator.control.fault({ operationId, ...fault });
    const { id } = await create(body(), newClient(fault.kind === "hang" ? 1 : 10));
    expect([sent("POST"), ids()]).toEqual([times, [old?.id, id]]);
  },
);

test("creates of one name at once do not take each other's pipe", async () => {
  simulator.control.fault({ operationId, kind: "reset-after" });
  const client = newClient();
  const created = await Promise.all(["a", "b", "c"].map((topics) => create(body(topics), client)));
  expect(new Set(created.map((pipe) => pipe.id)).size).toBe(3);
  expect(ids().sort()).toEqual(created.map((pipe) => pipe.id).sort());
});

test("fifty creates read the list once", async () => {
  const client = newClient();
  await Promise.all(Array.from({ length: 50 }, (_, n) => create({ ...body(), name: `pipe-${n}` }, client)));
  expect([sent("POST"), sent("GET")]).toEqual([50, 1]);
});

describe("createPipe, when a POST is refused,", () => {
  test.each([400, 401, 403, 404, 409, 424])(
    "though it was done, fails with %d and names the pipe",
    async (code) => {
      const client = newClient();
      await create({ ...body(), name: "first" }, client);
      simulator.control.fault({ operationId, ...status(code) });
      const { message } = await failureOf(create(body(), client));
      const [first, copy = ""] = ids();
      expect(message).toMatch(
        new RegExp(`returned ${code}.* a pipe "orders" has appeared: ${copy}\\. .* set adopt to its id\\.`),
      );
      expect([sent("POST"), ids()]).toEqual([2, [first, copy]]);
    },
  );

  test("reports the refusal when the list cannot be read", async () => {
    simulator.control.fault({ operationId, ...status(409, false) });
    simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, after: 1 });
    expect((await failureOf(create())).message).toMatch(
      /returned 409\b.* Wait until other changes of the service have ended\.$/,
    );
  });

  test("takes the pipe of its own first request, whose answer was lost", async () => {
    simulator.control.fault({ operationId, kind: "reset-before" });
    simulator.control.fault({ operationId, ...status(409) });
    const { id } = await create();
    expect(ids()).toEqual([id]);
  });

  test("reports a conflict with another client's pipe, and adopts nothing", async () => {
    simulator.control.seedPipes([body()]);
    simulator.control.fault({ operationId, ...status(409, false) });
    expect((await failureOf(create())).code).toBe("conflict");
    expect([sent("POST"), sent("GET"), ids().length]).toEqual([1, 2, 1]);
  });
});
