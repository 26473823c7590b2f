import {
  codeOf,
  connectionProblem,
  nextStepAfter,
  nextStepWhenUncertain,
} from "../../../provider/src/api/hint";
import * as operations from "../../../provider/src/api/operations";

const scope = { organizationId: "o", serviceId: "s" };
const create = operations.createPipe(scope, {});
const endpoint = operations.createReversePrivateEndpoint(scope, {});
const list = operations.listPipes(scope);
const rename = operations.updatePipe(scope, "p", { name: "x" });
const remap = operations.updatePipe(scope, "p", { source: { postgres: { tableMappingsToAdd: [] } } });
const allow = operations.updateService(scope, { ipAccessList: { add: [] } });
const remove = operations.deletePipe(scope, "p");

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

const AGAIN = "Wait until the API answers again; the next run repeats the request.";
const REFRESH = "Run `pulumi refresh`, which finds out whether it still exists.";
const CREATED = "Before the next run, look in the service's console whether it was created.";

test.each([
  [401, list, "Check datapipes:apiKeyId and datapipes:apiKeySecret, and that the key is active."],
  [403, list, "Give the key the permission for this, or use another key."],
  [404, list, "Check that organizationId and serviceId name a service that exists."],
  [404, create, "Check that organizationId and serviceId name a service that exists."],
  [404, rename, REFRESH],
  [404, remove, REFRESH],
  [405, remove, "Check datapipes:baseUrl: the server there does not offer this operation."],
  [409, create, "Wait until other changes of the service have ended, or choose another name."],
  [409, rename, "Wait until the other change has ended; the next run repeats the request."],
  [413, create, "Declare less in one resource: the server does not take a request of this size."],
  [424, create, "Start the service: it is idle or stopped."],
  [429, create, "Lower datapipes:rateLimit, or run fewer deployments with this key at a time."],
  [307, list, "Redirects are not followed: check datapipes:baseUrl."],
  [418, list, "Check datapipes:baseUrl."],
  [500, list, AGAIN],
  [408, list, AGAIN],
  [503, rename, AGAIN],
  [503, remove, AGAIN],
  [503, remap, "Run `pulumi refresh`, then `pulumi up`."],
  [503, allow, "Before the next run, look in the service's console what was changed."],
  [500, create, CREATED],
  [504, endpoint, CREATED],
])("status %d of $name has the next step that is right for it", (status, operation, nextStep) => {
  expect(nextStepAfter(status, operation, "")).toBe(nextStep);
  if (status >= 500) expect(nextStepWhenUncertain(operation)).toBe(nextStep);
});

test.each([400, 422])(
  "a refusal with %d names a correction only where the server names a reason",
  (status) => {
    const silent = "The server gives no reason: compare the arguments with the API document.";
    expect(nextStepAfter(status, rename, "BAD_REQUEST: name is taken")).toBe(
      "Correct what the server objects to.",
    );
    expect(nextStepAfter(status, rename, "")).toBe(silent);
    expect(nextStepAfter(400, create, "BAD_REQUEST")).toBe(silent);
    expect(nextStepAfter(422, create, "Unprocessable Entity.")).toBe(silent);
    expect(nextStepAfter(status, list, "")).toBe("Check organizationId and serviceId.");
  },
);

const neverArrived = { neverArrived: true };
const lasting = { lasting: true };

test.each<[code: string, hint: RegExp, certain?: object]>([
  ["ENOTFOUND", /host name was not found/, neverArrived],
  ["EAI_AGAIN", /name service/, neverArrived],
  ["ECONNREFUSED", /Nothing listens/, neverArrived],
  ["EHOSTUNREACH", /no route to the server/, neverArrived],
  ["ENETUNREACH", /no route to the server/, neverArrived],
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
    expect(said).not.toMatch(/again/);
    expect(more).toEqual(certain);
  },
);

test.each(["ECONNRESET", "ERR_BAD_RESPONSE"])("after %s the operation decides what to do", (code) => {
  expect(connectionProblem(code)).toEqual({});
});
