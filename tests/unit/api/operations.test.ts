import fc from "fast-check";
import { codeOf, FAILURES, noAnswer } from "../../../provider/src/api/http/failures";
import { callOf, scopeKey, type Given, type OperationName } from "../../../provider/src/api/operations";

const scope = { organizationId: "org", serviceId: "ser/vice" };
const ENDPOINT = "reverse private endpoint";

const LONG = { description: "d".repeat(61) };
const createEndpoint = "createReversePrivateEndpoint";

test.each<[attempt: string, name: OperationName, given: Given]>([
  ['update pipe "orders" (a1)', "updatePipe", { id: "a1", body: {}, options: { label: "orders" } }],
  ['delete pipe "orders" (a1)', "deletePipe", { id: "a1", options: { label: "orders" } }],
  ["update pipe a1", "updatePipe", { id: "a1", body: { name: "b" }, options: { label: "" } }],
  ["create pipe", "createPipe", { body: {} }],
  ['create pipe "o\\"p"', "createPipe", { body: { name: 'o"p' } }],
  [`create ${ENDPOINT}`, createEndpoint, { body: { description: undefined } }],
  [`create ${ENDPOINT} "${"d".repeat(60)}…"`, createEndpoint, { body: LONG }],
  ["update service ser/vice", "updateService", { body: { name: "b" } }],
])("messages say %s, with the name where the provider knows it", (attempt, name, given) => {
  expect(callOf(name, scope, given).attempt).toEqual(attempt);
});

test("the key of a service depends on both ids, and not on their case", () => {
  const keyOf = (organizationId: string, serviceId: string) => scopeKey({ organizationId, serviceId });
  expect(keyOf("A", "b")).toBe(keyOf("a", "B"));
  expect(new Set([keyOf("a", "c"), keyOf("a", "b"), keyOf("c", "b")]).size).toBe(3);
});

const pathOf = (id: string): string =>
  callOf("getPipeSettings", { organizationId: "o", serviceId: "s" }, { id }).path;

test.each(["", ".", "..", "half a pair \ud800"])("%j is refused as an ID", (id) => {
  const message = expect.stringContaining(" is not a valid ID: the provider sent nothing.") as string;
  const error = expect.objectContaining({ message, finding: "not-found" }) as Error;
  expect(() => pathOf(id)).toThrow(error);
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

test.each([
  [301, "unexpected-status"],
  [400, "bad-request"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not-found"],
  [405, "method-not-allowed"],
  [409, "conflict"],
  [413, "bad-request"],
  [418, "unexpected-status"],
  [422, "bad-request"],
  [424, "service-idle"],
  [429, "rate-limited"],
  [500, "server-error"],
  [599, "server-error"],
])("the status %d has the code %s", (status, code) => {
  expect(codeOf(status)).toBe(code);
});

test.each([
  ["ENOTFOUND", "host-not-found", "retry"],
  ["EAI_AGAIN", "host-not-found", "retry"],
  ["ECONNREFUSED", "connection-refused", "retry"],
  ["EHOSTUNREACH", "unreachable", "retry"],
  ["ENETUNREACH", "unreachable", "retry"],
  ["ECONNRESET", "connection-reset", "look"],
  ["ERR_BAD_RESPONSE", "connection-reset", "look"],
  ["ETIMEDOUT", "not-reached-in-time", "look"],
  ["ECONNABORTED", "no-answer-in-time", "look"],
  ["ERR_CANCELED", "no-answer-in-time", "look"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate", "fail"],
  ["CERT_HAS_EXPIRED", "certificate", "fail"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate", "fail"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate", "fail"],
  ["EPROTO", "tls", "retry"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "tls", "retry"],
  ["HPE_INVALID_CONSTANT", "not-http", "look"],
  ["EWHATEVER", "other", "look"],
  ["constructor", "other", "look"],
  ["", "other", "look"],
])("Node's error code %j is the problem %s, and the reaction of a create is %s", (code, problem, action) => {
  const { connection, failure } = noAnswer(code);
  expect(connection).toBe(problem);
  expect(FAILURES[failure].create.action).toBe(action);
});
