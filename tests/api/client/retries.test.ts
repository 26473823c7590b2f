import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { WireObject } from "../../../provider/src/api/wire";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { newSimulator } from "../../../testkit/simulator";
import { connect, counts, failureOf, PIPE } from "../../../testkit/connected";
import { InstantClock } from "../../../testkit/instant-clock";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await newSimulator();
});
beforeEach(() => {
  simulator.control.reset();
});

const seeded = (): string => simulator.control.seedPipes([{ ...PIPE, settings: {} }])[0]?.id ?? "";
const retrying = (maxRetries: number, clock = new InstantClock()) =>
  connect(simulator, { maxRetries, clock });

const busy = (status: number): FaultKind => ({ kind: "status", status, headers: { "retry-after": "0" } });

/** Failures that leave open whether the request had an effect, or which pass by themselves. */
const passing: [what: string, fault: FaultKind][] = [
  ["a cut connection", { kind: "reset-before" }],
  ["a lost answer", { kind: "reset-after" }],
  ["502", busy(502)],
  ["503", busy(503)],
  ["504", { kind: "html" }],
];

test.each<[what: string, fault: FaultKind]>([["429", { kind: "rate-limit", resetSeconds: 0 }], ...passing])(
  "a read is repeated after %s, and a line says why",
  async (_, fault) => {
    simulator.control.fault({ operationId: "listPipes", ...fault });
    const { client, scope, lines } = retrying(1);
    await expect(client.listPipes(scope)).resolves.toEqual([]);
    expect(counts(simulator)).toEqual({ listPipes: 2 });
    expect(lines).toEqual([
      expect.stringMatching(
        /^list the pipes of service \S+: (status \d+|ECONNRESET); retrying( in \d+ s)?( \(1 of 1\))?$/,
      ),
    ]);
  },
);

test.each([3, 0])(
  "a read is repeated no more often than %d times, and then the error has the last answer",
  async (maxRetries) => {
    simulator.control.fault({ operationId: "listPipes", ...busy(503), times: 9 });
    const { client, scope } = retrying(maxRetries);
    expect((await failureOf(client.listPipes(scope))).code).toBe("server-error");
    expect(counts(simulator)).toEqual({ listPipes: maxRetries + 1 });
  },
);

test.each(passing)(
  "an update that sets values is repeated after %s, one that edits a list is not",
  async (_, fault) => {
    const { client, scope } = retrying(3);
    const id = seeded();
    const updating = (body: WireObject) => {
      simulator.control.fault({ operationId: "updatePipe", ...fault });
      return client.updatePipe(scope, id, body);
    };
    await expect(updating({ name: "renamed" })).resolves.toMatchObject({ name: "renamed" });
    expect(counts(simulator)).toEqual({ updatePipe: 2 });
    await failureOf(updating({ source: { postgres: { tableMappingsToRemove: [] } } }));
    simulator.control.fault({ operationId: "updateService", ...fault });
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

describe("after a 429 with a pause", () => {
  class NotingClock extends InstantClock {
    readonly slept: number[] = [];

    override sleep(milliseconds: number): Promise<void> {
      this.slept.push(milliseconds);
      return super.sleep(milliseconds);
    }
  }
  const refuse = (resetSeconds: number, times = 1): void => {
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds, times });
  };

  test("all clients with the same key wait once, also without retries", async () => {
    const clock = new NotingClock();
    const { client, scope } = connect(simulator, { maxRetries: 0, rateLimitTimeoutSeconds: 600, clock });
    refuse(45);
    await client.listPipes(scope);
    await connect(simulator, { clock }).client.listPipes(scope);
    expect(clock.slept).toEqual([45_000]);
  });

  test("repeated for ten minutes, the request fails, and the error has what the service did", async () => {
    const clock = new NotingClock();
    const { client, scope, lines } = retrying(1, clock);
    await client.listPipes(scope);
    refuse(250, 99);
    const { code, message } = await failureOf(client.listPipes(scope));
    expect([code, clock.slept]).toEqual(["rate-limited", [250_000, 250_000]]);
    expect(lines[0]).toContain("status 429; retrying in 250 s");
    expect(message).toMatch(/\(3 requests refused in 500 s, 1 served; it may serve the next one in 250 s\)/);
  });

  test("that is longer than ten minutes, the request fails at once, and the error says when to come back", async () => {
    const clock = new NotingClock();
    const { client, scope } = retrying(1, clock);
    refuse(9999);
    const { message } = await failureOf(client.listPipes(scope));
    expect(message).toContain("(it may serve the next one in 9999 s)");
    expect(clock.slept).toEqual([]);
    await client.listPipes(scope);
  });
});

test.each([
  ["-5", 500],
  ["soon 2099", 500],
  ["", 500],
  ["0.001", 500],
  ["5, 7", 500],
  ["1".repeat(99), 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 0],
])(
  "answers of 429 with Retry-After: %s end a request after %i s at least, and after few requests",
  async (value, least) => {
    const headers = { "retry-after": value };
    simulator.control.fault({ operationId: "createPipe", kind: "status", status: 429, headers, times: 99 });
    const clock = new InstantClock();
    const { client, scope } = retrying(4, clock);
    expect((await failureOf(createPipe(client, scope, PIPE))).code).toBe("rate-limited");
    expect(clock.now()).toBeGreaterThanOrEqual(least * 1000);
    expect(clock.now()).toBeLessThanOrEqual(600_000);
    // The backoff grows up to half a minute.
    expect(counts(simulator)["createPipe"]).toBeLessThanOrEqual(least === 0 ? 2 : 50);
  },
);
