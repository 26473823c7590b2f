import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { Clock } from "../../../provider/src/api/rate-limiter";
import type { Fault, Simulator } from "../../../simulator/src/index";
import { newSimulator } from "../../../testkit/simulator";
import { connect, counts, failureOf, PIPE } from "../../../testkit/connected";

type Kind =
  | Omit<Fault & { kind: "status" }, "operationId">
  | { kind: "reset-before" | "reset-after" | "html" }
  | { kind: "rate-limit"; resetSeconds: number };

let simulator: Simulator;
beforeEach(async () => {
  simulator = await newSimulator();
});
function seeded(): string {
  const [pipe] = simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
  return pipe?.id ?? "";
}

const NOW = { "retry-after": "0" };
const rateLimited: Kind = { kind: "rate-limit", resetSeconds: 0 };
const busy = (status: number): Kind => ({ kind: "status", status, headers: NOW });

describe("a read is repeated", () => {
  test.each<[string, Kind]>([
    ["429", rateLimited],
    ["502", busy(502)],
    ["503", busy(503)],
    ["504", { kind: "html" }],
    ["a cut connection", { kind: "reset-before" }],
  ])("after %s", async (_what, kind) => {
    simulator.control.fault({ operationId: "listPipes", ...kind });
    const { client, scope, lines } = connect(simulator, { maxRetries: 1 });
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

  test("no more often than configured, and then the error has the last answer", async () => {
    simulator.control.fault({ operationId: "listPipes", ...rateLimited, times: 9 });
    const { client, scope } = connect(simulator, { maxRetries: 3 });
    expect((await failureOf(client.listPipes(scope))).code).toBe("rate-limited");
    expect(counts(simulator)).toEqual({ listPipes: 4 });
  });

  test("not at all when no retries are wanted", async () => {
    simulator.control.fault({ operationId: "listPipes", ...rateLimited });
    const { client, scope } = connect(simulator, { maxRetries: 0 });
    expect((await failureOf(client.listPipes(scope))).code).toBe("rate-limited");
    expect(counts(simulator)).toEqual({ listPipes: 1 });
  });

  test.each([400, 401, 403, 404, 409, 424, 500])("never after %d", async (status) => {
    simulator.control.fault({ operationId: "listPipes", ...busy(status) });
    const { client, scope } = connect(simulator, { maxRetries: 3 });
    await failureOf(client.listPipes(scope));
    expect(counts(simulator)).toEqual({ listPipes: 1 });
  });
});

describe("a change", () => {
  test("is repeated after 429", async () => {
    const id = seeded();
    simulator.control.fault({ operationId: "updatePipe", ...rateLimited, times: 2 });
    const { client, scope } = connect(simulator, { maxRetries: 2 });
    await expect(client.updatePipe(scope, id, { name: "renamed" })).resolves.toMatchObject({
      name: "renamed",
    });
    expect(counts(simulator)).toEqual({ updatePipe: 3 });
    const bodies = simulator.control.requests().map(({ body }) => body);
    expect(bodies).toEqual([{ name: "renamed" }, { name: "renamed" }, { name: "renamed" }]);
  });

  const passing: [string, Kind][] = [
    ["a cut connection", { kind: "reset-before" }],
    ["a lost answer", { kind: "reset-after" }],
    ["502", busy(502)],
    ["503", busy(503)],
    ["504", { kind: "html" }],
  ];

  test.each(passing)("that sets values is repeated after %s", async (_what, kind) => {
    const id = seeded();
    simulator.control.fault({ operationId: "updatePipe", ...kind });
    const { client, scope } = connect(simulator, { maxRetries: 3 });
    await expect(client.updatePipe(scope, id, { name: "renamed" })).resolves.toMatchObject({
      name: "renamed",
    });
    expect(counts(simulator)).toEqual({ updatePipe: 2 });
  });

  test.each(passing)("that edits a list is not repeated after %s", async (_what, kind) => {
    const { client, scope } = connect(simulator, { maxRetries: 3 });
    simulator.control.fault({ operationId: "updateService", ...kind });
    await failureOf(client.updateService(scope, { ipAccessList: { add: [{ source: "10.0.0.1" }] } }));
    simulator.control.fault({ operationId: "updatePipe", ...kind });
    const mappings = { tableMappingsToRemove: [] };
    await failureOf(client.updatePipe(scope, seeded(), { source: { postgres: mappings } }));
    expect(counts(simulator)).toEqual({ updateService: 1, updatePipe: 1 });
  });

  test("is not repeated after 500, or after an answer that refuses it", async () => {
    const { client, scope } = connect(simulator, { maxRetries: 3 });
    for (const status of [400, 401, 403, 404, 409, 422, 424, 500]) {
      simulator.control.fault({ operationId: "updatePipe", ...busy(status) });
      await failureOf(client.updatePipe(scope, seeded(), { name: "renamed" }));
    }
    expect(counts(simulator)).toEqual({ updatePipe: 8 });
  });
});

describe("a delete", () => {
  test("is repeated when its answer is lost, because delete is idempotent", async () => {
    const id = seeded();
    simulator.control.fault({ operationId: "deletePipe", kind: "reset-before" });
    const { client, scope } = connect(simulator, { maxRetries: 3 });
    await client.deletePipe(scope, id);
    expect(counts(simulator)).toEqual({ deletePipe: 2 });
  });
});

test("a create is sent again after 429", async () => {
  simulator.control.fault({ operationId: "createPipe", ...rateLimited });
  const { client, scope } = connect(simulator, { maxRetries: 1 });
  await createPipe(client, scope, PIPE);
  expect(counts(simulator)).toMatchObject({ createPipe: 2 });
  expect(simulator.control.state().pipes).toHaveLength(1);
});

test("a request that never arrived is repeated, also when it is a change", async () => {
  const { client, scope, lines } = connect(simulator, { maxRetries: 1 });
  await simulator.close();
  await failureOf(client.updatePipe(scope, "x", {}));
  expect(lines).toEqual([expect.stringContaining("ECONNREFUSED; retrying (1 of 1)")]);
});

describe("after a 429 with a pause", () => {
  const slept: number[] = [];
  let time = 0;
  const clock: Clock = {
    now: () => time,
    sleep: (milliseconds) => {
      slept.push(milliseconds);
      time += milliseconds;
      return Promise.resolve();
    },
  };
  beforeEach(() => {
    slept.length = 0;
    time = 0;
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
    expect(slept.filter((milliseconds) => milliseconds > 0)).toEqual([10_001, 10_001]);
  });
});

test("requests of all operations start no faster than the configured limit", async () => {
  const strict = await newSimulator({ rateLimit: "3/1s" });
  const { client, scope } = connect(strict, { rateLimit: { requests: 3, seconds: 1 } });
  await Promise.all([1, 2, 3, 4].map(() => client.listPipes(scope)));
  expect(strict.control.requests().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
