import { connectionProblem, meaningOf } from "../../../provider/src/api/hint";

test.each([
  [400, "bad-request", /Correct the field/],
  [401, "unauthorized", /datapipes:apiKeyId and datapipes:apiKeySecret/],
  [403, "forbidden", /permission/],
  [404, "not-found", /datapipes:organizationId and datapipes:serviceId.*pulumi refresh/],
  [405, "method-not-allowed", /does not offer/],
  [409, "conflict", /wait for it/],
  [413, "bad-request", /too large/],
  [422, "bad-request", /Correct the field/],
  [424, "service-idle", /wake it up/],
  [429, "rate-limited", /datapipes:rateLimit/],
  [500, "server-error", /run the command again.*pulumi refresh/],
  [502, "server-error", /run the command again/],
  [503, "server-error", /run the command again/],
  [504, "server-error", /run the command again/],
  [599, "server-error", /run the command again/],
  [301, "unexpected-status", /Redirects are not followed/],
  [307, "unexpected-status", /Redirects are not followed/],
  [418, "unexpected-status", /datapipes:baseUrl/],
])("status %d is %s, with its next step", (status, code, hint) => {
  const meaning = meaningOf(status);
  expect(meaning.code).toBe(code);
  expect(meaning.hint).toMatch(hint);
});

const neverArrived = { neverArrived: true };
const lasting = { lasting: true };

test.each<[code: string, hint: RegExp, certain?: object]>([
  ["ENOTFOUND", /host name was not found/, neverArrived],
  ["EAI_AGAIN", /name service/, neverArrived],
  ["ECONNREFUSED", /Nothing listens/, neverArrived],
  ["EHOSTUNREACH", /no way to the server/, neverArrived],
  ["ENETUNREACH", /no way to the server/, neverArrived],
  ["ECONNRESET", /was cut/],
  ["ERR_BAD_RESPONSE", /was cut short/],
  ["ETIMEDOUT", /not reached in time/],
  ["ECONNABORTED", /datapipes:requestTimeoutSeconds/],
  ["ERR_CANCELED", /datapipes:requestTimeoutSeconds/],
  ["SELF_SIGNED_CERT_IN_CHAIN", /NODE_EXTRA_CA_CERTS/, { ...neverArrived, ...lasting }],
  ["CERT_HAS_EXPIRED", /certificate/, { ...neverArrived, ...lasting }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /certificate/, { ...neverArrived, ...lasting }],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /certificate/, { ...neverArrived, ...lasting }],
  ["EPROTO", /begin with https/, lasting],
  ["ERR_SSL_WRONG_VERSION_NUMBER", /begin with https/, lasting],
  ["HPE_INVALID_CONSTANT", /not HTTP/],
  ["EWHATEVER", /Check the network/],
  ["", /Check the network/],
])(
  "a connection that fails with %j has its next step, and what is certain of it",
  (code, hint, certain = {}) => {
    const { hint: said, ...more } = connectionProblem(code);
    expect(said).toMatch(hint);
    expect(more).toEqual(certain);
  },
);
