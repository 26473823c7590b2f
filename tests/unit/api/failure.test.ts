import { codeOf, connectionProblem, LASTING, NEVER_ARRIVED } from "../../../provider/src/api/failure";
import type { ConnectionProblem } from "../../../provider/src/errors";

test.each([
  [400, "bad-request"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not-found"],
  [405, "method-not-allowed"],
  [409, "conflict"],
  [413, "bad-request"],
  [422, "bad-request"],
  [424, "service-idle"],
  [429, "rate-limited"],
  [500, "server-error"],
  [599, "server-error"],
  [301, "unexpected-status"],
  [418, "unexpected-status"],
])("status %d is %s", (status, code) => {
  expect(codeOf(status)).toBe(code);
});

const neverArrived = { neverArrived: true, lasting: false };
const perhapsArrived = { neverArrived: false, lasting: false };

test.each<[code: string, problem: ConnectionProblem, known?: object]>([
  ["ENOTFOUND", "host-not-found", neverArrived],
  ["EAI_AGAIN", "no-name-service", neverArrived],
  ["ECONNREFUSED", "connection-refused", neverArrived],
  ["EHOSTUNREACH", "unreachable", neverArrived],
  ["ENETUNREACH", "unreachable", neverArrived],
  ["ECONNRESET", "connection-reset"],
  ["ERR_BAD_RESPONSE", "connection-reset"],
  ["ETIMEDOUT", "not-reached-in-time"],
  ["ECONNABORTED", "no-answer-in-time"],
  ["ERR_CANCELED", "no-answer-in-time"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate", { neverArrived: true, lasting: true }],
  ["CERT_HAS_EXPIRED", "certificate", { neverArrived: true, lasting: true }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate", { neverArrived: true, lasting: true }],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate", { neverArrived: true, lasting: true }],
  ["EPROTO", "tls", { neverArrived: false, lasting: true }],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "tls", { neverArrived: false, lasting: true }],
  ["HPE_INVALID_CONSTANT", "not-http"],
  ["EWHATEVER", "other"],
  ["", "other"],
])(
  "a connection that fails with %j has the problem %s, which says whether the request arrived and whether it passes",
  (code, problem, known = perhapsArrived) => {
    expect(connectionProblem(code)).toBe(problem);
    expect({ neverArrived: NEVER_ARRIVED.has(problem), lasting: LASTING.has(problem) }).toEqual(known);
  },
);
