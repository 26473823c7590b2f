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
const storm = (value: string): Omit<Fault & { kind: "status" }, "operationId"> => ({
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
        /^list the pipes of service \S+: (status \d+|ECONNRESET); retrying( in \d+ s)? \(1 of 1\)$/,
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
      simulator.control.fault({ operationId: "listPipes", ...rateLimited, times: 9 });
      const { client, scope } = connect(simulator, { maxRetries });
      expect((await failureOf(client.listPipes(scope))).code).toBe("rate-limited");
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
    const { client, scope } = connect(simulator, { maxRetries: 0, clock });
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 45 });
    await failureOf(client.listPipes(scope));
    await connect(simulator, { clock }).client.listPipes(scope);
    expect(slept).toEqual([45_000]);
  });

  test("the refused request waits as long as the others, once", async () => {
    const { client, scope } = connect(simulator, { maxRetries: 1, clock });
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 1 });
    await client.listPipes(scope);
    expect(slept).toEqual([1000]);
  });

  test("repeated for ten minutes, the request fails", async () => {
    const { client, scope, lines } = connect(simulator, { maxRetries: 1000, clock });
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 9999, times: 99 });
    expect((await failureOf(client.listPipes(scope))).code).toBe("rate-limited");
    expect(slept).toEqual([120_000, 120_000, 120_000, 120_000]);
    expect(lines[0]).toContain("status 429; retrying in 120 s (1 of 1000)");
  });

  test("the rate limit counts retries too", async () => {
    simulator.control.fault({ operationId: "listPipes", ...rateLimited, times: 2 });
    const limited = { maxRetries: 2, clock, rateLimit: { requests: 1, seconds: 10 } };
    const { client, scope } = connect(simulator, limited);
    await client.listPipes(scope);
    expect(Math.floor(clock.now() / 10)).toBe(2000);
  });
});

test.each([
  "-5",
  "soon 2099",
  "",
  "1e12",
  "1".repeat(99),
  "Fri, 31 Dec 9999 23:59:59 GMT",
  "0",
  "0.001",
  "5, 7",
])(
  "a storm of 429 with Retry-After: %s ends a read and a create, neither at once nor after more than ten minutes",
  async (value) => {
    simulator.control.fault({ operationId: "createPipe", ...storm(value) });
    const { client, scope } = connect(simulator, { maxRetries: 4, clock: new InstantClock() });
    const creating = await timed(client, () => createPipe(client, scope, PIPE));
    simulator.control.fault({ operationId: "listPipes", ...storm(value) });
    const reading = await timed(client, () => client.listPipes(scope));
    for (const { code, seconds } of [creating, reading]) {
      expect(code).toBe("rate-limited");
      // The shortest backoffs are 0.25 s, 0.5 s, 1 s and 2 s.
      expect(seconds).toBeGreaterThanOrEqual(3.75);
      expect(Math.floor(seconds)).toBeLessThanOrEqual(600);
    }
    expect(counts(simulator)).toEqual({ createPipe: 5, listPipes: 6 });
  },
);

test("requests at once start no faster than the configured limit", async () => {
  const strict = await newSimulator({ rateLimit: "3/1s" });
  const { client, scope } = connect(strict, { rateLimit: { requests: 3, seconds: 1 } });
  await Promise.all([1, 2, 3, 4].map(() => client.listPipes(scope)));
  expect(strict.control.requests().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
