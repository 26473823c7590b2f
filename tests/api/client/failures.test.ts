import { createServer } from "node:http";
import { isAxiosError } from "axios";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { answer, connect, failureOf, latest } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
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

const status = (code: number, body: unknown): FaultKind => ({ kind: "status", status: code, body });
const BROKE = status(500, { error: "It broke." });
const WITHIN: FaultKind = { kind: "wrong-envelope", status: 409 };
const WAIT = "Wait until the server has recovered";
const SENTENCE = `GET …/services/…/pipes returned 500: It broke. ${WAIT}`;
const OTHER_CHANGE = /returned 409 \(request [0-9a-f-]{36}\).*Wait until the other change has ended/;

test.each<[what: string, fault: FaultKind, code: string, says: string | RegExp]>([
  ["a sentence of the server", BROKE, "server-error", SENTENCE],
  ["a gateway's page, not quoted", { kind: "html" }, "server-error", `returned 504: an HTML page. ${WAIT}`],
  ["the status of an envelope within a status 200", WITHIN, "conflict", OTHER_CHANGE],
])("an error shows %s, and ends with its next step", async (_what, fault, code, says) => {
  const error = await listing(fault);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(says);
});

test.each<[what: string, fault: FaultKind, words: RegExp]>([
  ["broken JSON", { kind: "bad-json" }, /returned 200, but the response is not the API's envelope/],
  ["a page for people", { kind: "html", status: 200 }, /returned 200, but the response is an HTML page/],
  ["nothing", status(200, ""), /not the API's envelope/],
  ["a list", status(200, []), /not the API's envelope/],
  ["an envelope without a result", answer(undefined), /\(request r\), but the response has no result/],
])("an answer that is %s is invalid, and the message says to check the base URL", async (_, fault, words) => {
  const { code, message } = await listing(fault);
  expect([code, message]).toEqual(["invalid-response", expect.stringMatching(words)]);
  expect(message).toContain("datapipes:baseUrl");
});

const LATE = /got no response within 0\.1 s\. Raise datapipes:requestTimeoutSeconds/;
const NO_HOST = /The host name was not found|The DNS server did not respond/;
const NO_TLS = /The TLS handshake failed: check whether datapipes:baseUrl should begin with https/;
const withTls = (url: string): string => url.replace("http:", "https:");

test.each<[what: string, more: (url: string) => Parameters<typeof connect>[1], code: string, says: RegExp]>([
  ["the time runs out", () => ({ requestTimeoutSeconds: 0.1 }), "timeout", LATE],
  ["the host has no address", () => ({ baseUrl: "http://no-such-host.invalid" }), "connection", NO_HOST],
  ["the TLS handshake fails", (url) => ({ baseUrl: withTls(url) }), "connection", NO_TLS],
])("an error without an answer says why, and what to do, when %s", async (_, more, code, says) => {
  const error = await listing({ kind: "hang" }, more(simulator.url));
  expect([error.code, error.message]).toEqual([code, expect.stringMatching(says)]);
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
    expect(latest(simulator).status).toBe(status);
  },
);

test("no error is, or holds, an error of the HTTP library", async () => {
  for (const kind of ["reset-before", "html", "bad-json", "wrong-envelope"] as const) {
    const error = await listing({ kind });
    expect([kind, isAxiosError(error), isAxiosError(error.cause)]).toEqual([kind, false, false]);
  }
});
