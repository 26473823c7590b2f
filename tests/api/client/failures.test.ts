import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isAxiosError } from "axios";
import { ApiError, ConnectionError, InvalidResponseError } from "../../../provider/src/errors";
import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { answer, connect, failureOf, type Connected } from "../../../testkit/connected";
import { newSimulator, writes } from "../../../testkit/simulator";

const ID = "0a1b2c3d-0000-4000-8000-0000000000ee";

let simulator: Simulator;
let api: Connected;
/** Nothing listens at its address. */
let stopped: Simulator;

beforeAll(async () => {
  [simulator, stopped] = [await newSimulator(), await newSimulator()];
  await stopped.close();
});
beforeEach(() => {
  simulator.control.reset();
  api = connect(simulator);
});

const patching = (fault: FaultKind) => {
  simulator.control.fault({ operationId: "updatePipe", ...fault });
  return failureOf(api.client.updatePipe(api.scope, ID, { name: "x" }));
};
const listing = (fault: FaultKind) => {
  simulator.control.fault({ operationId: "listPipes", ...fault });
  return failureOf(api.client.listPipes(api.scope));
};
const place = (): string => `…/services/${api.scope.serviceId}/pipes`;

const SERVER_FAILED = "Wait until the server has recovered; the next run repeats the request.";
const FIELD = "Correct what the server objects to.";

describe("an error answer becomes a message with the attempt, its target, the answer and one next step", () => {
  test.each([
    [400, "bad-request", FIELD],
    [
      401,
      "unauthorized",
      "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key.",
    ],
    [403, "forbidden", "Give the API key the permission for this operation, or use another key."],
    [404, "not-found", "Run `pulumi refresh`, which finds out whether it still exists."],
    [405, "method-not-allowed", "Check datapipes:baseUrl: the server there does not offer this operation."],
    [409, "conflict", "Wait until the other change has ended; the next run repeats the request."],
    [422, "bad-request", FIELD],
    [424, "service-idle", "Start the service: it is idle or stopped."],
    [429, "rate-limited", "Lower datapipes:rateLimit, or run fewer deployments with this key at a time."],
    [500, "server-error", SERVER_FAILED],
    [502, "server-error", SERVER_FAILED],
    [503, "server-error", SERVER_FAILED],
    [504, "server-error", SERVER_FAILED],
    [418, "unexpected-status", "Check datapipes:baseUrl."],
  ])("%d is %s", async (status, code, hint) => {
    const body = { status, requestId: "req-7", error: "SOME_WORDS: of the server" };
    const error = await patching({ kind: "status", status, body });
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code, answer: { status, requestId: "req-7", operation: "updatePipe" } });
    expect(error.message).toBe(
      `update pipe ${ID} failed: PATCH ${place()}/… returned ${status} (request req-7): SOME_WORDS: of the server. ${hint}`,
    );
  });

  test("quotes the server's own words, also those of the simulator", async () => {
    const work = createPipe(api.client, api.scope, { name: "bad", destination: { table: "t" } });
    const { code, message } = await failureOf(work);
    const requestId = writes(simulator).at(-1)?.requestId;
    expect(code).toBe("bad-request");
    const said = `create pipe "bad" failed: POST ${place()} returned 400 (request ${requestId ?? ""}): `;
    expect(message).toContain(said);
    expect(message).toContain("source is required");
  });

  test("reports an unknown service as not found", async () => {
    const { code, message } = await failureOf(api.client.listPipes({ ...api.scope, serviceId: ID }));
    expect(code).toBe("not-found");
    expect(message).toContain(`list the pipes of service ${ID} failed: GET …/services/…/pipes returned 404`);
  });

  test.each<[what: string, fault: FaultKind, says: RegExp]>([
    [
      "ends a sentence of the server with one full stop",
      { kind: "status", status: 500, body: { error: "It broke." } },
      /: It broke\. Wait until the server has recovered/,
    ],
    [
      "adds no words when the server sends none",
      { kind: "status", status: 500, body: "" },
      /GET …\/services\/…\/pipes returned 500\. Wait until the server has recovered/,
    ],
    [
      "calls a gateway's page by that name, and does not quote it",
      { kind: "html" },
      /returned 504: an HTML page\. Wait until the server has recovered/,
    ],
    [
      "reads the status of an envelope within a status 200",
      { kind: "wrong-envelope", status: 409 },
      /returned 409 \(request [0-9a-f-]{36}\).*Wait until the other change has ended/,
    ],
  ])("%s", async (_what, fault, says) => {
    expect((await listing(fault)).message).toMatch(says);
  });
});

test.each<[what: string, fault: FaultKind, words: RegExp]>([
  ["broken JSON", { kind: "bad-json" }, /returned 200, but the response is not the API's envelope/],
  ["a page for people", { kind: "html", status: 200 }, /returned 200, but the response is an HTML page/],
  ["nothing", { kind: "status", status: 200, body: "" }, /not the API's envelope/],
  ["a list", { kind: "status", status: 200, body: [] }, /not the API's envelope/],
  ["an envelope without a result", answer(undefined), /\(request r\), but the response has no result/],
  ["another result", answer({}), /succeeded, but the result is not a list/],
])("an answer that is %s is invalid, and the message says to check the base URL", async (_, fault, words) => {
  const error = await listing(fault);
  expect(error).toBeInstanceOf(InvalidResponseError);
  expect(error.code).toBe("invalid-response");
  expect(error.message).toMatch(words);
  expect(error.message).toContain("datapipes:baseUrl");
});

describe("an error without an answer says why, and what to do", () => {
  test.each<[what: string, more: () => Parameters<typeof connect>[1], code: string, says: RegExp]>([
    [
      "when nothing listens",
      () => ({ baseUrl: stopped.url }),
      "connection",
      /GET …\/services\/\S+ got no response: .*No server listens there: check the host and port/,
    ],
    [
      "when the time runs out",
      () => ({ requestTimeoutSeconds: 0.1 }),
      "timeout",
      /got no response within 0\.1 s\. Raise datapipes:requestTimeoutSeconds/,
    ],
    [
      "when the host has no address",
      () => ({ baseUrl: "http://no-such-host.invalid" }),
      "connection",
      /The host name was not found|The DNS server did not respond/,
    ],
    [
      "when the TLS handshake fails",
      () => ({ baseUrl: simulator.url.replace("http:", "https:") }),
      "connection",
      /The TLS handshake failed: check whether datapipes:baseUrl should begin with https/,
    ],
  ])("%s", async (_, more, code, says) => {
    api = connect(simulator, more());
    const error = await listing({ kind: "hang" });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(says);
  });

  test.each(["reset-before", "reset-after"] as const)("when the connection is cut: %s", async (kind) => {
    const error = await patching({ kind });
    expect(error.code).toBe("connection");
    expect(error.message).toMatch(/got no response: .* Wait until the API responds again/);
  });
});

describe("a redirect", () => {
  let elsewhere: Server;
  const visits: string[] = [];

  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      visits.push(request.headers.authorization ?? "no credential");
      response.end("{}");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => elsewhere.close(resolve)));

  test.each([301, 302, 303, 307, 308])(
    "of status %d is not followed, and no other address gets the credential",
    async (status) => {
      const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
      const error = await listing({ kind: "redirect", location, status });
      expect(error).toMatchObject({ code: "unexpected-status", answer: { status } });
      expect(error.message).toContain("Check datapipes:baseUrl: the provider does not follow redirects.");
      expect(visits).toEqual([]);
    },
  );
});

test("no error is, or holds, an error of the HTTP library", async () => {
  for (const kind of ["reset-before", "html", "bad-json", "wrong-envelope"] as const) {
    const error = await listing({ kind });
    expect([kind, isAxiosError(error), isAxiosError(error.cause)]).toEqual([kind, false, false]);
  }
});
