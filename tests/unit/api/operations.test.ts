import fc from "fast-check";
import { codeOf, connectionProblem, failureOf, FAILURES } from "../../../provider/src/api/http/failures";
import { isLoopback } from "../../../provider/src/settings/loopback";
import { callOf, scopeKey, type OperationName } from "../../../provider/src/api/operations";
import type { ConnectionProblem } from "../../../provider/src/messages/errors";

const scope = { organizationId: "org", serviceId: "ser/vice" };
const ENDPOINT = "reverse private endpoint";

const LONG = { description: "d".repeat(41) };
const createEndpoint = "createReversePrivateEndpoint";

test.each<[attempt: string, name: OperationName, ...given: unknown[]]>([
  ['update pipe "orders" (a1)', "updatePipe", "a1", {}, { label: "orders" }],
  ['delete pipe "orders" (a1)', "deletePipe", "a1", { label: "orders" }],
  ["update pipe a1", "updatePipe", "a1", { name: "b" }, { label: "" }],
  ["create pipe", "createPipe", {}],
  ['create pipe "o\\"p"', "createPipe", { name: 'o"p' }],
  [`create ${ENDPOINT}`, createEndpoint, { description: undefined }],
  [`create ${ENDPOINT} "${"d".repeat(40)}…"`, createEndpoint, LONG],
  ["update service ser/vice", "updateService", { name: "b" }],
])("messages say %s, with the name where the provider knows it", (attempt, name, ...given) => {
  expect(callOf(name, scope, given).attempt).toEqual(attempt);
});

test("the key of a service depends on both ids, and not on their case", () => {
  const keyOf = (organizationId: string, serviceId: string) => scopeKey({ organizationId, serviceId });
  expect(keyOf("A", "b")).toBe(keyOf("a", "B"));
  expect(new Set([keyOf("a", "c"), keyOf("a", "b"), keyOf("c", "b")]).size).toBe(3);
});

const pathOf = (id: string): string =>
  callOf("getPipeSettings", { organizationId: "o", serviceId: "s" }, [id]).path;

test.each(["", ".", "..", "half a pair \ud800"])("%j is refused as an ID", (id) => {
  expect(() => pathOf(id)).toThrow(/is not a valid ID: the provider sent nothing/);
});

test("an ID with any characters stays one segment of the path", () => {
  // fast-check's own binary strings take seconds.
  const character = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const anyId = fc.property(fc.string({ unit: character }), (id) => {
    fc.pre(!["", ".", ".."].includes(id) && id.isWellFormed());
    const { pathname, search, hash } = new URL(pathOf(id), "https://api.example.com");
    const [, ...segments] = pathname.split("/");
    expect(segments).toHaveLength(8);
    expect(segments.at(-1)).toBe("settings");
    expect(search).toBe("");
    expect(hash).toBe("");
    expect(decodeURIComponent(segments.at(-2) ?? "")).toBe(id);
  });
  fc.assert(anyId);
});

const OWN_URLS = [
  "http://127.0.0.1:8080",
  "http://127.255.0.9/api",
  "http://127.1",
  "https://[::1]:8443",
  "http://localhost:1",
  "http://LOCALHOST.",
  "https://api.localhost",
];
const OTHER_URLS = [
  "https://api.example.com",
  "http://128.0.0.1",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "http://mylocalhost",
  "http://[::2]",
  "http://[::ffff:128.0.0.1]",
];

test("recognizes the addresses of this machine", () => {
  expect([...OWN_URLS, ...OTHER_URLS].filter(isLoopback)).toEqual(OWN_URLS);
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
  const others = statuses.filter((status) => codeOf(status) !== code);
  expect(others).toEqual([]);
});

const CERTIFICATES =
  "SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID";

type Action = (typeof FAILURES)[keyof typeof FAILURES]["create"]["action"];

test.each<[problem: ConnectionProblem, ofCreate: Action, codes: string]>([
  ["host-not-found", "retry", "ENOTFOUND EAI_AGAIN"],
  ["connection-refused", "retry", "ECONNREFUSED"],
  ["unreachable", "retry", "EHOSTUNREACH ENETUNREACH"],
  ["connection-reset", "look", "ECONNRESET ERR_BAD_RESPONSE"],
  ["not-reached-in-time", "look", "ETIMEDOUT"],
  ["no-answer-in-time", "look", "ECONNABORTED ERR_CANCELED"],
  ["certificate", "fail", CERTIFICATES],
  ["tls", "retry", "EPROTO ERR_SSL_WRONG_VERSION_NUMBER"],
  ["not-http", "look", "HPE_INVALID_CONSTANT"],
  ["other", "look", "EWHATEVER "],
])("after the connection problem %s of a create comes: %s", (connection, ofCreate, codes) => {
  expect(FAILURES[failureOf({ code: "connection", answer: { connection } })].create.action).toBe(ofCreate);
  const others = codes.split(" ").filter((code) => connectionProblem(code) !== connection);
  expect(others).toEqual([]);
});
