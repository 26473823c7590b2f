import { codeOf, failureOfStatus } from "../../provider/src/api/http/failures";
import { OPERATIONS, type OperationName } from "../../provider/src/api/operations";
import { ConfigurationError, DatapipesError, InvalidResponseError } from "../../provider/src/messages/errors";
import type { ApiAnswer, ConnectionProblem, Finding } from "../../provider/src/messages/errors";
import { render } from "../../provider/src/messages/next-steps";

const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/** An error of a request that failed, as the transport makes it. */
function failed(operation: OperationName, more: ApiAnswer): DatapipesError {
  const code = more.status === undefined ? "connection" : codeOf(more.status);
  const { status = 0, connection } = more;
  const failure = connection === undefined ? failureOfStatus(status) : "lost";
  const answer = { operation, failure, ...more };
  return new DatapipesError(code, "It failed.", { answer });
}

/** The message without its summary. */
const nextStepOf = (error: DatapipesError): string => {
  const message = render(error);
  expect(message.startsWith(`${error.summary} `)).toBe(true);
  return message.slice(error.summary.length + 1);
};

const KEY =
  "Check that datapipes:apiKeyId and datapipes:apiKeySecret are not swapped and belong to an active key";
const REFRESH = "Run `pulumi refresh`, which finds out whether it still exists.";
const RETAIN =
  'Declare it with deletionPolicy: "retain" and no other change, and run `pulumi up --target <URN of the resource>`.';
const CHECK_IDS = "Check the ID or name, organizationId and serviceId.";
const SEE_UPDATE = "Run `pulumi refresh`, which shows the fields of the pipe now, then `pulumi up`.";
const RECOVER = "Wait until the server has recovered; the next run repeats the request.";
const LOOK = "Check in the service's console whether it exists: if so, set adopt to its ID.";
const WAIT = "Wait until other changes to the service finish.";
const ADOPT =
  "Wait until other changes to the service finish; if the service already has this pipe, set adopt to its ID.";
const CORRECT = "Fix the problem that the server reports.";
const CORRECT_OR_REFRESH =
  "Fix the problem that the server reports; if an earlier run has sent the change, run `pulumi refresh`.";
const COMPARE = "The server gave no reason: compare the arguments with the API document.";
const CHECK_ADDRESS = "Check that datapipes:baseUrl is the address of the API itself.";

const OTHER_KEY = "Give the API key the permission for this operation, or use another key.";
const NO_SERVICE =
  "Check datapipes:baseUrl, and that organizationId and serviceId name a service that exists.";
const NOT_OFFERED = "Check datapipes:baseUrl: the server there does not offer this operation.";
const START = "Start the service: it is idle or stopped.";
const SLOW_DOWN = "Run fewer deployments with this API key at a time, or lower datapipes:rateLimit.";
const NO_REDIRECTS = "Check datapipes:baseUrl: the provider does not follow redirects.";

/** "cut" is a connection that was cut. */
type Status = number | "cut";

const AFTER: [operation: OperationName, nextStep: string, statuses: Status[], words?: string][] = [
  ["listPipes", `${KEY}.`, [401]],
  ["listPipes", OTHER_KEY, [403]],
  ["listPipes", NO_SERVICE, [404]],
  ["listPipes", NOT_OFFERED, [405, 501]],
  ["listPipes", CORRECT, [402], "no plan"],
  ["listPipes", CORRECT, [407], "no proxy"],
  ["listPipes", CHECK_IDS, [400, 413, 422]],
  ["listPipes", NO_REDIRECTS, [307]],
  ["listPipes", CHECK_ADDRESS, [418]],
  ["listPipes", RECOVER, [500, 408, "cut"]],
  ["getPipeSettings", CHECK_IDS, [400]],
  ["createPipe", `${KEY}.`, [401]],
  ["createPipe", NO_SERVICE, [404]],
  ["createPipe", ADOPT, [409]],
  ["createPipe", ADOPT, [409], "it already exists"],
  ["createPipe", COMPARE, [413]],
  ["createPipe", COMPARE, [400], "BAD_REQUEST"],
  ["createPipe", COMPARE, [422], "Unprocessable Entity."],
  ["createPipe", START, [424]],
  ["createPipe", SLOW_DOWN, [429]],
  ["createPipe", LOOK, [499, 500, "cut"]],
  ["createReversePrivateEndpoint", WAIT, [409]],
  ["createReversePrivateEndpoint", WAIT, [409], "it exists"],
  ["createReversePrivateEndpoint", LOOK, [504, "cut"]],
  ["updatePipe", REFRESH, [404]],
  ["updatePipe", WAIT, [409]],
  ["updatePipe", WAIT, [409], "it exists"],
  ["updatePipe", CORRECT_OR_REFRESH, [400, 422], "name is taken"],
  ["updatePipe", COMPARE, [400, 422]],
  ["updatePipe", SEE_UPDATE, [499, 503, "cut"]],
  ["updateService", WAIT, [409]],
  ["updateService", COMPARE, [413]],
  ["updateService", RECOVER, [503, "cut"]],
  ["deletePipe", RETAIN, [404, 405, 413, 400, 501]],
  ["deletePipe", RECOVER, [503, "cut"]],
  ["deleteReversePrivateEndpoint", RETAIN, [404, 422]],
];

const failures = AFTER.flatMap(([operation, nextStep, statuses, words = ""]) =>
  statuses.map((status) => ({ operation, nextStep, status, words })),
);

test.each(failures)("after $status $words of $operation, the message names the next step", (failure) => {
  const { nextStep, status, operation, words } = failure;
  const answer: ApiAnswer = status === "cut" ? { connection: "connection-reset" } : { status, words };
  expect(nextStepOf(failed(operation, answer))).toBe(nextStep);
});

const STATUSES = [
  302, 400, 401, 402, 403, 404, 405, 407, 408, 409, 413, 418, 422, 424, 429, 499, 500, 501, 503,
];
const said = OPERATION_NAMES.flatMap((operation) =>
  STATUSES.flatMap((status) =>
    ["", "BAD: it is wrong", "CONFLICT: the name exists"].map((words) => ({
      operation,
      case: `${operation} after ${status} (${words})`,
      nextStep: nextStepOf(failed(operation, { status, words })),
    })),
  ),
);

/** What no next step of such an operation may say. */
test.each<[rule: string, applies: (method: string, name: string) => boolean, says: RegExp]>([
  ["a request without a body has no arguments", (method) => /GET|DELETE/.test(method), /arguments/],
  ["what exists is not looked for by its service's ids", (method) => method === "DELETE", /organizationId/],
  ["a refresh reads no endpoint", (_, name) => name.includes("Endpoint"), /pulumi refresh/],
  ["a refresh reads no settings of a service", (_, name) => name === "updateService", /pulumi refresh/],
  ["a create is not sent again blindly", (method) => method === "POST", /next run repeats|pulumi up/],
  ["only what is deleted has a policy of deletion", (method) => method !== "DELETE", /deletionPolicy/],
])("no status of any operation breaks the rule: %s", (_, applies, says) => {
  const asked = said.filter(({ operation }) => applies(OPERATIONS[operation].method, operation));
  expect(asked.filter(({ nextStep }) => says.test(nextStep))).toEqual([]);
  expect(asked).not.toEqual([]);
});

test("each operation has one next step, one sentence, after each status", () => {
  expect(said.filter(({ nextStep }) => !/^[A-Z][^.]*(\.[^.\s][^.]*)*\.$/.test(nextStep))).toEqual([]);
});

test.each<[ConnectionProblem, RegExp]>([
  ["host-not-found", /host name was not found/],
  ["connection-refused", /No server listens/],
  ["unreachable", /Check the network/],
  ["not-reached-in-time", /Check the network/],
  ["certificate", /NODE_EXTRA_CA_CERTS/],
  ["tls", /uses https/],
  ["not-http", /not HTTP/],
  ["other", /Check the network/],
])("a connection with the problem %s has one next step, whatever the operation", (connection, nextStep) => {
  const steps = OPERATION_NAMES.map((operation) => nextStepOf(failed(operation, { connection })));
  const [step = ""] = steps;
  expect(new Set(steps).size).toBe(1);
  expect(step).toMatch(nextStep);
  expect(step).not.toMatch(/again/);
});

test("after a timeout, an update is looked at before the next run, and all else gets more time", () => {
  const connection = "no-answer-in-time";
  expect(nextStepOf(failed("updatePipe", { connection }))).toBe(SEE_UPDATE);
  for (const operation of ["listPipes", "updateService", "deletePipe"] as const)
    expect(nextStepOf(failed(operation, { connection }))).toBe("Raise datapipes:requestTimeoutSeconds.");
});

test("after what is not of the API, the next step is to check the address, also after a write", () => {
  const ofPage = (status: number) =>
    nextStepOf(failed("listPipes", { status, failure: failureOfStatus(status, { isUnreadable: true }) }));
  expect(ofPage(403)).toBe(CHECK_ADDRESS);
  expect(ofPage(502)).toBe(RECOVER);
  for (const operation of ["listPipes", "updatePipe", "createPipe"] as const) {
    const answer: ApiAnswer = { status: 200, operation, failure: "unreadable" };
    expect(nextStepOf(new InvalidResponseError("invalid-response", "It failed.", { answer }))).toBe(
      CHECK_ADDRESS,
    );
  }
});

test("a message has causes, findings, whether the resource exists, and one next step, in order", () => {
  const cause = failed("updatePipe", { status: 503 });
  const found = new DatapipesError("server-error", "It is gone.", { cause, finding: "not-found" });
  const message = "It failed. It is gone.";
  const stays = "stays in the stack.";
  expect(render(found, { inStack: "pipe" })).toBe(`${message} The pipe ${stays} ${CHECK_IDS}`);
  // The next step is that of the cause where nothing else was found.
  const explained = new DatapipesError("server-error", "It cannot be read.", { cause });
  expect(render(explained)).toBe(`It failed. It cannot be read. ${SEE_UPDATE}`);
  // After a list, it has a line of its own.
  const differs = new DatapipesError("conflict", "It differs:\n  a\n", { finding: "not-adoptable" });
  expect(render(differs)).toBe(
    "It differs:\n  a\nDeclare the values that the pipe has, or remove these fields from the program.",
  );
});

test("a message adds no next step to its own, and one of another error stays unchanged", () => {
  const invalid = new DatapipesError("invalid-argument", "getPipe failed: a.");
  const errors = [
    new ConfigurationError("configuration", "Set a.\nSet b."),
    invalid,
    new TypeError("a bug"),
    "a text",
  ];
  const messages = ["Set a.\nSet b.", "getPipe failed: a.", "a bug", "a text"];
  expect(errors.map((error) => render(error))).toEqual(messages);
});

const found = (finding: Finding, cause?: DatapipesError) =>
  new DatapipesError("conflict", "It failed.", { cause, finding });
const FINDINGS = ["pipe-not-identified", "may-exist"] as const;

test.each(FINDINGS)("of a replacement with finding %s, the old one leaves the state first", (finding) => {
  expect(render(found(finding), { isReplacement: true })).toMatch(
    /run `pulumi state delete <URN of the resource>` and set adopt to the ID of the new one/,
  );
  expect(render(found(finding))).not.toContain("pulumi state delete");
});

test("after a conflict of a replacement's create, the old one leaves the state first", () => {
  expect(render(failed("createPipe", { status: 409 }), { isReplacement: true })).toContain(
    "if the service already has this pipe, run `pulumi state delete <URN of the resource>` and set adopt to the ID of the new one.",
  );
});

test.each([400, 404, 405, 409, 413, 429, 501, 503])(
  "a refused deletion of a replaced resource says how to keep it without one more: %d",
  (status) => {
    const cause = failed("deletePipe", { status });
    const error = status === 405 ? found("deletion-refused", cause) : cause;
    const kept = /To keep the old one, .* `pulumi state delete .* `pulumi up`\.$/;
    expect(render(error, { isReplacement: true })).toMatch(kept);
    expect(render(error)).not.toContain("pulumi state delete");
  },
);

test.each(FINDINGS)(
  "after a create, the finding %s advises no command that could make a second pipe",
  (finding) => {
    const advice = nextStepOf(found(finding, failed("createPipe", { status: 504 })));
    expect(advice).not.toMatch(/again|pulumi/i);
    expect(advice).toMatch(/adopt|console/);
  },
);
