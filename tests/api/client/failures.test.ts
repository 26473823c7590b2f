import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isAxiosError } from "axios";
import { ApiError, ConnectionError, InvalidResponseError } from "../../../provider/src/errors";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { newSimulator, writes } from "../../../testkit/simulator";
import { answer, connect, failureOf, type Connected } from "../../../testkit/connected";

const ID = "0a1b2c3d-0000-4000-8000-0000000000ee";

let simulator: Simulator;
let api: Connected;

beforeEach(async () => {
  simulator = await newSimulator();
  api = connect(simulator);
});
const patching = () => failureOf(api.client.updatePipe(api.scope, ID, { name: "x" }));
const listing = () => failureOf(api.client.listPipes(api.scope));
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
    simulator.control.fault({ operationId: "updatePipe", kind: "status", status, body });
    const error = await patching();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code, answer: { status, requestId: "req-7", operation: "updatePipe" } });
    expect(error.message).toBe(
      `update pipe ${ID} failed: PATCH ${place()}/… returned ${status} (request req-7): SOME_WORDS: of the server. ${hint}`,
    );
  });

  test("quotes the server's own words, also those of the simulator", async () => {
    const error = await failureOf(
      createPipe(api.client, api.scope, { name: "bad", destination: { table: "t" } }),
    );
    const requestId = writes(simulator).at(-1)?.requestId;
    expect(error.code).toBe("bad-request");
    expect(error.message).toContain(
      `create pipe "bad" failed: POST ${place()} returned 400 (request ${requestId ?? ""}): `,
    );
    expect(error.message).toContain("source is required");
  });

  test("reports a wrong credential as unauthorized", async () => {
    api = connect(simulator, { apiKeySecret: "not-the-secret" });
    expect((await listing()).code).toBe("unauthorized");
  });

  test("reports an unknown service as not found", async () => {
    const error = await failureOf(api.client.listPipes({ ...api.scope, serviceId: ID }));
    expect(error.code).toBe("not-found");
    expect(error.message).toContain(
      `list the pipes of service ${ID} failed: GET …/services/…/pipes returned 404`,
    );
  });

  test("ends a sentence of the server with one full stop", async () => {
    const body = { error: "It broke." };
    simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, body });
    expect((await listing()).message).toMatch(/: It broke\. Wait until the server has recovered/);
  });

  test("adds no words when the server sends none", async () => {
    simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, body: "" });
    expect((await listing()).message).toContain(` GET …/services/…/pipes returned 500. ${SERVER_FAILED}`);
  });

  test("calls a gateway's page by that name, and does not quote it", async () => {
    simulator.control.fault({ operationId: "listPipes", kind: "html" });
    const error = await listing();
    expect(error).toMatchObject({ code: "server-error", answer: { status: 504 } });
    expect(error.message).toContain(`returned 504: an HTML page. ${SERVER_FAILED}`);
  });

  test("a status 200 around an error envelope is an error", async () => {
    simulator.control.fault({ operationId: "listPipes", kind: "wrong-envelope", status: 409 });
    const error = await listing();
    expect(error).toMatchObject({ code: "conflict", answer: { status: 409 } });
    expect(error.message).toMatch(/returned 409 \(request [0-9a-f-]{36}\)/);
  });
});

describe("an answer without the API's envelope is invalid, and the message says to check the base URL", () => {
  test.each<[what: string, fault: FaultKind, words: RegExp]>([
    ["broken JSON", { kind: "bad-json" }, /returned 200, but the response is not the API's envelope/],
    ["a page for people", { kind: "html", status: 200 }, /returned 200, but the response is an HTML page/],
    ["nothing", { kind: "status", status: 200, body: "" }, /not the API's envelope/],
    ["a list", { kind: "status", status: 200, body: [] }, /not the API's envelope/],
    ["an envelope without a result", answer(undefined), /\(request r\), but the response has no result/],
    ["another result", answer({}), /succeeded, but the result is not a list/],
  ])("%s", async (_what, fault, words) => {
    simulator.control.fault({ operationId: "listPipes", ...fault });
    const error = await listing();
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.code).toBe("invalid-response");
    expect(error.message).toMatch(words);
    expect(error.message).toContain("datapipes:baseUrl");
  });

  test.each([[[]], ["text"], [null]])("a pipe that is %j", async (result) => {
    simulator.control.fault({ operationId: "updatePipe", ...answer(result) });
    expect((await patching()).message).toContain("succeeded, but the result is not an object");
  });
});

describe("an error without an answer says why, and what to do", () => {
  test("when nothing listens", async () => {
    await simulator.close();
    const error = await listing();
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.code).toBe("connection");
    expect(error.message).toMatch(
      /GET …\/services\/\S+ got no response: .*No server listens there: check the host and port/,
    );
  });

  test.each(["reset-before", "reset-after"] as const)("when the connection is cut: %s", async (kind) => {
    simulator.control.fault({ operationId: "updatePipe", kind });
    const error = await patching();
    expect(error.code).toBe("connection");
    expect(error.message).toMatch(/got no response: .* Wait until the API responds again/);
  });

  test("when the time runs out", async () => {
    simulator.control.fault({ operationId: "listPipes", kind: "hang" });
    api = connect(simulator, { requestTimeoutSeconds: 0.1 });
    const error = await listing();
    expect(error.code).toBe("timeout");
    expect(error.message).toContain("got no response within 0.1 s. Raise datapipes:requestTimeoutSeconds");
  });

  test("when the host has no address", async () => {
    api = connect(simulator, { baseUrl: "http://no-such-host.invalid" });
    const error = await listing();
    expect(error.code).toBe("connection");
    expect(error.message).toMatch(/The host name was not found|The DNS server did not respond/);
  });

  test("when the TLS handshake fails", async () => {
    api = connect(simulator, { baseUrl: simulator.url.replace("http:", "https:") });
    expect((await listing()).code).toBe("connection");
  });
});

describe("a redirect", () => {
  let elsewhere: Server;
  let visits: string[];

  beforeEach(async () => {
    visits = [];
    elsewhere = createServer((request, response) => {
      visits.push(request.headers.authorization ?? "no credential");
      response.end("{}");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => new Promise((resolve) => elsewhere.close(resolve)));

  test.each([301, 302, 303, 307, 308])(
    "of status %d is not followed, and no other address gets the credential",
    async (status) => {
      const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
      simulator.control.fault({ operationId: "listPipes", kind: "redirect", location, status });
      const error = await listing();
      expect(error).toMatchObject({ code: "unexpected-status", answer: { status } });
      expect(error.message).toContain("Check datapipes:baseUrl: the provider does not follow redirects.");
      expect(visits).toEqual([]);
    },
  );
});

test("no error is, or holds, an error of the HTTP library", async () => {
  const kinds = ["reset-before", "html", "bad-json", "wrong-envelope"] as const;
  for (const kind of kinds) simulator.control.fault({ operationId: "listPipes", kind });
  for (const kind of kinds) {
    const error = await listing();
    expect([kind, isAxiosError(error), isAxiosError(error.cause)]).toEqual([kind, false, false]);
  }
});
