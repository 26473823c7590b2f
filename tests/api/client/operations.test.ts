import { OPERATIONS } from "../../../provider/src/api/operations";
import { operationsOf, DEFINITION } from "../../../simulator/src/definition";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { latestRequest, newSimulator } from "../../kit/simulator";
import { connect, failureOf, type Connection } from "../../kit/client";
import { InstantClock } from "../../kit/clock";
import { CLIENT_OPERATIONS, existing, PIPE_ID, type ClientOperation } from "./every-operation";

let simulator: Simulator;
let api: Connection;

beforeAll(async () => {
  simulator = await newSimulator();
});
beforeEach(() => {
  simulator.control.reset();
  api = connect(simulator);
});

const ALL = Object.values(CLIENT_OPERATIONS);
const isCreate = ({ operationId }: ClientOperation): boolean => OPERATIONS[operationId].method === "POST";
const status = (code: number): FaultKind => ({
  kind: "status",
  status: code,
  headers: { "retry-after": "0" },
});
/** They leave open whether the request had an effect, or pass by themselves. */
const LOST: { readonly what: string; readonly fault: FaultKind }[] = [
  { what: "502", fault: status(502) },
  { what: "503", fault: status(503) },
  { what: "a page of a gateway", fault: { kind: "html" } },
  { what: "a connection that was cut before the request", fault: { kind: "reset-before" } },
  { what: "a connection that was cut after the request", fault: { kind: "reset-after" } },
];

test("the provider's table, the simulator and these tests have the same operations", () => {
  const names = Object.keys(OPERATIONS).sort();
  expect(Object.keys(CLIENT_OPERATIONS).sort()).toEqual(names);
  expect(Object.keys(operationsOf(DEFINITION)).sort()).toEqual(names);
});

/** What a call sends if its first request fails and the rate limiter lets one request start in 10 s. */
async function sentAfter(fault: FaultKind, row: ClientOperation) {
  const id = await existing(api, simulator, row);
  const clock = new InstantClock();
  const limited = connect(simulator, { clock, rateLimit: { requests: 1, seconds: 10 }, maxRetries: 1 });
  simulator.control.fault({ operationId: row.operationId, ...fault });
  await row.call(limited, id).catch(() => undefined);
  const sent = simulator.control.requests().map(({ method, path, body }) => ({ method, path, body }));
  return { sent, endedAt: clock.now() };
}

describe.each(ALL)("$operationId", (row) => {
  const { operationId, call, body = null, returns, attempt } = row;

  // By method and path, the simulator knows the operation and its object.
  test("sends one request with its method, path, headers and body, and returns the result", async () => {
    const id = await existing(api, simulator, row);
    expect([await call(api, id)]).toMatchObject([returns]);
    expect(simulator.control.requests()).toHaveLength(1);
    const { headers, ...sent } = latestRequest(simulator);
    const contentType = body === null ? null : "application/json";
    expect(sent).toMatchObject({ operationId, body, contentType, status: 200 });
    expect(headers).toMatchObject({
      accept: "application/json",
      "user-agent": "pulumi-datapipes/test",
      authorization: "[redacted]",
      // A server may close a kept connection while a request is on its way, and this one must not be repeated then.
      connection: isCreate(row) ? "close" : "keep-alive",
    });
  });

  test("is sent again after a 429, when the rate limiter allows it", async () => {
    const { sent, endedAt } = await sentAfter({ kind: "rate-limit", resetSeconds: 0 }, row);
    expect(sent).toEqual([sent[0], sent[0]]);
    expect(endedAt).toBeGreaterThan(10_000);
  });

  test.each([400, 401, 403, 404, 409, 422, 424, 500])("is not sent again after a %d", async (code) => {
    const { sent } = await sentAfter(status(code), row);
    expect(sent).toHaveLength(1);
  });

  test("is sent again after the server refused the connection", async () => {
    // No process without privileges can listen on this port.
    const refused = connect(
      { url: "http://127.0.0.1:1", account: simulator.account },
      { clock: new InstantClock(), maxRetries: 1 },
    );
    const { answer } = await failureOf(call(refused, PIPE_ID));
    expect(answer.connection).toBe("connection-refused");
    expect(refused.lines).toEqual([expect.stringContaining("no response (ECONNREFUSED); retrying (1 of 1)")]);
  });

  test("fails with an error that says what it attempted, on what, and what came back", async () => {
    const id = await existing(api, simulator, row);
    const body = { status: 409, requestId: "req-7", error: "SOME_WORDS: of the server" };
    simulator.control.fault({ operationId, kind: "status", status: 409, body });
    const error = await failureOf(call(api, id));
    const what = attempt.replace("{id}", id);
    expect(error.message.split(" of the server. ")[0]).toBe(
      `${what} failed: the server returned 409 (request req-7): SOME_WORDS:`,
    );
    expect(error).toMatchObject({ code: "conflict", answer: { status: 409, operation: operationId } });
  });

  test("sends nothing when the run was canceled", async () => {
    const id = await existing(api, simulator, row);
    const clock = Object.assign(new InstantClock(), { isCancelled: () => true });
    const { message } = await failureOf(call(connect(simulator, { clock }), id));
    expect(message).toMatch(/ was not sent: the run was canceled\./);
    expect(simulator.control.requests()).toEqual([]);
  });
});

describe.each(ALL.filter((row) => !isCreate(row)))("$operationId", (row) => {
  test.each(LOST)("is sent again after $what, when the rate limiter allows it", async ({ fault }) => {
    const { sent, endedAt } = await sentAfter(fault, row);
    expect(sent).toEqual([sent[0], sent[0]]);
    expect(endedAt).toBeGreaterThan(10_000);
  });
});

describe.each(ALL.filter(isCreate))("$operationId", (row) => {
  test.each(LOST)("is not sent again after $what", async ({ fault }) => {
    const { sent } = await sentAfter(fault, row);
    expect(sent).toHaveLength(1);
  });
});

test("the credential encodes key id and secret, whatever characters the secret has", async () => {
  const apiKeySecret = 'p:ss "wörd"/+=%';
  const strict = await newSimulator({ accounts: [{ ...simulator.account, apiKeySecret }] });
  const { client, scope } = connect(strict);
  await expect(client.listPipes(scope)).resolves.toMatchObject({ items: [], isComplete: true });
  const wrong = connect(strict, { apiKeySecret: `${apiKeySecret}x` });
  expect((await failureOf(wrong.client.listPipes(scope))).code).toBe("unauthorized");
});

test("a base URL may have a path, and the path keeps an id with any characters in its place", async () => {
  const { client, scope } = connect(simulator, { baseUrl: `${simulator.url}/under/here` });
  await failureOf(client.updatePipe(scope, "../../x?y#z", {}));
  const service = `/v1/organizations/${scope.organizationId}/services/${scope.serviceId}`;
  expect(latestRequest(simulator).path).toBe(`/under/here${service}/pipes/..%2F..%2Fx%3Fy%23z`);
  expect((await failureOf(client.updatePipe(scope, "..", {}))).code).toBe("invalid-argument");
  expect(simulator.control.requests()).toHaveLength(1);
});
