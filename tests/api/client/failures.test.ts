import { createServer } from "node:http";
import { isAxiosError } from "axios";
import type { Clock } from "../../../provider/src/api/http/clock";
import type { Fault, FaultKind, Simulator } from "../../../simulator/src/index";
import { answer, latestRequest, newSimulator } from "../../kit/simulator";
import { connect, failureOf, renderFailure, type Connection } from "../../kit/client";
import { PIPE, endpointsOf, createPipe } from "../creation";
import { InstantClock } from "../../kit/clock";
import { tableMapping } from "../../kit/pipes";
import { listening } from "../network/servers";
import { CLIENT_OPERATIONS, PIPE_ID as ID } from "./every-operation";

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
const HANG: FaultKind = { kind: "hang" };
const WAIT = "Wait until the server has recovered";
const SENTENCE = `failed: the server returned 500: It broke. ${WAIT}`;
const OTHER_CHANGE = /returned 409 \(request [0-9a-f-]{36}\).*Wait until other changes to the service finish/;
const LATE = /got no response within 0\.1 s\. Raise datapipes:requestTimeoutSeconds/;
const NO_HOST = /The host name was not found/;
const NO_TLS = /The TLS handshake failed: check that the server at datapipes:baseUrl uses https/;
const withTls = (url: string): string => url.replace("http:", "https:");
const elsewhere = () => ({ baseUrl: "http://no-such-host.invalid" });

type Options = (url: string) => Parameters<typeof connect>[1];
test.each<[what: string, fault: FaultKind, code: string, says: string | RegExp, more?: Options]>([
  ["a sentence of the server", BROKE, "server-error", SENTENCE],
  ["that there is a gateway's page", { kind: "html" }, "server-error", `returned 504: an HTML page. ${WAIT}`],
  ["the status of an envelope within a status 200", WITHIN, "conflict", OTHER_CHANGE],
  ["that the time ran out", HANG, "timeout", LATE, () => ({ requestTimeoutSeconds: 0.1 })],
  ["that the host has no address", HANG, "connection", NO_HOST, elsewhere],
  ["that the TLS handshake failed", HANG, "connection", NO_TLS, (url) => ({ baseUrl: withTls(url) })],
])("an error shows %s, and ends with its next step", async (...[, fault, code, says, more]) => {
  const error = await listing(fault, more?.(simulator.url));
  expect(error.code).toBe(code);
  expect(error.message).toMatch(says);
});

test.each<[what: string, fault: FaultKind, words: RegExp]>([
  ["broken JSON", { kind: "bad-json" }, /returned 200, but the response is not in the format of the API/],
  ["a page for people", { kind: "html", status: 200 }, /returned 200, but the response is an HTML page/],
  ["nothing", status(200, ""), /not in the format of the API/],
  ["a list", status(200, []), /not in the format of the API/],
  ["an envelope without a result", answer(undefined), /\(request r\), but the response has no result/],
])("an answer that is %s is invalid, and the message says to check the base URL", async (_, fault, words) => {
  const { code, message } = await listing(fault);
  expect(code).toBe("invalid-response");
  expect(message).toMatch(words);
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

/** What a server usually says, and more than an error repeats. */
const WORDS = 'BAD_REQUEST: the destination has no column "amount"';
const MANY_WORDS = "x".repeat(5000);
const MAX_LENGTH = 450;
/** Where the server has more to say than an error repeats, and the error has to say what may be true all the same. */
const MAX_LENGTH_WITH_MANY_WORDS = 520;
const MAX_LINE_LENGTH = 200;

type Call = (api: Connection, clock: Clock) => Promise<unknown>;
const remap = { source: { postgres: { tableMappingsToAdd: [tableMapping("t")] } } };
const create: Call = (api, clock) => createPipe(api, clock, PIPE);

/** By resources where these end errors in their own way, else by the client. */
const CALLS: [operation: Fault["operationId"], call: Call][] = [
  ["createPipe", create],
  ["createReversePrivateEndpoint", (api) => endpointsOf(api).create("d".repeat(255))],
  ["deleteReversePrivateEndpoint", (api) => endpointsOf(api).delete(ID)],
  ["updatePipe", ({ client, scope }) => client.updatePipe(scope, ID, remap)],
  ["updateService", ({ client, scope }) => client.updateService(scope, { name: "x" })],
  ...(
    ["updatePipe", "listPipes", "getPipeSettings", "deletePipe", "updateService", "listBackups"] as const
  ).map((name): [typeof name, Call] => [name, (api) => CLIENT_OPERATIONS[name].call(api, ID)]),
];

const statuses = [302, 400, 401, 403, 404, 405, 408, 409, 413, 418, 422, 424, 429, 500, 502, 503, 504, 599];
const saying = (code: number, error: string): FaultKind =>
  status(code, { status: code, requestId: ID, error });
const faults: [what: string, fault: FaultKind][] = [
  ...statuses.flatMap<[string, FaultKind]>((code) => [
    [`${code} with a reason`, saying(code, WORDS)],
    [`${code} with many words`, saying(code, MANY_WORDS)],
    [`${code} without a word`, status(code, "")],
    [`${code} after it was done`, { ...saying(code, WORDS), processed: true } as FaultKind],
  ]),
  ["a cut connection", { kind: "reset-before" }],
  ["a connection that is cut after it was done", { kind: "reset-after" }],
  ["no response in time", HANG],
  ["a page", { kind: "html" }],
  ["broken JSON", { kind: "bad-json" }],
  ["an envelope of failure", { kind: "wrong-envelope", status: 500 }],
  ["no object", answer(7)],
];

type Inject = (control: Simulator["control"], fault: FaultKind) => void;

/** The error and the lines of one operation with a fault. */
async function messagesAfter(call: Call, fault: FaultKind, inject: Inject) {
  simulator.control.reset();
  const requestTimeoutSeconds = fault.kind === "hang" ? 1 : 60;
  const clock = new InstantClock();
  const api = connect(simulator, { clock, requestTimeoutSeconds, maxRetries: 1 });
  inject(simulator.control, fault);
  const error = await renderFailure(call(api, clock)).then(
    () => undefined,
    (reason: unknown) => (reason as Error).message,
  );
  return { error, lines: api.lines };
}

const ADVICE = /again|pulumi (up|refresh)/gi;
const countOf = (pattern: RegExp, text: string): number => [...text.matchAll(pattern)].length;

/** The rules that the error message of an operation breaks. */
function violationsOfError(message: string, isCreate: boolean): string[] {
  const own = message.replace(/x{150}…/, "");
  const runs = countOf(/run the command again/gi, message);
  const advice = countOf(ADVICE, message.replace(", then `pulumi up`", ""));
  const rules: [isBroken: boolean, violation: string][] = [
    [own.length > MAX_LENGTH || message.length > MAX_LENGTH_WITH_MANY_WORDS, "is too long"],
    [runs > 1, "says twice to run the command again"],
    [runs > 0 && /\blook\b/i.test(message), "says to run and to look"],
    [isCreate && (runs > 0 || /pulumi up/i.test(message)), "may make a second one"],
    [message.includes("field that the server names"), "refers to a field"],
    [!/[.…] [A-Z][^.]*(\.[^.\s][^.]*)*\.$/.test(message), "has no next step at its end"],
    [countOf(/\bfailed: /g, message) !== 1, "does not say once what failed"],
    [advice > 1, "has two next steps"],
  ];
  return rules.flatMap(([isBroken, violation]) => (isBroken ? [`${violation}: ${message}`] : []));
}

/** The rules that a line of a retry breaks. */
function violationsOfLine(line: string): string[] {
  const maximum = line.startsWith("warning: ") ? MAX_LENGTH : MAX_LINE_LENGTH;
  const saysMore = /failed: |run the command|pulumi (up|refresh)/i.test(line);
  return line.length > maximum || saysMore
    ? [`is too long or says more than what is being done: ${line}`]
    : [];
}

const violations = ({ error, lines }: Awaited<ReturnType<typeof messagesAfter>>, isCreate: boolean) => [
  ...(error === undefined ? [] : violationsOfError(error, isCreate)),
  ...lines.flatMap(violationsOfLine),
];

test.each(CALLS)("%s says what failed and one next step after every fault: %#", async (operationId, call) => {
  // An error shortens the words of all operations alike, and what was done matters for a create.
  const isTried = (what: string): boolean =>
    operationId === "createPipe" || !/^\d+ (with many words|without|after)/.test(what);
  for (const [what, kind] of faults.filter(([what]) => isTried(what))) {
    const messages = await messagesAfter(call, kind, (control, fault) => {
      control.fault({ operationId, ...fault, times: 99 });
    });
    // A DELETE needs no result, and neither a pipe without settings nor an endpoint that is gone is an error.
    const isMissing =
      what.startsWith("404") && ["getPipeSettings", "deleteReversePrivateEndpoint"].includes(operationId);
    const mayEndWell = isMissing || /after it was done|no object/.test(what);
    const found = violations(messages, operationId.startsWith("create"));
    expect({ what, violations: found }).toEqual({ what, violations: [] });
    expect({ what, hasError: mayEndWell || messages.error !== undefined }).toEqual({ what, hasError: true });
  }
});

/** A status of each kind of failure: an error shortens the words of all operations alike. */
const OF_EACH_KIND = /^(?:(?:400|404|409|429|500|503) (?:with a reason|after)|\D)/;

const onCreate = { operationId: "createPipe" } as const;
const onList = { operationId: "listPipes" } as const;
const LOOK = / Check .* whether it exists: if so, set adopt to its ID\.$/;
const injecting =
  (more: Pick<Fault, "operationId" | "times">): Inject =>
  (control, fault) =>
    control.fault({ ...fault, ...more });
const lose: Inject = (control, fault) => {
  control.fault({ ...onCreate, kind: "reset-after" });
  control.fault({ ...onList, ...fault, after: 1, times: 99 });
};

test.each<[what: string, inject: Inject, says?: RegExp]>([
  ["has short lines, and no advice in them, where it ends well", injecting({ ...onCreate, times: 1 })],
  ["says to look first where the answer is lost and the list fails", lose, LOOK],
  ["asks for no second pipe where the list before it fails", injecting({ ...onList, times: 99 })],
])("createPipe %s, after every fault", async (...[, inject, says]) => {
  for (const [what, fault] of faults.filter(([what]) => OF_EACH_KIND.test(what))) {
    const messages = await messagesAfter(create, fault, inject);
    expect({ what, violations: violations(messages, true) }).toEqual({ what, violations: [] });
    if (says !== undefined) {
      const error: unknown = expect.stringMatching(says);
      expect({ what, error: messages.error }).toEqual({ what, error });
    }
  }
});
