import { connectionHint, meaningOf } from "../../../provider/src/api/hint";

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

test.each([
  ["ENOTFOUND", /host name was not found/],
  ["EAI_AGAIN", /name service/],
  ["ECONNREFUSED", /Nothing listens/],
  ["ECONNRESET", /was cut/],
  ["ETIMEDOUT", /not reached in time/],
  ["ECONNABORTED", /datapipes:requestTimeoutSeconds/],
  ["SELF_SIGNED_CERT_IN_CHAIN", /NODE_EXTRA_CA_CERTS/],
  ["CERT_HAS_EXPIRED", /certificate/],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /certificate/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /certificate/],
  ["EWHATEVER", /Check the network/],
  ["", /Check the network/],
])("a connection that fails with %j has its next step", (code, hint) => {
  expect(connectionHint(code)).toMatch(hint);
});
