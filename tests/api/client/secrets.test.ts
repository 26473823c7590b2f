import { inspect } from "node:util";
import { DEFAULT_ACCOUNT, type Fault, type FaultKind } from "../../../simulator/src/index";
import { canary, leaks } from "../../../testkit/canary";
import { newSimulator } from "../../../testkit/simulator";
import { connect, failureOf } from "../../../testkit/connected";
import { PIPE_ID } from "./every-operation";

const SECRETS = {
  ...{ KEY: canary("key"), USER: canary("user"), PASSWORD: canary("password"), STRING: canary("string") },
  ...{ REGISTRY_USER: canary("registry-user"), REGISTRY: canary("registry"), KINESIS: canary("kinesis") },
  ...{ ACCESS_ID: canary("access-id"), ACCESS: canary("access"), POSTGRES: canary("postgres") },
};
const { KEY, USER, PASSWORD, REGISTRY_USER, REGISTRY, STRING, ACCESS_ID, ACCESS, KINESIS, POSTGRES } =
  SECRETS;
const CANARIES = Object.values(SECRETS);

/** A body with a secret at every place that has one. */
const BODY = {
  name: "orders",
  source: {
    kafka: {
      brokers: "open.example:9092",
      credentials: { username: USER, password: PASSWORD },
      schemaRegistry: {
        url: "https://open.example",
        credentials: { username: REGISTRY_USER, password: REGISTRY },
      },
    },
    objectStorage: { connectionString: STRING, accessKey: { accessKeyId: ACCESS_ID, secretKey: ACCESS } },
    kinesis: { accessKey: { accessKeyId: "open-enough", secretKey: KINESIS } },
    postgres: { credentials: { username: "loader", password: POSTGRES } },
  },
};

/** All that a user can see of an update that fails; the body arrives as it is. */
async function seenOf(...faults: FaultKind[]) {
  const accounts = [{ ...DEFAULT_ACCOUNT, apiKeySecret: KEY }];
  const simulator = await newSimulator({ accounts });
  const { client, scope, lines } = connect(simulator, { maxRetries: 1 });
  for (const fault of faults)
    simulator.control.fault({ operationId: "updatePipe", ...fault } satisfies Fault);
  const error = await failureOf(client.updatePipe(scope, PIPE_ID, BODY));
  expect(simulator.control.requests()[0]?.body).toEqual(BODY);
  return {
    message: error.message,
    words: error.answer.words ?? "",
    stack: error.stack ?? "",
    json: JSON.stringify(error),
    inspected: inspect(error, { depth: 10, showHidden: true }),
    lines: lines.join("\n"),
  };
}

const saying = (body: unknown): FaultKind => ({ kind: "status", status: 400, body });
test.each<
  [what: string, faults: FaultKind[], shown?: keyof Awaited<ReturnType<typeof seenOf>>, words?: string]
>([
  [
    "that the server repeats with its body and the key",
    [{ kind: "echo", withAuthorization: true }],
    "message",
    "returned 400 (request",
  ],
  ["of a page", [saying(`<html><body>${CANARIES.join(" ")}</body></html>`)]],
  [
    "of the line of a retry and the error of a cut connection",
    [{ kind: "rate-limit", resetSeconds: 0 }, { kind: "reset-before" }, { kind: "reset-before" }],
    "lines",
    "retrying",
  ],
])("a failed update shows no secret %s", async (...[, faults, shown = "message", words = "update pipe"]) => {
  const seen = await seenOf(...faults);
  expect(seen[shown]).toContain(words);
  expect(leaks(seen, CANARIES)).toEqual([]);
});

test.each(Object.entries({ KEY, PASSWORD, REGISTRY, STRING, ACCESS, KINESIS, POSTGRES }))(
  "an error whose words repeat a secret names the request, its id and a next step, and no words: %s",
  async (_, secret) => {
    const { message } = await seenOf(saying({ error: `no: ${secret}`, requestId: "id-1" }));
    expect(message).toMatch(
      /^update pipe \S+ failed: PATCH \S+ returned 400 \(request id-1\): \[left out: it repeats a secret\]\. Compare the arguments/,
    );
  },
);

test("an error redacts the name of a pipe", async () => {
  const { client, scope } = connect(await newSimulator());
  const { message } = await failureOf(client.updatePipe(scope, PIPE_ID, BODY, `old ${KINESIS}`));
  expect(message).toContain('update pipe "old [secret]" (');
});

test("an error shows the words of the server around a user name", async () => {
  const { message, words } = await seenOf(saying({ error: 'user "loader" must not read "orders"' }));
  expect(words).toBe('user "[secret]" must not read "orders"');
  expect(message).toContain(`: ${words}. Correct what the server objects to.`);
});

test("a shortened text leaves no part of a secret", async () => {
  // The cut comes inside the secret, which then is none of the known forms any more.
  const { message } = await seenOf(saying({ error: `${"x".repeat(590)}${PASSWORD}` }));
  expect(message).not.toContain(PASSWORD.slice(0, 8));
});
