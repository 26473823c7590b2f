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
const removeEndpoint = operations.deleteReversePrivateEndpoint(scope, "e");
const settings = operations.getPipeSettings(scope, "p");
const backups = operations.listBackups(scope);

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

const FAILED = "The server had an error: wait a little; the next run repeats the request.";
const AGAIN = "Wait until the API answers again; the next run repeats the request.";
const REFRESH = "Run `pulumi refresh`, which finds out whether it still exists.";
const SILENT_REFUSAL =
  'Set deletionPolicy: "retain" to leave it as it is: the server gives no reason why it does not delete it.';
const CREATED = "Before the next run, look in the service's console whether it was created.";

test.each([
  [
    401,
    list,
    "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key.",
  ],
  [403, list, "Give the key the permission for this, or use another key."],
  [404, list, "Check that organizationId and serviceId name a service that exists."],
  [404, create, "Check that organizationId and serviceId name a service that exists."],
  [404, rename, REFRESH],
  [404, remove, REFRESH],
  [405, remove, "Check datapipes:baseUrl: the server there does not offer this operation."],
  [409, create, "Wait until other changes of the service have ended."],
  [409, rename, "Wait until the other change has ended; the next run repeats the request."],
  [409, endpoint, "Wait until other changes of the service have ended."],
  [409, allow, "Wait until the other change has ended; the next run repeats the request."],
  [423, rename, "Wait until the other change has ended; the next run repeats the request."],
  [402, list, "Check the plan of the organization: the API asks for a payment."],
  [407, list, "Check the proxy of the environment: it asks for a credential."],
  [410, rename, REFRESH],
  [404, removeEndpoint, 'Set deletionPolicy: "retain" to leave it as it is: the server does not know it.'],
  [413, create, "Declare less in one resource: the server does not take a request of this size."],
  [413, allow, "Declare less in one resource: the server does not take a request of this size."],
  [413, list, "Check datapipes:baseUrl and any proxy: the request has no body."],
  [413, remove, SILENT_REFUSAL],
  [400, remove, SILENT_REFUSAL],
  [422, removeEndpoint, SILENT_REFUSAL],
  [400, settings, "Check the id of the pipe, organizationId and serviceId."],
  [499, rename, AGAIN],
  [499, create, CREATED],
  [501, list, "Check datapipes:baseUrl: the server there does not offer this operation."],
  [501, remove, 'Set deletionPolicy: "retain" to leave it as it is: the server does not delete it.'],
  [424, create, "Start the service: it is idle or stopped."],
  [429, create, "Lower datapipes:rateLimit, or run fewer deployments with this key at a time."],
  [307, list, "Redirects are not followed: check datapipes:baseUrl."],
  [418, list, "Check datapipes:baseUrl."],
  [500, list, FAILED],
  [408, list, AGAIN],
  [503, rename, FAILED],
  [503, remove, FAILED],
  [503, remap, "Run `pulumi refresh`, then `pulumi up`."],
  [503, allow, "Before the next run, look in the service's console at what was changed."],
  [500, create, CREATED],
  [504, endpoint, CREATED],
])("status %d of $name has the next step that is right for it", (status, operation, nextStep) => {
  expect(nextStepAfter(status, operation, "")).toBe(nextStep);
  if (status < 500 || status === 501) return;
  expect(nextStepWhenUncertain(operation)).toBe(nextStep === FAILED ? AGAIN : nextStep);
});

test.each([
  ["CONFLICT: a pipe of this name is there", create, "Choose another name."],
  ["CONFLICT: orders already exists", create, "Choose another name."],
  ["CONFLICT: pipes like this exist", create, "Choose another name."],
  ["CONFLICT: orders is in use", create, "Choose another name."],
  ["CONFLICT: the table does not exist", create, "Wait until other changes of the service have ended."],
  ["CONFLICT: the rename goes on", create, "Wait until other changes of the service have ended."],
  ["CONFLICT: it exists", endpoint, "Wait until other changes of the service have ended."],
  ["CONFLICT: it exists", rename, "Wait until the other change has ended; the next run repeats the request."],
])(
  "a conflict with the words %p earns one advice: only a taken name is replaced",
  (words, operation, nextStep) => {
    expect(nextStepAfter(409, operation, words)).toBe(nextStep);
  },
);

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

const all = { create, endpoint, list, rename, remap, allow, remove, removeEndpoint, settings, backups };
const statuses = [
  302, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 413, 418, 422, 423, 424, 429, 499, 500, 501, 503,
];
const cases = Object.entries(all).flatMap(([name, operation]) =>
  statuses.flatMap((status) =>
    ["", "BAD: it is wrong", "CONFLICT: the name exists"].map((words) => ({
      name,
      operation,
      status,
      words,
    })),
  ),
);

/** What no next step of such an operation may say. */
const silly: [rule: string, applies: (method: string, name: string) => boolean, says: RegExp][] = [
  ["a request without a body is not too large", (method) => /GET|DELETE/.test(method), /Declare less/],
  ["a request without a body has no arguments", (method) => /GET|DELETE/.test(method), /arguments/],
  ["what exists is not looked for by its service's ids", (method) => method === "DELETE", /organizationId/],
  ["an endpoint has no name", (_, name) => name.includes("Endpoint"), /another name/],
  ["a refresh reads no endpoint", (_, name) => name.includes("Endpoint"), /pulumi refresh/],
  ["a refresh reads no settings of a service", (_, name) => name === "updateService", /pulumi refresh/],
  ["a create is not sent again blindly", (method) => method === "POST", /next run repeats|pulumi up/],
  ["only what is deleted has a policy of deletion", (method) => method !== "DELETE", /deletionPolicy/],
];

test.each(silly)("of all statuses and operations none breaks the rule: %s", (_, applies, says) => {
  const broken = cases
    .filter(({ operation }) => applies(operation.method, operation.name))
    .map(({ status, operation, words }) => ({
      status,
      name: operation.name,
      said: nextStepAfter(status, operation, words),
    }))
    .filter(({ said }) => says.test(said));
  expect(broken).toEqual([]);
});

test.each(cases)(
  "$name after $status ($words) has one next step, one sentence",
  ({ operation, status, words }) => {
    expect(nextStepAfter(status, operation, words)).toMatch(/^[A-Z][^.]*(\.[^.\s][^.]*)*\.$/);
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
  "a connection that fails with %j has its next step, and says whether the request arrived",
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
