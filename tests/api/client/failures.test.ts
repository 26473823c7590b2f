import { createServer } from "node:http";
import { isAxiosError } from "axios";
import type { Clock } from "../../../provider/src/api/http/clock";
import type { DatapipesError } from "../../../provider/src/messages/errors";
import { nextStepOf, summaryOf } from "../../../provider/src/messages/next-steps";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { answer, latestRequest, newSimulator, requestCounts } from "../../kit/simulator";
import { connect, failureOf, type Connection } from "../../kit/client";
import { PIPE, endpointsOf, createPipe } from "../creation";
import { InstantClock } from "../../kit/clock";
import { listening } from "../network/servers";
import { CLIENT_OPERATIONS, PIPE_ID as ID, type ClientMethod } from "./every-operation";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});
beforeEach(() => {
  simulator.control.reset();
});

const listing = (fault: FaultKind, more?: Parameters<typeof connect>[1]) => {
  simulator.control.fault({ operationId: "listPipes", ...fault });
  const { client, scope } = connect(simulator, more);
  return failureOf(client.listPipes(scope));
};

const HANG: FaultKind = { kind: "hang" };
const status = (code: number, body: unknown): FaultKind => ({ kind: "status", status: code, body });
const BROKE = "failed: the server returned 500: It broke. Wait until the server has recovered";
const PAGE = "returned 504: an HTML page. Wait until the server has recovered";
const OBJECT = { field: "topics", password: "pw" };
const OBJECT_WITHOUT_SECRETS = ': {"field":"topics","password":"[secret]"}. Fix the';
const OTHER_CHANGE = /returned 409 \(request [0-9a-f-]{36}\).*Wait until other changes to the service finish/;

test.each<[what: string, fault: FaultKind, code: string, says: string | RegExp]>([
  ["a sentence of the server", status(500, { error: "It broke." }), "server-error", BROKE],
  [
    "the beginning of many words",
    status(400, { error: "x".repeat(5000) }),
    "bad-request",
    / x{150}… Fix the/,
  ],
  ["an object without its secrets", status(400, { error: OBJECT }), "bad-request", OBJECT_WITHOUT_SECRETS],
  ["that there is a gateway's page", { kind: "html" }, "server-error", PAGE],
  [
    "the status of an envelope within a 200",
    { kind: "wrong-envelope", status: 409 },
    "conflict",
    OTHER_CHANGE,
  ],
])("an error shows %s, and ends with its next step", async (_, fault, code, says) => {
  const error = await listing(fault);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(says);
});

test("an error says that the time ran out", async () => {
  const { code, message } = await listing(HANG, { requestTimeoutSeconds: 0.1 });
  expect(code).toBe("timeout");
  expect(message).toContain("got no response within 0.1 s. Raise datapipes:requestTimeoutSeconds");
});

test("an error says that the host has no address", async () => {
  const { code, message } = await listing(HANG, { baseUrl: "http://no-such-host.invalid" });
  expect(code).toBe("connection");
  expect(message).toContain("The host name was not found");
});

test("an error says that the TLS handshake failed", async () => {
  const { code, message } = await listing(HANG, { baseUrl: simulator.url.replace("http:", "https:") });
  expect(code).toBe("connection");
  expect(message).toContain(
    "The TLS handshake failed: check that the server at datapipes:baseUrl uses https",
  );
});

test.each<[what: string, fault: FaultKind, words: string]>([
  ["broken JSON", { kind: "bad-json" }, "returned 200, but the response is not in the format of the API"],
  ["an HTML page", { kind: "html", status: 200 }, "returned 200, but the response is an HTML page"],
])("an answer that is %s is invalid, and the message says to check the base URL", async (_, fault, words) => {
  const { code, message } = await listing(fault);
  expect(code).toBe("invalid-response");
  expect(message).toContain(words);
  expect(message).toContain("datapipes:baseUrl");
});

test.each([301, 302, 303, 307, 308])(
  "a redirect of status %d is not followed, and no other address gets the credential",
  async (status) => {
    const visits: unknown[] = [];
    const elsewhere = createServer(({ headers }, response) => {
      visits.push(headers);
      response.end("{}");
    });
    const location = `http://${await listening(elsewhere)}/`;
    const error = await listing({ kind: "redirect", location, status });
    expect(error).toMatchObject({ code: "unexpected-status", answer: { status } });
    expect(error.message).toContain("Check datapipes:baseUrl: the provider does not follow redirects.");
    expect(visits).toEqual([]);
    expect(latestRequest(simulator).status).toBe(status);
  },
);

test.each(["reset-before", "html", "bad-json", "wrong-envelope"] as const)(
  "the error of a fault %s neither is nor holds an error of the HTTP library",
  async (kind) => {
    const error = await listing({ kind });
    expect(isAxiosError(error)).toBe(false);
    expect(isAxiosError(error.cause)).toBe(false);
  },
);

interface FailingCall {
  readonly operation: ClientMethod;
  readonly call: (api: Connection, clock: Clock) => Promise<unknown>;
  /** The faults after which it succeeds. */
  readonly accepts?: readonly string[];
}

const byClient = (operation: ClientMethod, ...accepts: string[]): FailingCall => ({
  operation,
  call: (api) => CLIENT_OPERATIONS[operation].call(api, ID),
  accepts,
});

// Resources end the errors of creates and of one deletion in their own way.
const CREATES: FailingCall[] = [
  {
    operation: "createPipe",
    call: (api, clock) => createPipe(api, clock, PIPE),
    accepts: ["a connection that is cut after the request", "503, though it was carried out"],
  },
  {
    operation: "createReversePrivateEndpoint",
    call: (api) => endpointsOf(api).create("d".repeat(255)),
  },
];

const CALLS: FailingCall[] = [
  ...CREATES,
  {
    operation: "deleteReversePrivateEndpoint",
    call: (api) => endpointsOf(api).delete(ID),
    accepts: ["404", "a result that is no object"],
  },
  byClient("deletePipe", "a result that is no object"),
  byClient("getPipeSettings", "404"),
  byClient("updatePipe"),
  byClient("updateService"),
  byClient("listPipes"),
  byClient("listBackups"),
];

const error = 'BAD_REQUEST: the destination has no column "amount"';
const STATUSES = [302, 400, 401, 403, 404, 405, 408, 409, 413, 424, 429, 500, 503, 599];

const FAILING: { readonly what: string; readonly fault: FaultKind }[] = [
  ...STATUSES.map((code) => ({
    what: String(code),
    fault: status(code, { status: code, requestId: ID, error }),
  })),
  { what: "400 without a word", fault: status(400, "") },
  { what: "503, though it was carried out", fault: { kind: "status", status: 503, processed: true } },
  { what: "a connection that is cut before the request", fault: { kind: "reset-before" } },
  { what: "a connection that is cut after the request", fault: { kind: "reset-after" } },
  { what: "a page", fault: { kind: "html" } },
  { what: "broken JSON", fault: { kind: "bad-json" } },
  { what: "an envelope of failure", fault: { kind: "wrong-envelope", status: 500 } },
  { what: "a result that is no object", fault: answer(7) },
];

const ADVICE = /again|run the command|pulumi (up|refresh)/i;

/** An error that says once what failed, and has one next step, at its end. */
function expectOneNextStep(error: DatapipesError): void {
  const [summary, nextStep] = [summaryOf(error), nextStepOf(error)];
  expect(error.message).toBe(`${summary} ${nextStep}`);
  expect(nextStep).toMatch(/^[A-Z].*\.$/);
  expect(summary.split(" failed: ")).toHaveLength(2);
  expect(summary).not.toMatch(ADVICE);
  expect(error.message.length).toBeLessThanOrEqual(450);
}

const connected = (more?: Parameters<typeof connect>[1]) => {
  const clock = new InstantClock();
  return { clock, api: connect(simulator, { clock, maxRetries: 1, ...more }) };
};

describe.each(CALLS)("$operation", ({ operation: operationId, call, accepts = [] }) => {
  const failing = FAILING.filter(({ what }) => !accepts.includes(what));

  test.each(failing)("after $what, says what failed and one next step", async ({ fault }) => {
    const { api, clock } = connected();
    simulator.control.fault({ operationId, ...fault, times: "always" });
    expectOneNextStep(await failureOf(call(api, clock)));
  });

  test("without a response in time, says what failed and one next step", async () => {
    const { api, clock } = connected({ requestTimeoutSeconds: 0.1 });
    simulator.control.fault({ operationId, ...HANG, times: "always" });
    expectOneNextStep(await failureOf(call(api, clock)));
  });

  test("prints a line without advice before it is sent again", async () => {
    const { api, clock } = connected();
    simulator.control.fault({ operationId, kind: "rate-limit", resetSeconds: 7 });
    await call(api, clock).catch(() => undefined);
    expect(api.lines[0]).toMatch(
      /^[^.]{1,150}: status 429: the API asks to wait 7 s; the provider waits (7|8|9|1[0-4]) s$/,
    );
  });
});

describe.each(CREATES)("$operation", ({ operation: operationId, call, accepts = [] }) => {
  const failing = FAILING.filter(({ what }) => !accepts.includes(what));

  test.each(failing)("after $what, advises nothing that could create a second object", async ({ fault }) => {
    const { api, clock } = connected();
    simulator.control.fault({ operationId, ...fault, times: "always" });
    const { message } = await failureOf(call(api, clock));
    expect(message).not.toMatch(/run the (same )?command again|pulumi up/i);
  });
});

describe.each(FAILING)("createPipe, whose list fails with $what,", ({ fault }) => {
  test("says what failed and one next step, and sends no create", async () => {
    const { api, clock } = connected();
    simulator.control.fault({ operationId: "listPipes", ...fault, times: "always" });
    expectOneNextStep(await failureOf(createPipe(api, clock, PIPE)));
    expect(requestCounts(simulator)["createPipe"]).toBeUndefined();
  });

  test("says to look first where the response to the create was lost", async () => {
    const { api, clock } = connected();
    simulator.control.fault({ operationId: "createPipe", kind: "reset-after" });
    simulator.control.fault({ operationId: "listPipes", ...fault, after: 1, times: "always" });
    const error = await failureOf(createPipe(api, clock, PIPE));
    expectOneNextStep(error);
    expect(error.message).toMatch(/ Check .* whether it exists: if so, set adopt to its ID\.$/);
  });
});
