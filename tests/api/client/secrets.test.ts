import { inspect } from "node:util";
import { DEFAULT_ACCOUNT, type Fault, type FaultKind } from "../../../simulator/src/index";
import { canary, leaks, canaryAt, secretFieldsOf, withCanaries } from "../../kit/canary";
import { connect, failureOf } from "../../kit/client";
import { withValues, type Json } from "../../kit/json";
import { KINDS } from "../../kit/pipe-fields";
import { minimal } from "../../kit/pipes";
import { newSimulator } from "../../kit/simulator";
import { PIPE_ID } from "./every-operation";

const KEY = canary("key");
const PATHS = KINDS.flatMap(secretFieldsOf);
const CANARIES = [KEY, ...PATHS.map((path) => canaryAt(path))];
const SECRETS = [KEY, ...PATHS.filter((path) => !/username|Id$/.test(path)).map((path) => canaryAt(path))];

/** A body with a secret at every place that has one, and with one user name that is a word. */
const sources = KINDS.map((kind) => withCanaries(minimal[kind], kind)["source"]);
const withUser = { "source.postgres.credentials.username": "loader" };
const BODY = withValues({ name: "orders", source: Object.assign({}, ...sources) as Json }, withUser);

/** All that a user can see of an update that fails; the body arrives as it is. */
async function seenOf(...faults: FaultKind[]) {
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, apiKeySecret: KEY }] });
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
const echo: FaultKind = { kind: "echo", withAuthorization: true };
const page = saying(`<html><body>${CANARIES.join(" ")}</body></html>`);
const limited: FaultKind = { kind: "rate-limit", resetSeconds: 0 };
const cut: FaultKind = { kind: "reset-before" };

test.each<[what: string, shown: "message" | "lines", words: string, ...faults: FaultKind[]]>([
  ["that the server repeats with its body and the key", "message", "returned 400 (request", echo],
  ["of a page", "message", "update pipe", page],
  ["of the line of a retry, and of a cut connection", "lines", "retrying", limited, cut, cut],
])("a failed update shows no secret %s", async (_, shown, words, ...faults) => {
  const seen = await seenOf(...faults);
  expect(seen[shown]).toContain(words);
  expect(leaks(seen, CANARIES)).toEqual([]);
});

test.each(SECRETS)(
  "an error that repeats a secret names the request, its id, other words and a next step: %s",
  async (secret) => {
    const { message } = await seenOf(saying({ error: `no: ${secret} here`, requestId: "id-1" }));
    expect(message).toMatch(
      /^update pipe \S+ failed: the server returned 400 \(request id-1\): no: \[secret\] here\. Fix the problem/,
    );
  },
);

test("an error redacts the name of a pipe", async () => {
  const { client, scope } = connect(await newSimulator());
  const body = withValues(BODY, { "source.kinesis.accessKey.secretKey": KEY });
  const { message } = await failureOf(client.updatePipe(scope, PIPE_ID, body, { label: `old ${KEY}` }));
  expect(message).toContain('update pipe "old [secret] (');
});

test("an error shows the words of the server around a user name", async () => {
  const { message, words } = await seenOf(saying({ error: 'user "loader" must not read "orders"' }));
  expect(words).toBe('user [secret] must not read "orders"');
  expect(message).toContain(`: ${words}. Fix the problem that the server reports`);
});

test("an error shows no part of a token that is longer than what it reads of an answer", async () => {
  const simulator = await newSimulator();
  const token = canary("token").repeat(100);
  simulator.control.fault({ operationId: "updatePipe", ...saying({ error: `token ${token} is expired` }) });
  const { client, scope } = connect(simulator);
  const body = withValues(BODY, { "source.kafka.credentials.password": token });
  const { message } = await failureOf(client.updatePipe(scope, PIPE_ID, body));
  expect(message).toContain(": token [secret] is expired. ");
});
