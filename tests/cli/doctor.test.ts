import { canary, leaks } from "../../testkit/canary";
import { answer } from "../../testkit/connected";
import { runFix, soundStack, type Diagnosis } from "../../testkit/doctor";
import { accountOf } from "../../testkit/examples";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";
import { diagnose, expectBad, findingOf, newFolder } from "./doctor";

const secret = canary("key-secret");
const account = { ...accountOf(1), apiKeyId: "key-id-1234", apiKeySecret: secret };
const { organizationId } = account;
const otherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

let simulator: Simulator;
let stack: TestStack;
let folder: Awaited<ReturnType<typeof newFolder>>;

beforeAll(async () => {
  // One for all tests of this file: `endStarted` runs after the last of them.
  simulator = await newSimulator({ accounts: [account] });
  stack = await soundStack(simulator);
  folder = await newFolder(simulator);
});

beforeEach(() => {
  simulator.control.clearFaults();
  simulator.control.clearRequests();
});

test("a sound setup has only good findings in a fixed order, takes one request, and shows no secret", async () => {
  const headers = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "7" };
  simulator.control.fault({ operationId: "listPipes", ...answer([]), headers });
  const diagnosis = await diagnose(stack);
  expectBad(diagnosis);
  const settings = ["apiKeyId", "apiKeySecret", "baseUrl", "organizationId", "serviceId", "rateLimit"];
  expect(diagnosis.findings.map(({ check }) => check)).toEqual([
    ...["node", "sdk", "cli", "package", "stack"],
    ...settings.map((name) => `datapipes:${name}`),
    ...["defaults", "listPipes"],
  ]);
  for (const [check, message] of [
    ["datapipes:apiKeyId", /"key-…" \(stack dev\)/],
    ["datapipes:apiKeySecret", /is set \(stack dev, encrypted\)/],
    ["defaults", /the defaults apply: .*datapipes:maxRetries "4", .*\./],
    ["listPipes", /^listPipes returned 200 in \d+ ms: .* has 0 pipes\. .* 7 of 10 requests are left\.$/],
  ] as const)
    expect(findingOf(diagnosis, check)?.message).toMatch(message);
  expect(simulator.control.requests().map(({ operationId }) => operationId)).toEqual(["listPipes"]);
  expect(leaks({ output: diagnosis.run.output }, [secret])).toEqual([]);
});

test("the text has a mark for each finding, the fix below it, and a summary as its last line", async () => {
  const good = await stack.datapipes(["doctor"]);
  expect(good.stdout).toMatch(/^✔ Node .*\n✔ @pulumi\/pulumi .*\n✔ Pulumi CLI /);
  expect(good.stdout).toMatch(/\n\nEverything is in order\.\n$/);
  expect(good.stderr).toMatch(/^Listing the pipes of service .*\n$/);
  const env = { DATAPIPES_ALLOW_INSECURE: "true" };
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 403 });
  const bad = await stack.datapipes(["doctor"], { env, expectFailure: true });
  expect(bad.code).toBe(1);
  expect(bad.stdout).toMatch(/\n! datapipes:allowInsecure is "true".*\n {4}unset DATAPIPES_ALLOW_INSECURE\n/);
  expect(bad.stdout).toMatch(
    /\n✘ List the pipes .* returned 403.*\n {4}Give the API key the permission .*\n/,
  );
  expect(bad.stdout).toMatch(/\n\n1 problem, 1 warning\n$/);
});

test("in a folder without a project, the settings come from the environment, and a warning says so", async () => {
  const diagnosis = await folder.diagnose();
  expectBad(diagnosis);
  expect(findingOf(diagnosis, "stack")?.status).toBe("warning");
});

test("the doctor loads no part of the SDK, which may be missing", async () => {
  const text =
    'const m = require("module"); const load = m._load; m._load = (name, ...rest) => { if (name.startsWith("@pulumi/")) throw new Error(name); return load(name, ...rest); };';
  await stack.writeFile("no-sdk.js", text);
  const { code } = await stack.datapipes(["doctor"], { env: { NODE_OPTIONS: "--require ./no-sdk.js" } });
  expect(code).toBe(0);
});

/** The failed list is the only bad finding, after at most one request; no text controls a terminal or has the secret. */
function expectFailedList(diagnosis: Diagnosis, message: RegExp, fix: RegExp): void {
  expectBad(diagnosis, ["listPipes failed", message, fix]);
  expect(simulator.control.requests().length).toBeLessThanOrEqual(1);
  const { output } = diagnosis.run;
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
  expect(leaks({ output }, [secret])).toEqual([]);
}

type OfAnyOperation<T> = T extends unknown ? Omit<T, "operationId"> : never;
type Fault = OfAnyOperation<Parameters<Simulator["control"]["fault"]>[0]>;

const EVIL = "\u001b[2J\u001b]0;t\u0007\r\n\u009b\u202e\u2028";
const BASE_URL = /^export DATAPIPES_BASE_URL=<value>$/;

test.each<[what: string, fault: Fault, message: RegExp, fix: RegExp]>([
  [
    "a page of a console",
    { kind: "html", status: 200 },
    /Check datapipes:baseUrl|address of the API/,
    BASE_URL,
  ],
  ["a redirect", { kind: "redirect", location: "https://x.example" }, /307/, /does not follow redirects/],
  ["a page of a gateway", { kind: "html", status: 504 }, /504/, /Wait until the server has recovered/],
  ["a refused key", { kind: "status", status: 401 }, /are not swapped/, /^export DATAPIPES_API_KEY_SECRET=/],
  ["a forbidden list", { kind: "status", status: 403 }, /403/, /^Give the API key the permission/],
  ["a reached rate limit", { kind: "rate-limit" }, /429/, /^Lower datapipes:rateLimit/],
  ["words that control a terminal", { kind: "status", status: 400, body: { error: EVIL } }, /400/, /Correct/],
  ["an echoed key", { kind: "echo", withAuthorization: true }, /400/, /./],
  ["an API that does not answer", { kind: "hang" }, /no response within 10 s/, /requestTimeoutSeconds/],
])("%s fails with one finding after one request", async (_, fault, message, fix) => {
  simulator.control.fault({ ...fault, operationId: "listPipes" });
  expectFailedList(await folder.diagnose(), message, fix);
  expect(simulator.control.requests()).toHaveLength(1);
});

test.each<[what: string, setting: string, value: string, message: RegExp, fix: RegExp]>([
  ["a host that does not exist", "BASE_URL", "https://nowhere.invalid", /no response/, /DNS/],
  ["a port that nothing listens on", "BASE_URL", "http://127.0.0.1:1", /no response/, /No server listens/],
  ["TLS where there is none", "BASE_URL", "https://<simulator>", /no response/, /TLS handshake failed/],
  [
    "an unknown service",
    "SERVICE_ID",
    otherId,
    /name a service that exists/,
    /^export DATAPIPES_SERVICE_ID=/,
  ],
])("%s is named with the setting to change", async (_, setting, value, message, fix) => {
  const text = value.replace("<simulator>", new URL(simulator.url).host);
  expectFailedList(await folder.diagnose({ [`DATAPIPES_${setting}`]: text }), message, fix);
});

test("a key that the API does not know is not shown whole: it may be the secret in the wrong place", async () => {
  const swapped = { DATAPIPES_API_KEY_ID: secret, DATAPIPES_API_KEY_SECRET: account.apiKeyId };
  expectFailedList(
    await folder.diagnose(swapped),
    /401.* are not swapped/,
    /^export DATAPIPES_API_KEY_SECRET=/,
  );
});

describe("settings", () => {
  test("a missing and a malformed setting have the commands that set them", async () => {
    const other = await soundStack(simulator, { config: { maxRetries: "many" } });
    await other.removeConfig("organizationId");
    const diagnosis = await diagnose(other);
    expectBad(
      diagnosis,
      [
        "datapipes:organizationId failed",
        "datapipes:organizationId is not set.",
        "pulumi config set datapipes:organizationId <value>",
      ],
      ["datapipes:maxRetries failed", /"many"/, "pulumi config set datapipes:maxRetries <value>"],
    );
    await other.pulumi(["config", "set", "datapipes:maxRetries", "3"]);
    await other.pulumi(["config", "set", "datapipes:organizationId", organizationId]);
    expectBad(await diagnose(other));
  });

  test("a key secret in plain text is a warning until its fix has run, which names the stack that was asked for", async () => {
    const other = await soundStack(simulator);
    await other.setConfig({ apiKeySecret: secret });
    const plain = ["datapipes:apiKeySecret warning", /plain text/] as const;
    const diagnosis = await diagnose(other);
    expectBad(diagnosis, [...plain, "pulumi config set --secret datapipes:apiKeySecret"]);
    expect(leaks({ output: diagnosis.run.output }, [secret])).toEqual([]);
    await other.pulumi(["stack", "init", "second"]);
    const asked = await diagnose(other, { PULUMI_STACK: "second" }, "--stack", "dev");
    expectBad(asked, [...plain, "pulumi config set --stack dev --secret datapipes:apiKeySecret"]);
    for (const finding of diagnosis.bad) await runFix(other, finding, secret);
    expectBad(await diagnose(other));
  });

  test("the permission for plain http is warned of where the API's address uses it", async () => {
    const config = { baseUrl: "http://nowhere.invalid", allowInsecure: "true" };
    const { bad } = await diagnose(await soundStack(simulator, { config }));
    expect(bad[0]).toMatchObject({
      check: "datapipes:allowInsecure",
      status: "warning",
      fix: "pulumi config rm datapipes:allowInsecure",
    });
  });

  test("a variable of the environment that the stack hides is named", async () => {
    const diagnosis = await diagnose(stack, { DATAPIPES_SERVICE_ID: otherId });
    expect(findingOf(diagnosis, "datapipes:serviceId")?.message).toContain(
      "(stack dev; DATAPIPES_SERVICE_ID has another value, which is not used)",
    );
  });
});
