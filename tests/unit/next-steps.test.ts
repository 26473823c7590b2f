import { render } from "../../provider/src/next-steps";
import { codeOf } from "../../provider/src/api/error-codes";
import * as operations from "../../provider/src/api/operations";
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  DatapipesError,
  InvalidResponseError,
  type ApiAnswer,
  type ConnectionProblem,
  type Finding,
} from "../../provider/src/errors";

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

/** What an error says of a request that failed, as the transport makes it. */
const answerOf = ({ name, retryOn }: operations.Operation, more: ApiAnswer): ApiAnswer => ({
  operation: name,
  repeatable: retryOn === "any-failure",
  ...more,
});

/** The message without its summary. */
const nextStepOf = (error: DatapipesError): string => {
  const message = render(error);
  expect(message.startsWith(`${error.summary} `)).toBe(true);
  return message.slice(error.summary.length + 1);
};

const nextStepAfter = (status: number, operation: operations.Operation, words: string): string =>
  nextStepOf(new ApiError(codeOf(status), "It failed.", { answer: answerOf(operation, { status, words }) }));

const nextStepAfterReset = (operation: operations.Operation): string =>
  nextStepWithout("connection-reset", operation);

const nextStepWithout = (connection: ConnectionProblem, operation: operations.Operation): string =>
  nextStepOf(
    new ConnectionError("connection", "It failed.", { answer: answerOf(operation, { connection }) }),
  );

const FAILED = "Wait until the server has recovered; the next run repeats the request.";
const AGAIN = "Wait until the API responds again; the next run repeats the request.";
const REFRESH = "Run `pulumi refresh`, which finds out whether it still exists.";
const RETAIN = 'Declare it unchanged with deletionPolicy: "retain" and run `pulumi up --target <URN>`.';
const CREATED = "Before the next run, check in the service's console whether it was created.";

test.each([
  [
    401,
    list,
    "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key; after a change in the configuration, add --run-program to `pulumi refresh`.",
  ],
  [
    401,
    create,
    "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key.",
  ],
  [403, list, "Give the API key the permission for this operation, or use another key."],
  [404, list, "Check that organizationId and serviceId name a service that exists."],
  [404, create, "Check that organizationId and serviceId name a service that exists."],
  [404, rename, REFRESH],
  [404, remove, RETAIN],
  [405, remove, "Check datapipes:baseUrl: the server there does not offer this operation."],
  [409, create, "Wait until other changes of the service have ended."],
  [409, rename, "Wait until the other change has ended; the next run repeats the request."],
  [409, endpoint, "Wait until other changes of the service have ended."],
  [409, allow, "Wait until the other change has ended; the next run repeats the request."],
  [423, rename, "Wait until the other change has ended; the next run repeats the request."],
  [402, list, "Check the plan of the organization: the API requires a payment."],
  [407, list, "Check the proxy of the environment: it requires credentials."],
  [410, rename, REFRESH],
  [404, removeEndpoint, RETAIN],
  [413, create, "Declare less in one resource: the server does not accept a request of this size."],
  [413, allow, "Declare less in one resource: the server does not accept a request of this size."],
  [413, list, "Check datapipes:baseUrl and any proxy: the request has no body."],
  [413, remove, RETAIN],
  [400, remove, RETAIN],
  [422, removeEndpoint, RETAIN],
  [400, settings, "Check the id of the pipe, organizationId and serviceId."],
  [499, rename, AGAIN],
  [499, create, CREATED],
  [501, list, "Check datapipes:baseUrl: the server there does not offer this operation."],
  [501, remove, RETAIN],
  [424, create, "Start the service: it is idle or stopped."],
  [429, create, "Lower datapipes:rateLimit, or run fewer deployments with this key at a time."],
  [307, list, "Check datapipes:baseUrl: the provider does not follow redirects."],
  [418, list, "Check datapipes:baseUrl."],
  [500, list, FAILED],
  [408, list, AGAIN],
  [503, rename, FAILED],
  [503, remove, FAILED],
  [503, remap, "Run `pulumi refresh`, then `pulumi up`."],
  [
    503,
    allow,
    "Run the same command again, which reads the lists first; if it rotates an encryption key, check in the service's console before whether that was done.",
  ],
  [500, create, CREATED],
  [504, endpoint, CREATED],
])("status %d of $name has its own next step", (status, operation, nextStep) => {
  expect(nextStepAfter(status, operation, "")).toBe(nextStep);
  if (status < 500 || status === 501) return;
  expect(nextStepAfterReset(operation)).toBe(nextStep === FAILED ? AGAIN : nextStep);
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
  "a conflict with the words %p causes one advice: only a taken name is replaced",
  (words, operation, nextStep) => {
    expect(nextStepAfter(409, operation, words)).toBe(nextStep);
  },
);

test.each([400, 422])(
  "a refusal with %d names a correction only where the server names a reason",
  (status) => {
    const silent = "Compare the arguments with the API document: the server gives no reason.";
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

test.each(silly)("no status of any operation breaks the rule: %s", (_, applies, says) => {
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

test.each<[ConnectionProblem, RegExp]>([
  ["host-not-found", /host name was not found/],
  ["no-name-service", /DNS server did not respond/],
  ["connection-refused", /No server listens/],
  ["unreachable", /no route to the server/],
  ["not-reached-in-time", /timed out/],
  ["no-answer-in-time", /datapipes:requestTimeoutSeconds/],
  ["certificate", /NODE_EXTRA_CA_CERTS/],
  ["tls", /begin with https/],
  ["not-http", /not HTTP/],
  ["other", /Check the network/],
])("a connection with the problem %s has one next step, whatever the operation", (connection, nextStep) => {
  const said = new Set(Object.values(all).map((operation) => nextStepWithout(connection, operation)));
  expect([...said]).toEqual([expect.stringMatching(nextStep)]);
  expect([...said].join()).not.toMatch(/again/);
});

test("after a page in place of the API's words, the next step is to check the address, unless the server failed", () => {
  const page = (status: number): string =>
    nextStepOf(
      new ApiError(codeOf(status), "It failed.", { answer: answerOf(list, { status, isPage: true }) }),
    );
  expect(page(403)).toMatch(/^Check datapipes:baseUrl: an HTML page/);
  expect(page(502)).toBe(FAILED);
});

test("after an answer that is not the API's, the next step is to check the address, also after a write", () => {
  for (const { name } of [list, rename, create])
    expect(nextStepOf(new InvalidResponseError("It failed.", { status: 200, operation: name }))).toBe(
      "Check that datapipes:baseUrl is the address of the API itself.",
    );
});

describe("a message", () => {
  const cause = new ApiError("server-error", "It failed.", { answer: answerOf(rename, { status: 503 }) });

  test("has the causes first, then what was found, then whether the resource exists, then one next step", () => {
    const found = new DatapipesError("server-error", "It is gone.", { cause, finding: "pipe-not-listed" });
    expect(render(found, { inStack: "Pipe" })).toBe(
      `It failed. It is gone. The pipe stays in the stack. ${REFRESH}`,
    );
  });

  test("has the next step of its cause where nothing else was found", () => {
    const explained = new DatapipesError("server-error", "It cannot be read.", { cause });
    expect(render(explained)).toBe(`It failed. It cannot be read. ${FAILED}`);
  });

  test("has no added next step where its own words say what to do", () => {
    expect(render(new ConfigurationError(["Set a.", "Set b."]))).toBe("Set a.\nSet b.");
    expect(render(new DatapipesError("invalid-argument", "getPipe failed: a."))).toBe("getPipe failed: a.");
  });

  test("puts the next step on a line of its own after a list", () => {
    const refused = new DatapipesError("conflict", "It differs:\n  a\n", { finding: "not-adoptable" });
    expect(render(refused)).toBe("It differs:\n  a\nDeclare the values that the pipe has.");
  });

  test.each<Finding>(["pipe-appeared", "similar-pipe-appeared", "several-pipes-appeared", "may-exist"])(
    "about a replacement says first to take the replaced resource out of the stack: %s",
    (finding) => {
      const unclear = new DatapipesError("conflict", "It failed.", { finding });
      expect(render(unclear, { isReplacement: true })).toMatch(
        /run `pulumi state delete <URN of the resource>` and set adopt to its id/,
      );
      expect(render(unclear)).not.toContain("pulumi state delete");
    },
  );

  test.each<[number, Finding | undefined]>([
    [405, "deletion-refused"],
    ...[400, 404, 413, 501].map((status): [number, undefined] => [status, undefined]),
  ])(
    "about a refused deletion of a replaced resource says how to keep it without one more: %d",
    (status, finding) => {
      const refused = new ApiError("bad-request", "It failed.", { answer: answerOf(remove, { status }) });
      const error =
        finding === undefined ? refused : new DatapipesError("conflict", "No.", { cause: refused, finding });
      expect(render(error, { isReplacement: true })).toMatch(
        /To keep it, run `pulumi state delete .* `pulumi up`\.$/,
      );
      expect(render(error)).not.toContain("pulumi state delete");
    },
  );

  test("of another error stays unchanged", () => {
    expect([render(new TypeError("a bug")), render("a text")]).toEqual(["a bug", "a text"]);
  });
});

test.each<Finding>([
  "several-pipes-appeared",
  "similar-pipe-appeared",
  "pipe-appeared",
  "not-created",
  "may-exist",
])(
  "after a create with the finding %s, nothing advises a command that could make a second pipe",
  (finding) => {
    const answer = answerOf(create, { status: 504 });
    const said = nextStepOf(new DatapipesError("server-error", "It failed.", { answer, finding }));
    expect(said).not.toMatch(/again|pulumi/i);
    expect(said).toMatch(/adopt|console/);
  },
);
