import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { Client } from "../../../provider/src/api/client";
import type { WireObject } from "../../../provider/src/api/wire";
import type { Fault, Simulator } from "../../../simulator/src/index";
import { newSimulator } from "../../../testkit/simulator";
import { connect, counts, failureOf, PIPE } from "../../../testkit/connected";
import { InstantClock } from "../../../testkit/instant-clock";

type Kind =
  | Omit<Fault & { kind: "status" }, "operationId">
  | { kind: "reset-before" | "reset-after" | "html" }
  | { kind: "rate-limit"; resetSeconds: number };

let simulator: Simulator;
beforeAll(async () => {
  simulator = await newSimulator();
});
beforeEach(() => {
  simulator.control.reset();
});
function seeded(): string {
  const [pipe] = simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
  return pipe?.id ?? "";
}

const rateLimited: Kind = { kind: "rate-limit", resetSeconds: 0 };
const busy = (status: number): Kind => ({ kind: "status", status, headers: { "retry-after": "0" } });

/** Each answer is a 429 with this header. */
const refusals = (value: string): Omit<Fault & { kind: "status" }, "operationId"> => ({
  kind: "status",
  status: 429,
  headers: { "retry-after": value },
  times: 99,
});

/** How a request fails, and after how many seconds of its clock. */
async function timed(
  { requestContext: { clock } }: Client,
  send: () => Promise<unknown>,
): Promise<{ code: string; seconds: number }> {
  const start = clock.now();
  const { code } = await failureOf(send());
  return { code, seconds: (clock.now() - start) / 1000 };
}

/** Failures that leave open whether the request had an effect, or which pass by themselves. */
const passing: [string, Kind][] = [
  ["a cut connection", { kind: "reset-before" }],
  ["a lost answer", { kind: "reset-after" }],
  ["502", busy(502)],
  ["503", busy(503)],
  ["504", { kind: "html" }],
];

describe("a read is repeated", () => {
  test.each([["429", rateLimited] as const, ...passing])("after %s, and a line says why", async (_, kind) => {
    simulator.control.fault({ operationId: "listPipes", ...kind });
    const { client, scope, lines } = connect(simulator, { maxRetries: 1, clock: new InstantClock() });
    await expect(client.listPipes(scope)).resolves.toEqual([]);
    expect(counts(simulator)).toEqual({ listPipes: 2 });
    expect(lines).toEqual([
      expect.stringMatching(
        /^list the pipes of service \S+: (status \d+|ECONNRESET); retrying( in \d+ s)?( \(1 of 1\))?$/,
      ),
    ]);
  });

  test("after no response in time, which the line says in words", async () => {
    simulator.control.fault({ operationId: "listPipes", kind: "hang" });
    const { client, scope, lines } = connect(simulator, { maxRetries: 1, requestTimeoutSeconds: 1 });
    await expect(client.listPipes(scope)).resolves.toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/: no response in time; retrying \(1 of 1\)$/)]);
  });

  test.each([3, 0])(
    "no more often than %d times, and then the error has the last answer",
    async (maxRetries) => {
      simulator.control.fault({ operationId: "listPipes", ...busy(503), times: 9 });
      const { client, scope } = connect(simulator, { maxRetries, clock: new InstantClock() });
      expect((await failureOf(client.listPipes(scope))).code).toBe("server-error");
      expect(counts(simulator)).toEqual({ listPipes: maxRetries + 1 });
    },
  );
});

test.each(passing)(
  "an update that sets values is repeated after %s, one that edits a list is not",
  async (_, kind) => {
    const { client, scope } = connect(simulator, { maxRetries: 3, clock: new InstantClock() });
    const id = seeded();
    const updating = (body: WireObject) => {
      simulator.control.fault({ operationId: "updatePipe", ...kind });
      return client.updatePipe(scope, id, body);
    };
    await expect(updating({ name: "renamed" })).resolves.toMatchObject({ name: "renamed" });
    expect(counts(simulator)).toEqual({ updatePipe: 2 });
    await failureOf(updating({ source: { postgres: { tableMappingsToRemove: [] } } }));
    simulator.control.fault({ operationId: "updateService", ...kind });
    await failureOf(client.updateService(scope, { ipAccessList: { add: [{ source: "10.0.0.1" }] } }));
    expect(counts(simulator)).toEqual({ updatePipe: 3, updateService: 1 });
  },
);

test("nothing is repeated after 500, or after an answer that refuses it", async () => {
  const { client, scope } = connect(simulator, { maxRetries: 3 });
  const id = seeded();
  const statuses = [400, 401, 403, 404, 409, 422, 424, 500];
  for (const status of statuses) {
    simulator.control.fault({ operationId: "*", ...busy(status), times: 2 });
    await failureOf(client.listPipes(scope));
    await failureOf(client.updatePipe(scope, id, { name: "renamed" }));
  }
  expect(counts(simulator)).toEqual({ listPipes: statuses.length, updatePipe: statuses.length });
});

test("a delete is repeated when its answer is lost, because delete is idempotent", async () => {
  const { client, scope } = connect(simulator, { maxRetries: 3, clock: new InstantClock() });
  simulator.control.fault({ operationId: "deletePipe", kind: "reset-before" });
  await client.deletePipe(scope, seeded());
  expect(counts(simulator)).toEqual({ deletePipe: 2 });
});

test("a create is sent again after 429", async () => {
  simulator.control.fault({ operationId: "createPipe", ...rateLimited });
  const { client, scope } = connect(simulator, { maxRetries: 1 });
  await createPipe(client, scope, PIPE);
  expect(counts(simulator)).toMatchObject({ createPipe: 2 });
  expect(simulator.control.state().pipes).toHaveLength(1);
});

describe("after a 429 with a pause", () => {
  const slept: number[] = [];
  class NotingClock extends InstantClock {
    override sleep(milliseconds: number): Promise<void> {
      slept.push(milliseconds);
      return super.sleep(milliseconds);
    }
  }
  let clock: NotingClock;
  beforeEach(() => {
    slept.length = 0;
    clock = new NotingClock();
  });

  test("all clients with the same key wait, also without retries", async () => {
    const { client, scope } = connect(simulator, { maxRetries: 0, rateLimitTimeoutSeconds: 600, clock });
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 45 });
    await client.listPipes(scope);
    await connect(simulator, { clock }).client.listPipes(scope);
    expect(slept).toEqual([45_000]);
  });

  test("the refused request waits as long as the others, once", async () => {
    const { client, scope } = connect(simulator, { maxRetries: 1, clock });
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 1 });
    await client.listPipes(scope);
    expect(slept).toEqual([1000]);
  });

  test("repeated for ten minutes, the request fails, and the error has what the service did", async () => {
    const { client, scope, lines } = connect(simulator, { maxRetries: 1, clock });
    await client.listPipes(scope);
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 250, times: 99 });
    const { code, message } = await failureOf(client.listPipes(scope));
    expect(code).toBe("rate-limited");
    expect(slept).toEqual([250_000, 250_000]);
    expect(lines[0]).toContain("status 429; retrying in 250 s");
    expect(message).toMatch(/\(3 requests refused in 500 s, 1 served; it may serve the next one in 250 s\)/);
  });

  test("that is longer than ten minutes, the request fails at once, and the error says when to come back", async () => {
    const { client, scope } = connect(simulator, { maxRetries: 1, clock });
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 9999 });
    const { message } = await failureOf(client.listPipes(scope));
    expect(message).toContain("(it may serve the next one in 9999 s)");
    expect(slept).toEqual([]);
    await client.listPipes(scope);
  });

  test("the rate limit counts retries too", async () => {
    simulator.control.fault({ operationId: "listPipes", ...rateLimited, times: 2 });
    const limited = { maxRetries: 2, clock, rateLimit: { requests: 1, seconds: 10 } };
    const { client, scope } = connect(simulator, limited);
    await client.listPipes(scope);
    expect(clock.now()).toBeGreaterThanOrEqual(20_000);
  });
});

test.each([
  ["-5", 500],
  ["soon 2099", 500],
  ["", 500],
  ["1e12", 500],
  ["0", 500],
  ["0.001", 500],
  ["5, 7", 500],
  ["1".repeat(99), 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 0],
])(
  "answers of 429 with Retry-After: %s end a read and a create after %i s at least, and after few requests",
  async (value, least) => {
    const clients = () => connect(simulator, { maxRetries: 4, clock: new InstantClock() });
    const { client, scope } = clients();
    simulator.control.fault({ operationId: "createPipe", ...refusals(value) });
    const creating = await timed(client, () => createPipe(client, scope, PIPE));
    simulator.control.fault({ operationId: "listPipes", ...refusals(value) });
    const reader = clients().client;
    const reading = await timed(reader, () => reader.listPipes(scope));
    for (const { code, seconds } of [creating, reading]) {
      expect(code).toBe("rate-limited");
      expect(seconds).toBeGreaterThanOrEqual(least);
      expect(seconds).toBeLessThanOrEqual(600);
    }
    // The backoff grows up to half a minute.
    const { createPipe: posts = 0, listPipes: lists = 0 } = counts(simulator);
    expect(Math.max(posts, lists)).toBeLessThanOrEqual(least === 0 ? 2 : 50);
  },
);
