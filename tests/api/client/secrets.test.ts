import { inspect } from "node:util";
import { DEFAULT_ACCOUNT, type Simulator } from "../../../simulator/src/index";
import { canary, leaks } from "../../../testkit/canary";
import { newSimulator } from "../../../testkit/simulator";
import { connect, failureOf, PIPE, type Connected } from "../../../testkit/connected";

const NAMES = [
  "key",
  "user",
  "password",
  "registry-user",
  "registry",
  "string",
  "access-id",
  "access",
  "kinesis",
  "postgres",
];
const CANARIES = NAMES.map(canary);
const [KEY, USER, PASSWORD, REGISTRY_USER, REGISTRY, STRING, ACCESS_ID, ACCESS, KINESIS, POSTGRES] = CANARIES;

/** A body with a secret at every place that has one. */
const BODY = {
  ...PIPE,
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
const ID = "0a1b2c3d-0000-4000-8000-0000000000ee";

let simulator: Simulator;
let api: Connected;

beforeEach(async () => {
  simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, apiKeySecret: KEY ?? "" }] });
  api = connect(simulator, { maxRetries: 1 });
});
async function seenOf(work: Promise<unknown>): Promise<Record<string, string>> {
  const error = await failureOf(work);
  return {
    message: error.message,
    stack: error.stack ?? "",
    json: JSON.stringify(error),
    inspected: inspect(error, { depth: 10, showHidden: true }),
    lines: api.lines.join("\n"),
  };
}

const update = () => seenOf(api.client.updatePipe(api.scope, ID, BODY));

test("no message shows a body or credential that the server repeats as plain text", async () => {
  simulator.control.fault({ operationId: "updatePipe", kind: "echo", withAuthorization: true });
  const seen = await update();
  expect(seen["message"]).toContain("[secret]");
  expect(seen["message"]).toContain("open.example:9092");
  expect(leaks(seen, CANARIES)).toEqual([]);
});

test("no message shows a body or credential that the server repeats in another encoding", async () => {
  const forms: [string, (text: string) => string][] = [
    ["plain", (text) => text],
    ["JSON", (text) => JSON.stringify(text)],
    ["JSON in JSON", (text) => JSON.stringify(JSON.stringify(text))],
    ["base64", (text) => Buffer.from(text).toString("base64")],
    ["base64url", (text) => Buffer.from(`x${text}`).toString("base64url")],
    ["URL", (text) => encodeURIComponent(text)],
    ["query", (text) => new URLSearchParams({ q: text }).toString()],
  ];
  for (const [form, write] of forms) {
    const error = CANARIES.map(write).join(" | ").slice(0, 580);
    for (const part of [error, CANARIES.slice(5).map(write).join(" | ").slice(0, 580)]) {
      simulator.control.fault({
        operationId: "updatePipe",
        kind: "status",
        status: 400,
        body: { error: part },
      });
      expect([form, leaks(await update(), CANARIES)]).toEqual([form, []]);
    }
  }
});

test("no message quotes a page that repeats a secret", async () => {
  const body = `<html><body>${CANARIES.join(" ")}</body></html>`;
  simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 500, body });
  expect(leaks(await update(), CANARIES)).toEqual([]);
});

test("a shortened text leaves no part of a secret", async () => {
  // The cut comes inside the secret, which then is none of the known forms any more.
  const error = `${"x".repeat(590)}${PASSWORD ?? ""}`;
  simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 400, body: { error } });
  const { message } = await update();
  expect(message).not.toContain((PASSWORD ?? "").slice(0, 8));
});

test("no secret is in the error of a cut connection or in the line of a retry", async () => {
  simulator.control.fault({ operationId: "updatePipe", kind: "rate-limit", resetSeconds: 0 });
  simulator.control.fault({ operationId: "updatePipe", kind: "reset-before" });
  const seen = await update();
  expect(seen["lines"]).toContain("retrying");
  expect(leaks(seen, CANARIES)).toEqual([]);
});

test("the server's log holds the canaries that the client sent", async () => {
  await update();
  const [request] = simulator.control.requests();
  expect(request?.body).toEqual({
    ...BODY,
    settings: { dbms_max_threads: 4, object_storage_use_cluster_function: true },
  });
});
