import { codeOf, connectionProblem, NOT_RECEIVED, PERMANENT } from "../../../provider/src/api/error-codes";
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

const notReceived = { notReceived: true, permanent: false };
const perhapsReceived = { notReceived: false, permanent: false };

test.each<[code: string, problem: ConnectionProblem, known?: object]>([
  ["ENOTFOUND", "host-not-found", notReceived],
  ["EAI_AGAIN", "no-name-service", notReceived],
  ["ECONNREFUSED", "connection-refused", notReceived],
  ["EHOSTUNREACH", "unreachable", notReceived],
  ["ENETUNREACH", "unreachable", notReceived],
  ["ECONNRESET", "connection-reset"],
  ["ERR_BAD_RESPONSE", "connection-reset"],
  ["ETIMEDOUT", "not-reached-in-time"],
  ["ECONNABORTED", "no-answer-in-time"],
  ["ERR_CANCELED", "no-answer-in-time"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate", { notReceived: true, permanent: true }],
  ["CERT_HAS_EXPIRED", "certificate", { notReceived: true, permanent: true }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate", { notReceived: true, permanent: true }],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate", { notReceived: true, permanent: true }],
  ["EPROTO", "tls", { notReceived: false, permanent: true }],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "tls", { notReceived: false, permanent: true }],
  ["HPE_INVALID_CONSTANT", "not-http"],
  ["EWHATEVER", "other"],
  ["", "other"],
])(
  "a connection that fails with %j has the problem %s, which says whether the server received the request and whether a retry can help",
  (code, problem, known = perhapsReceived) => {
    expect(connectionProblem(code)).toBe(problem);
    expect({ notReceived: NOT_RECEIVED.has(problem), permanent: PERMANENT.has(problem) }).toEqual(known);
  },
);
