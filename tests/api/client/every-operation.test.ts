import { Client } from "../../../provider/src/api/client";
import * as operations from "../../../provider/src/api/operations";
import { operationsOf, DEFINITION } from "../../../simulator/src/definition";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { answer, connect, failureOf, latest, type Connected } from "../../../testkit/connected";
import { InstantClock } from "../../../testkit/instant-clock";
import { newSimulator } from "../../../testkit/simulator";
import { CLIENT_OPERATIONS, existing, PIPE_ID, SERVICE } from "./every-operation";

let simulator: Simulator;
let api: Connected;
/** Nothing listens at its address. */
let stopped: Simulator;

beforeAll(async () => {
  [simulator, stopped] = [await newSimulator(), await newSimulator()];
  await stopped.close();
});
beforeEach(() => {
  api = connect(simulator);
});

const OTHER = "0a1b2c3d-0000-4000-8000-00000000beef";
const rows = Object.entries(CLIENT_OPERATIONS);
const withoutOrganization = (path: string): string => path.split("/services/")[1] ?? "";

test("the table has each method of the client, each function of operations.ts, and each operation of the simulator", () => {
  const methods = Object.getOwnPropertyNames(Client.prototype).filter((name) => name !== "constructor");
  expect(Object.keys(CLIENT_OPERATIONS).sort()).toEqual(methods.sort());
  const names = [...new Set(rows.map(([, { operationId }]) => operationId))].sort();
  expect(names).toEqual(Object.keys(operationsOf(DEFINITION)).sort());
  const { hasActions: _, requestLine: __, scopeKey: ___, ...builders } = operations;
  expect(names).toEqual(Object.keys(builders).sort());
});

describe.each(rows)("%s", (_method, row) => {
  const { operationId, call, method, path, body, returns, attempt, shown, repeats, result } = row;

  test("sends one request with its method, path, headers and body, and returns the result", async () => {
    const id = await existing(api, simulator, row);
    const returned = await call(api, id);
    if (returns === undefined) expect(returned).toBeUndefined();
    else expect(returned).toMatchObject(returns);
    expect(simulator.control.requests()).toHaveLength(1);
    const { headers, ...sent } = latest(simulator);
    const contentType = body === null ? null : "application/json";
    expect(sent).toMatchObject({ operationId, method, body, contentType, status: 200 });
    expect(withoutOrganization(sent.path)).toBe(`${SERVICE}${path.replace("{id}", id)}`);
    expect(headers).toMatchObject({
      accept: "application/json",
      "user-agent": "pulumi-datapipes/test",
      authorization: "[redacted]",
    });
  });

  test("waits for the rate limiter, and the next request waits for it", async () => {
    const id = await existing(api, simulator, row);
    const clock = new InstantClock();
    const limited = connect(simulator, { clock, rateLimit: { requests: 1, seconds: 10 } });
    const other = () => limited.client.listBackups(limited.scope);
    const starts: number[] = [];
    for (const request of [other, () => call(limited, id), other]) {
      await request();
      starts.push(clock.now());
    }
    expect(starts).toEqual([0, 10_001, 20_002]);
  });

  test(`is repeated after: ${repeats}; and each attempt waits for the rate limiter`, async () => {
    const noDelay = { status: 503, headers: { "retry-after": "0" } };
    const faults: [fault: FaultKind, isRepeated: boolean][] = [
      [{ kind: "rate-limit", resetSeconds: 0 }, repeats !== "not-received"],
      [{ kind: "status", ...noDelay }, repeats === "any-failure"],
      [{ kind: "reset-before" }, repeats === "any-failure"],
      [{ kind: "status", ...noDelay, status: 500 }, false],
    ];
    for (const [fault, isRepeated] of faults) {
      const id = await existing(api, simulator, row);
      const clock = new InstantClock();
      const limited = connect(simulator, { clock, rateLimit: { requests: 1, seconds: 10 }, maxRetries: 1 });
      simulator.control.fault({ operationId, ...fault });
      await call(limited, id).catch(() => undefined);
      const sent = simulator.control.requests().map(({ method, path, body }) => ({ method, path, body }));
      expect([fault, sent]).toEqual([fault, isRepeated ? [sent[0], sent[0]] : [sent[0]]]);
      expect(Math.floor(clock.now())).toBe(isRepeated ? 10_001 : 0);
    }
    const { lines, ...unheard } = connect(stopped, { clock: new InstantClock(), maxRetries: 1 });
    expect((await failureOf(call({ lines, ...unheard }, PIPE_ID))).answer.arrived).toBe(false);
    expect(lines).toEqual([expect.stringContaining("ECONNREFUSED; retrying (1 of 1)")]);
  });

  test("fails with an error that says what it attempted, on what, and what came back", async () => {
    const id = await existing(api, simulator, row);
    const body = { status: 409, requestId: "req-7", error: "SOME_WORDS: of the server" };
    simulator.control.fault({ operationId, kind: "status", status: 409, body });
    const error = await failureOf(call(api, id));
    const [what, target] = [attempt, shown].map((text) => text.replace("{id}", id));
    expect(error.message.split(" of the server. ")[0]).toBe(
      `${what} failed: ${method} …/services/${target} returned 409 (request req-7): SOME_WORDS:`,
    );
    expect(error).toMatchObject({ code: "conflict", answer: { status: 409, operation: operationId } });
    expect(error.answer.repeatable).toBe(repeats === "any-failure");
  });

  test("sends nothing when the run is cancelled", async () => {
    const id = await existing(api, simulator, row);
    const clock = Object.assign(new InstantClock(), { cancelled: AbortSignal.abort() });
    const { message } = await failureOf(call(connect(simulator, { clock }), id));
    expect(message).toMatch(/ was not sent: the run is cancelled\./);
    expect(simulator.control.requests()).toEqual([]);
  });

  if (result === undefined) return;

  test("refuses a result of another type, and one of another service", async () => {
    const id = await existing(api, simulator, row);
    const saysOf = async (returned: unknown): Promise<string> => {
      simulator.control.fault({ operationId, ...answer(returned) });
      const { code, message } = await failureOf(call(api, id));
      return `${code}: ${/succeeded, but the result is (.*?)\./.exec(message)?.[1] ?? message}`;
    };
    const wrong = result === "a list" ? [{}, "text"] : [[], "text", null];
    for (const returned of wrong) expect(await saysOf(returned)).toBe(`invalid-response: not ${result}`);
    if (operationId === "getPipeSettings") return;
    const other = operationId === "updateService" ? { id: OTHER } : { id, serviceId: OTHER };
    expect(await saysOf(result === "a list" ? [other] : other)).toBe(
      `invalid-response: ${operationId === "updateService" ? "another service" : "an object of another service"}`,
    );
  });
});
