import fc from "fast-check";
import { codeOf, connectionProblem, NOT_RECEIVED } from "../../../provider/src/api/http/error-codes";
import { failureOf } from "../../../provider/src/api/http/failure";
import { isLoopback } from "../../../provider/src/settings/loopback";
import {
  createPipe,
  createReversePrivateEndpoint as createEndpoint,
  deletePipe,
  deleteReversePrivateEndpoint as deleteEndpoint,
  requestLine,
  scopeKey,
  updatePipe,
  type Operation,
} from "../../../provider/src/api/document/operations";
import { path } from "../../../provider/src/api/document/path";
import { REPETITION } from "../../../provider/src/api/http/repetition";
import type { ConnectionProblem } from "../../../provider/src/messages/errors";

const scope = { organizationId: "org", serviceId: "ser/vice" };
const ENDPOINT = "reverse private endpoint";

const [SHORT, OTHERS] = ["pipes", "pipesReversePrivateEndpoints"].map(
  (name) => `…/services/ser%2Fvice/${name}`,
);
const LONG = { description: "d".repeat(41) };

test.each<[attempt: string, operation: Operation, line: string]>([
  ['update pipe "orders" (a1)', updatePipe(scope, "a1", {}, "orders"), `PATCH ${SHORT}/…`],
  ['delete pipe "orders" (a1)', deletePipe(scope, "a1", "orders"), `DELETE ${SHORT}/…`],
  ["update pipe a1", updatePipe(scope, "a1", {}, ""), `PATCH ${SHORT}/…`],
  ["create pipe", createPipe(scope, {}), `POST ${SHORT}`],
  ['create pipe "o\\"p"', createPipe(scope, { name: 'o"p' }), `POST ${SHORT}`],
  [`create ${ENDPOINT}`, createEndpoint(scope, { description: undefined }), `POST ${OTHERS}`],
  [`create ${ENDPOINT} "${"d".repeat(40)}…"`, createEndpoint(scope, LONG), `POST ${OTHERS}`],
  [`delete ${ENDPOINT} "to it" (e1)`, deleteEndpoint(scope, "e1", "to it"), `DELETE ${OTHERS}/…`],
])("messages say %s, with the name where the provider knows it", (attempt, operation, line) => {
  expect([operation.attempt, requestLine(operation)]).toEqual([attempt, line]);
});

test("the key of a service depends on both ids, and not on their case", () => {
  const keyOf = (organizationId: string, serviceId: string) => scopeKey({ organizationId, serviceId });
  expect(keyOf("A", "b")).toBe(keyOf("a", "B"));
  expect(new Set([keyOf("a", "c"), keyOf("a", "b"), keyOf("c", "b")]).size).toBe(3);
});

test.each(["", ".", "..", "half a pair \ud800"])("%j is refused as an id", (id) => {
  expect(() => path`/a/${id}/b`).toThrow(/is not a valid id: the provider sent nothing/);
});

test("an id with any characters stays one segment of the path", () => {
  // fast-check's own binary strings take seconds.
  const character = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const anyId = fc.property(fc.string({ unit: character }), (id) => {
    fc.pre(id !== "" && id !== "." && id !== ".." && id === Buffer.from(id).toString());
    const { pathname, search, hash } = new URL(path`/v1/x/${id}/y`, "https://api.example.com");
    const [, first, second, third, ...more] = pathname.split("/");
    expect([first, second, more, search, hash]).toEqual(["v1", "x", ["y"], "", ""]);
    expect(decodeURIComponent(third ?? "")).toBe(id);
  });
  fc.assert(anyId);
});

const OWN_URLS =
  "http://127.0.0.1:8080 http://127.255.0.9/api http://127.1 https://[::1]:8443 http://[::ffff:127.0.0.1] " +
  "http://localhost:1 http://LOCALHOST. https://api.localhost";
const OTHER_URLS =
  "https://api.example.com http://128.0.0.1 http://127.0.0.1.example.com http://localhost.example.com " +
  "http://mylocalhost http://[::2] http://[::ffff:128.0.0.1]";

test("recognizes the addresses of this machine", () => {
  const urls = [...OWN_URLS.split(" "), ...OTHER_URLS.split(" ")];
  expect(urls.filter(isLoopback)).toEqual(OWN_URLS.split(" "));
});

test.each<[code: string, ...statuses: number[]]>([
  ["bad-request", 400, 413, 422],
  ["unauthorized", 401],
  ["forbidden", 403],
  ["not-found", 404],
  ["method-not-allowed", 405],
  ["conflict", 409],
  ["service-idle", 424],
  ["rate-limited", 429],
  ["server-error", 500, 599],
  ["unexpected-status", 301, 418],
])("the code %s is that of the status %d", (code, ...statuses) => {
  for (const status of statuses) expect([status, codeOf(status)]).toEqual([status, code]);
});

const CERTIFICATES =
  "SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID";

test.each<[problem: ConnectionProblem, notReceived: boolean, permanent: boolean, codes: string]>([
  ["host-not-found", true, false, "ENOTFOUND"],
  ["no-name-service", true, false, "EAI_AGAIN"],
  ["connection-refused", true, false, "ECONNREFUSED"],
  ["unreachable", true, false, "EHOSTUNREACH ENETUNREACH"],
  ["connection-reset", false, false, "ECONNRESET ERR_BAD_RESPONSE"],
  ["not-reached-in-time", false, false, "ETIMEDOUT"],
  ["no-answer-in-time", false, false, "ECONNABORTED ERR_CANCELED"],
  ["certificate", true, true, CERTIFICATES],
  ["tls", false, false, "EPROTO ERR_SSL_WRONG_VERSION_NUMBER"],
  ["not-http", false, false, "HPE_INVALID_CONSTANT"],
  ["other", false, false, "EWHATEVER "],
])("the connection problem %s: not received is %p, and a retry is pointless: %p", (...[problem, ...row]) => {
  const [notReceived, permanent, codes] = row;
  const answer = { connection: problem, arrived: !NOT_RECEIVED.has(problem) };
  const isPermanent = REPETITION[failureOf({ code: "connection", answer })].idempotent === "fail";
  expect([!answer.arrived, isPermanent]).toEqual([notReceived, permanent]);
  for (const code of codes.split(" ")) expect([code, connectionProblem(code)]).toEqual([code, problem]);
});
