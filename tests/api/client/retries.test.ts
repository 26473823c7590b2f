import { newSimulator } from "../../kit/simulator";
import { connect, failureOf } from "../../kit/client";
import { InstantClock, ManualClock } from "../../kit/clock";
import { PIPE } from "./every-operation";

/** A service that refuses to list pipes with 429. */
async function refusing(resetSeconds: number, times = 1) {
  const simulator = await newSimulator();
  simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds, times });
  return { simulator, clock: new InstantClock() };
}

test("after a 429 with a pause, all requests of a client wait once, also without retries", async () => {
  const { simulator, clock } = await refusing(45);
  const { client, scope } = connect(simulator, { maxRetries: 0, rateLimitTimeoutSeconds: 600, clock });
  await client.listPipes(scope);
  await client.listBackups(scope);
  expect(clock.now()).toBeGreaterThanOrEqual(45_000);
  expect(clock.now()).toBeLessThan(60_000);
});

test("a line says how long the provider waits after a 429 that states no pause", async () => {
  const simulator = await newSimulator();
  simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", headers: false });
  const clock = new InstantClock();
  const { client, scope, lines } = connect(simulator, { rateLimitTimeoutSeconds: 600, clock });
  await client.listPipes(scope);
  expect(lines).toEqual([
    expect.stringMatching(/status 429: the API does not say how long to wait; the provider waits \d s$/),
  ]);
});

test("the pause that a 429 asks for holds up the other requests, too", async () => {
  const { simulator } = await refusing(45);
  const clock = new ManualClock();
  const { client, scope, lines } = connect(simulator, { clock, maxRetries: 1 });
  const listed = client.listPipes(scope);
  await clock.runWhile(() => lines.length === 0);
  const backups = client.listBackups(scope);
  await clock.run(44_000);
  expect(simulator.control.requests().map(({ operationId }) => operationId)).toEqual(["listPipes"]);
  await clock.runDuring(Promise.all([listed, backups]));
  expect(simulator.control.requests()).toHaveLength(3);
});

test.each([
  [45, 2],
  [2, 45],
])("pauses of %d s and %d s at the same time hold up all requests for the longer one", async (one, other) => {
  const { simulator } = await refusing(one);
  simulator.control.fault({ operationId: "listBackups", kind: "rate-limit", resetSeconds: other });
  const clock = new ManualClock();
  const { client, scope } = connect(simulator, { clock, maxRetries: 1 });
  await clock.runDuring(Promise.all([client.listPipes(scope), client.listBackups(scope)]));
  expect(clock.now()).toBeGreaterThanOrEqual(45_000);
});

test("a request fails before a pause that would exceed ten minutes of 429, and says so", async () => {
  const { simulator, clock } = await refusing(250, 99);
  const { client, scope, lines } = connect(simulator, { maxRetries: 1, clock });
  const { code, message } = await failureOf(client.listPipes(scope));
  expect(code).toBe("rate-limited");
  expect(clock.now()).toBeGreaterThanOrEqual(500_000);
  expect(clock.now()).toBeLessThan(600_000);
  expect(lines[0]).toMatch(/^list the pipes of service \S+: status 429: the API asks to wait 250 s; /);
  expect(lines[0]).toMatch(/; the provider waits \d+ s$/);
  expect(message).toContain(" The API asks the provider to wait 250 s. ");
});

test("an answer other than 429 ends the ten minutes of refusals", async () => {
  const { simulator, clock } = await refusing(250, 2);
  simulator.control.fault({ operationId: "listPipes", kind: "html" });
  simulator.control.fault({ operationId: "listPipes", kind: "rate-limit", resetSeconds: 250, times: 2 });
  const { client, scope } = connect(simulator, { maxRetries: 1, clock });
  await client.listPipes(scope);
  expect(simulator.control.requests().map(({ status }) => status)).toEqual([429, 429, 504, 429, 429, 200]);
});

test("after a 429 that asks for over ten minutes, a request fails and says when to come back", async () => {
  const { simulator, clock } = await refusing(9999);
  const { client, scope } = connect(simulator, { maxRetries: 1, clock });
  const { message } = await failureOf(client.listPipes(scope));
  expect(message).toContain(" The API asks the provider to wait 9999 s. ");
  await client.listPipes(scope);
  expect(clock.now()).toBeLessThan(5_000);
});

test("a write that times out in the rate limiter does not hold up the next one", async () => {
  const simulator = await newSimulator();
  const [pipe] = simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
  let deadline: { seconds: number; at: number } | undefined;
  const clock = Object.assign(new InstantClock(), { deadline: () => deadline });
  const { client, scope } = connect(simulator, { clock, rateLimit: { requests: 1, seconds: 60 } });
  const remove = () => client.deletePipe(scope, pipe?.id ?? "");
  await client.listPipes(scope);
  deadline = { seconds: 10, at: clock.now() + 10_000 };
  expect((await failureOf(remove())).message).toContain("was not sent: the 10 s of customTimeouts");
  deadline = undefined;
  await expect(remove()).resolves.toBeUndefined();
});

test("a read waits in the rate limiter past the deadline of the call that asked for it", async () => {
  const simulator = await newSimulator();
  const clock = Object.assign(new InstantClock(), { deadline: () => ({ seconds: 10, at: 10_000 }) });
  const { client, scope } = connect(simulator, { clock, rateLimit: { requests: 1, seconds: 60 } });
  await client.listPipes(scope);
  await client.listBackups(scope);
  expect(clock.now()).toBeGreaterThan(60_000);
});
