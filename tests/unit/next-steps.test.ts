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
const all = {
  create: operations.createPipe(scope, {}),
  endpoint: operations.createReversePrivateEndpoint(scope, {}),
  list: operations.listPipes(scope),
  rename: operations.updatePipe(scope, "p", { name: "x" }),
  remap: operations.updatePipe(scope, "p", { source: { postgres: { tableMappingsToAdd: [] } } }),
  allow: operations.updateService(scope, { ipAccessList: { add: [] } }),
  remove: operations.deletePipe(scope, "p"),
  removeEndpoint: operations.deleteReversePrivateEndpoint(scope, "e"),
  settings: operations.getPipeSettings(scope, "p"),
  backups: operations.listBackups(scope),
};
const { create, list, rename, remove } = all;
type Case = keyof typeof all;

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

const refused = (status: number, operation: operations.Operation, more: ApiAnswer = {}): ApiError =>
  new ApiError(codeOf(status), "It failed.", { answer: answerOf(operation, { status, ...more }) });

const nextStepAfter = (status: number, operation: operations.Operation, words = ""): string =>
  nextStepOf(refused(status, operation, { words }));

const nextStepWithout = (connection: ConnectionProblem, operation: operations.Operation): string =>
  nextStepOf(
    new ConnectionError("connection", "It failed.", { answer: answerOf(operation, { connection }) }),
  );

const KEY =
  "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key";
const FAILED = "Wait until the server has recovered; the next run repeats the request.";
const AGAIN = "Wait until the API responds again; the next run repeats the request.";
const REFRESH = "Run `pulumi refresh`, which finds out whether it still exists.";
const BUSY = "Wait until other changes of the service have ended.";
const CHANGING = "Wait until the other change has ended; the next run repeats the request.";
const LISTS =
  "Run the same command again, which reads the lists first; if it rotates an encryption key, check in the service's console before whether that was done.";
const RETAIN = 'Declare it unchanged with deletionPolicy: "retain" and run `pulumi up --target <URN>`.';

test.each<[nextStep: string, ...after: `${number} ${Case}`[]]>([
  [`${KEY}; after a change in the configuration, add --run-program to \`pulumi refresh\`.`, "401 list"],
  [`${KEY}.`, "401 create"],
  ["Check the plan of the organization: the API requires a payment.", "402 list"],
  ["Give the API key the permission for this operation, or use another key.", "403 list"],
  ["Check that organizationId and serviceId name a service that exists.", "404 list", "404 create"],
  [REFRESH, "404 rename", "410 rename"],
  [
    RETAIN,
    "404 remove",
    "404 removeEndpoint",
    "413 remove",
    "400 remove",
    "422 removeEndpoint",
    "501 remove",
  ],
  ["Check datapipes:baseUrl: the server there does not offer this operation.", "405 remove", "501 list"],
  ["Check the proxy of the environment: it requires credentials.", "407 list"],
  [BUSY, "409 create", "409 endpoint"],
  [CHANGING, "409 rename", "409 allow", "423 rename"],
  [
    "Declare less in one resource: the server does not accept a request of this size.",
    "413 create",
    "413 allow",
  ],
  ["Check datapipes:baseUrl and any proxy: the request has no body.", "413 list"],
  ["Check the id of the pipe, organizationId and serviceId.", "400 settings"],
  ["Start the service: it is idle or stopped.", "424 create"],
  ["Lower datapipes:rateLimit, or run fewer deployments with this key at a time.", "429 create"],
  ["Check datapipes:baseUrl: the provider does not follow redirects.", "307 list"],
  ["Check datapipes:baseUrl.", "418 list"],
  [AGAIN, "408 list", "499 rename"],
  [FAILED, "500 list", "503 rename", "503 remove"],
  ["Run `pulumi refresh`, then `pulumi up`.", "503 remap"],
  [LISTS, "503 allow"],
  [
    "Before the next run, check in the service's console whether it was created.",
    "499 create",
    "500 create",
    "504 endpoint",
  ],
])("%s: this is the next step after %s", (nextStep, ...after) => {
  for (const each of after) {
    const [status = "", operation = ""] = each.split(" ");
    expect([each, nextStepAfter(Number(status), all[operation as Case])]).toEqual([each, nextStep]);
    if (Number(status) < 500 || status === "501") continue;
    const lost = nextStepWithout("connection-reset", all[operation as Case]);
    expect([each, lost]).toEqual([each, nextStep === FAILED ? AGAIN : nextStep]);
  }
});

test.each<[words: string, operation: Case, nextStep: string]>([
  ["a pipe of this name is there", "create", "Choose another name."],
  ["orders already exists", "create", "Choose another name."],
  ["pipes like this exist", "create", "Choose another name."],
  ["orders is in use", "create", "Choose another name."],
  ["the table does not exist", "create", BUSY],
  ["the rename goes on", "create", BUSY],
  ["it exists", "endpoint", BUSY],
  ["it exists", "rename", CHANGING],
])("a conflict with the words %p at %s causes one advice", (words, operation, nextStep) => {
  expect(nextStepAfter(409, all[operation], `CONFLICT: ${words}`)).toBe(nextStep);
});

test("a refusal names a correction only where the server names a reason", () => {
  const silent = "Compare the arguments with the API document: the server gives no reason.";
  for (const status of [400, 422]) {
    expect(nextStepAfter(status, rename, "BAD_REQUEST: name is taken")).toBe(
      "Correct what the server objects to.",
    );
    expect(nextStepAfter(status, rename)).toBe(silent);
    expect(nextStepAfter(status, list)).toBe("Check organizationId and serviceId.");
  }
  expect(nextStepAfter(400, create, "BAD_REQUEST")).toBe(silent);
  expect(nextStepAfter(422, create, "Unprocessable Entity.")).toBe(silent);
});

const statuses = [
  302, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 413, 418, 422, 423, 424, 429, 499, 500, 501, 503,
];
const said = Object.values(all).flatMap((operation) =>
  statuses.flatMap((status) =>
    ["", "BAD: it is wrong", "CONFLICT: the name exists"].map((words) => ({
      operation,
      case: `${operation.name} after ${status} (${words})`,
      nextStep: nextStepAfter(status, operation, words),
    })),
  ),
);

/** What no next step of such an operation may say. */
test.each<[rule: string, applies: (method: string, name: string) => boolean, says: RegExp]>([
  ["a request without a body is not too large", (method) => /GET|DELETE/.test(method), /Declare less/],
  ["a request without a body has no arguments", (method) => /GET|DELETE/.test(method), /arguments/],
  ["what exists is not looked for by its service's ids", (method) => method === "DELETE", /organizationId/],
  ["an endpoint has no name", (_, name) => name.includes("Endpoint"), /another name/],
  ["a refresh reads no endpoint", (_, name) => name.includes("Endpoint"), /pulumi refresh/],
  ["a refresh reads no settings of a service", (_, name) => name === "updateService", /pulumi refresh/],
  ["a create is not sent again blindly", (method) => method === "POST", /next run repeats|pulumi up/],
  ["only what is deleted has a policy of deletion", (method) => method !== "DELETE", /deletionPolicy/],
])("no status of any operation breaks the rule: %s", (_, applies, says) => {
  const asked = said.filter(({ operation }) => applies(operation.method, operation.name));
  expect(asked.filter(({ nextStep }) => says.test(nextStep))).toEqual([]);
  expect(asked).not.toEqual([]);
});

test("each operation has one next step, one sentence, after each status", () => {
  const oneSentence = /^[A-Z][^.]*(\.[^.\s][^.]*)*\.$/;
  expect(said.filter(({ nextStep }) => !oneSentence.test(nextStep))).toEqual([]);
});

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
  const steps = new Set(Object.values(all).map((operation) => nextStepWithout(connection, operation)));
  expect([...steps]).toEqual([expect.stringMatching(nextStep)]);
  expect([...steps].join()).not.toMatch(/again/);
});

test("after what is not of the API, the next step is to check the address, also after a write", () => {
  const page = (status: number): string => nextStepOf(refused(status, list, { isPage: true }));
  expect(page(403)).toMatch(/^Check datapipes:baseUrl: an HTML page/);
  expect(page(502)).toBe(FAILED);
  for (const { name } of [list, rename, create])
    expect(nextStepOf(new InvalidResponseError("It failed.", { status: 200, operation: name }))).toBe(
      "Check that datapipes:baseUrl is the address of the API itself.",
    );
});

describe("a message", () => {
  const cause = refused(503, rename);

  test("has the causes first, then what was found, then whether the resource exists, then one next step", () => {
    const found = new DatapipesError("server-error", "It is gone.", { cause, finding: "pipe-not-listed" });
    expect(render(found, { inStack: "Pipe" })).toBe(
      `It failed. It is gone. The pipe stays in the stack. ${REFRESH}`,
    );
    expect(render(found, { inStack: "ServiceSettings" })).toContain("The resource stays in the stack.");
  });

  test("has the next step of its cause where nothing else was found", () => {
    const explained = new DatapipesError("server-error", "It cannot be read.", { cause });
    expect(render(explained)).toBe(`It failed. It cannot be read. ${FAILED}`);
  });

  test("has no added next step where its own words say what to do, and of another error stays unchanged", () => {
    expect(render(new ConfigurationError(["Set a.", "Set b."]))).toBe("Set a.\nSet b.");
    expect(render(new DatapipesError("invalid-argument", "getPipe failed: a."))).toBe("getPipe failed: a.");
    expect([render(new TypeError("a bug")), render("a text")]).toEqual(["a bug", "a text"]);
  });

  test("puts the next step on a line of its own after a list", () => {
    const differs = new DatapipesError("conflict", "It differs:\n  a\n", { finding: "not-adoptable" });
    expect(render(differs)).toBe("It differs:\n  a\nDeclare the values that the pipe has.");
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
    [400, undefined],
    [404, undefined],
    [413, undefined],
    [501, undefined],
  ])(
    "about a refused deletion of a replaced resource says how to keep it without one more: %d",
    (status, finding) => {
      const cause = refused(status, remove);
      const error = finding === undefined ? cause : new DatapipesError("conflict", "No.", { cause, finding });
      expect(render(error, { isReplacement: true })).toMatch(
        /To keep it, run `pulumi state delete .* `pulumi up`\.$/,
      );
      expect(render(error)).not.toContain("pulumi state delete");
    },
  );
});

test.each<Finding>([
  "several-pipes-appeared",
  "similar-pipe-appeared",
  "pipe-appeared",
  "not-created",
  "may-exist",
])(
  "nothing advises a command that could make a second pipe after a create with the finding %s",
  (finding) => {
    const answer = answerOf(create, { status: 504 });
    const advice = nextStepOf(new DatapipesError("server-error", "It failed.", { answer, finding }));
    expect(advice).not.toMatch(/again|pulumi/i);
    expect(advice).toMatch(/adopt|console/);
  },
);
