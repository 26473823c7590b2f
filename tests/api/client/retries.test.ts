import type { Clock } from "../../../provider/src/api/limiter";
import type { Fault, Simulator } from "../../../simulator/src/index";
import { newSimulator, stopSimulators } from "../../support/simulator";
import { connect, counts, failureOf, PIPE } from "./connected";

type Kind =
  | Omit<Fault & { kind: "status" }, "operationId">
  | { kind: "reset-before" | "reset-after" | "html" }
  | { kind: "rate-limit"; resetSeconds: number };

let simulator: Simulator;
beforeEach(async () => {
  simulator = await newSimulator();
});
afterEach(stopSimulators);

function seeded(): string {
  const [pipe] = simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
  return pipe?.id ?? "";
}

const NOW = { "retry-after": "0" };
const turnedAway: Kind = { kind: "rate-limit", resetSeconds: 0 };
const busy = (status: number): Kind => ({ kind: "status", status, headers: NOW });

describe("a read is repeated", () => {
  test.each<[string, Kind]>([
    ["429", turnedAway],
    ["502", busy(502)],
    ["503", busy(503)],
    ["504", { kind: "html" }],
    ["a cut connection", { kind: "reset-before" }],
  ])("after %s", async (_what, kind) => {
    simulator.control.fault({ operationId: "listPipes", ...kind });
    const { client, scope, lines } = connect(simulator, { maxRetries: 1 });
    await expect(client.listPipes(scope)).resolves.toEqual([]);
    expect(counts(simulator)).toEqual({ listPipes: 2 });
    expect(lines).toEqual([expect.stringMatching(/^GET \/v1\/\S+: .+; trying again \(1 of 1\)$/)]);
  });

  test("no more often than configured, and then the last answer is told", async () => {
    simulator.control.fault({ operationId: "listPipes", ...turnedAway, times: 9 });
    const { client, scope } = connect(simulator, { maxRetries: 3 });
    expect((await failureOf(client.listPipes(scope))).code).toBe("rate-limited");
    expect(counts(simulator)).toEqual({ listPipes: 4 });
  });

  test("not at all when no retries are wanted", async () => {
    simulator.control.fault({ operationId: "listPipes", ...turnedAway });
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
  test("is repeated when the server turned it away", async () => {
    const id = seeded();
    simulator.control.fault({ operationId: "updatePipe", ...turnedAway, times: 2 });
    const { client, scope } = connect(simulator, { maxRetries: 2 });
    await expect(client.updatePipe(scope, id, { name: "renamed" })).resolves.toMatchObject({
      name: "renamed",
    });
    expect(counts(simulator)).toEqual({ updatePipe: 3 });
    const bodies = simulator.control.requests().map(({ body }) => body);
    expect(bodies).toEqual([{ name: "renamed" }, { name: "renamed" }, { name: "renamed" }]);
  });

  test.each<[string, Kind]>([
    ["a cut connection", { kind: "reset-before" }],
    ["a lost answer", { kind: "reset-after" }],
    ["502", busy(502)],
    ["503", busy(503)],
    ["504", { kind: "html" }],
    ["500", busy(500)],
  ])("is not repeated after %s", async (_what, kind) => {
    simulator.control.fault({ operationId: "updatePipe", ...kind });
    const { client, scope } = connect(simulator, { maxRetries: 3 });
    await failureOf(client.updatePipe(scope, seeded(), { name: "renamed" }));
    expect(counts(simulator)).toEqual({ updatePipe: 1 });
  });
});

test("a create that was turned away is sent again", async () => {
  simulator.control.fault({ operationId: "createPipe", ...turnedAway });
  const { client, scope } = connect(simulator, { maxRetries: 1 });
  await client.createPipe(scope, PIPE);
  expect(counts(simulator)).toMatchObject({ createPipe: 2 });
  expect(simulator.control.state().pipes).toHaveLength(1);
});

test("a request that never arrived is repeated, also when it is a change", async () => {
  const { client, scope, lines } = connect(simulator, { maxRetries: 1 });
  await simulator.close();
  await failureOf(client.updatePipe(scope, "x", {}));
  expect(lines).toEqual([expect.stringContaining("ECONNREFUSED; trying again (1 of 1)")]);
});

describe("when the server asks to be left alone", () => {
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

  test("everybody who shares the client waits as long", async () => {
    const { client, scope } = connect(simulator, { maxRetries: 0, clock });
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 45 });
    await failureOf(client.listPipes(scope)).catch(() => undefined);
    await client.listPipes(scope);
    // Without a retry of its own, the request that was turned away asks for nothing.
    expect(slept).toEqual([]);
    const patient = connect(simulator, { maxRetries: 1, clock });
    simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 1 });
    await patient.client.listPipes(patient.scope);
    expect(slept).toEqual([1000]);
  });

  test("a limit of requests holds for repeated ones too", async () => {
    simulator.control.fault({ operationId: "listPipes", ...turnedAway, times: 2 });
    const limited = { maxRetries: 2, clock, rateLimit: { requests: 1, seconds: 10 } };
    const { client, scope } = connect(simulator, limited);
    await client.listPipes(scope);
    expect(slept).toEqual([10_001, 10_001]);
  });
});

test("requests start no faster than the configured limit, whatever they are", async () => {
  const strict = await newSimulator({ rateLimit: "3/1s" });
  const { client, scope } = connect(strict, { rateLimit: { requests: 3, seconds: 1 } });
  await Promise.all([1, 2, 3, 4].map(() => client.listPipes(scope)));
  expect(strict.control.requests().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
