import { createServer } from "node:http";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { latestRequest, newSimulator } from "../../kit/simulator";
import { connect, failureOf } from "../../kit/client";
import { listening } from "../network/servers";

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
