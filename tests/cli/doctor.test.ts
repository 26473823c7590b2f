import { canary, leaks } from "../../testkit/canary";
import { answer } from "../../testkit/connected";
import { runFix, soundStack } from "../../testkit/doctor";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";
import { diagnose, findingOf, newFolder, type Folder } from "./doctor";

const secret = canary("key-secret");
const account = {
  apiKeyId: "key-id-1234",
  apiKeySecret: secret,
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000b1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000b2"],
};
const otherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

let simulator: Simulator;
let stack: TestStack;
let folder: Folder;

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

test("a sound set-up has only good findings in a fixed order, takes one request, and shows no secret", async () => {
  const diagnosis = await diagnose(stack);
  const { run, ok, findings, bad } = diagnosis;
  expect({ code: run.code, ok, bad }).toEqual({ code: 0, ok: true, bad: [] });
  const settings = ["apiKeyId", "apiKeySecret", "baseUrl", "allowInsecure", "organizationId", "serviceId"];
  const others = ["rateLimit", "requestTimeoutSeconds", "maxRetries", "rateLimitTimeoutSeconds"];
  expect(findings.map(({ check }) => check)).toEqual([
    ...["node", "sdk", "cli", "package", "project", "backend", "stack"],
    ...[...settings, ...others].map((name) => `datapipes:${name}`),
    "listPipes",
  ]);
  expect(findingOf(diagnosis, "datapipes:apiKeyId")?.message).toContain('"key-id-1234" (stack dev)');
  expect(findingOf(diagnosis, "datapipes:apiKeySecret")?.message).toContain("is set (stack dev, encrypted)");
  expect(findingOf(diagnosis, "datapipes:maxRetries")?.message).toContain('"4" (default)');
  expect(findingOf(diagnosis, "listPipes")?.message).toMatch(
    /^listPipes returned 200 in \d+ ms: .* has 0 pipes\.$/,
  );
  expect(simulator.control.requests().map(({ operationId }) => operationId)).toEqual(["listPipes"]);
  expect(leaks({ stdout: run.stdout, stderr: run.stderr }, [secret])).toEqual([]);
});

test("the text has a mark for each finding, the fix below it, and a summary as its last line", async () => {
  const good = await stack.datapipes(["doctor"]);
  expect(good.stdout).toMatch(/^✔ Node .*\n✔ @pulumi\/pulumi .*\n✔ Pulumi CLI /);
  expect(good.stdout).toMatch(/\n\nEverything is in order\.\n$/);
  expect(good.stderr).toMatch(/^Checking the set-up of .*\nListing the pipes of service .*\n$/);
  const env = { DATAPIPES_ALLOW_INSECURE: "true" };
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 403 });
  const bad = await stack.datapipes(["doctor"], { env, expectFailure: true });
  expect(bad.code).toBe(1);
  expect(bad.stdout).toMatch(/\n! datapipes:allowInsecure is "true".*\n {4}Remove the permission: .*\n/);
  expect(bad.stdout).toMatch(/\n✘ List the pipes .* returned 403.*\n {4}Give the key a role .*\n/);
  expect(bad.stdout).toMatch(/\n\n1 problem, 1 warning\n$/);
});

test("in a folder without a project, the settings come from the environment, and a warning says so", async () => {
  const { run, findings, bad } = await folder.diagnose();
  expect([run.code, bad]).toEqual([0, []]);
  expect(findings).toContainEqual(expect.objectContaining({ check: "project", status: "warning" }));
});

test("the doctor loads no part of the SDK, which may be missing", async () => {
  const text =
    'const m = require("module"); const load = m._load; m._load = (name, ...rest) => { if (name.startsWith("@pulumi/")) throw new Error(name); return load(name, ...rest); };';
  await stack.writeFile("no-sdk.js", text);
  const { code } = await stack.datapipes(["doctor"], { env: { NODE_OPTIONS: "--require ./no-sdk.js" } });
  expect(code).toBe(0);
});

test("what is left of a rate limit is shown as the server states it", async () => {
  const headers = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "7", "x-ratelimit-reset": "5" };
  simulator.control.fault({ operationId: "listPipes", ...answer([]), headers });
  const diagnosis = await folder.diagnose();
  expect(findingOf(diagnosis, "listPipes")?.message).toContain("7 of 10 requests are left for the next 5 s.");
});

const EVIL = "\u001b[2J\u001b]0;t\u0007\r\n\u009b\u202e\u2028";

type Fault = Parameters<Simulator["control"]["fault"]>[0];
const list = { operationId: "listPipes", times: 5 } as const;
const BASE_URL = "`pulumi config set datapipes:baseUrl <value>`";

test.each<[what: string, fault: Fault, message: string | RegExp, fix: string]>([
  ["a page of a console", { ...list, kind: "html", status: 200 }, "service's console", BASE_URL],
  ["a page that is not found", { ...list, kind: "html", status: 404 }, "service's console", BASE_URL],
  ["a redirect", { ...list, kind: "redirect", location: "https://x.example" }, "does not redirect", BASE_URL],
  ["another kind of answer", { ...list, kind: "bad-json" }, "not the API's envelope", "datapipes:baseUrl"],
  [
    "a page of a gateway",
    { ...list, kind: "html", status: 504 },
    "504",
    "Wait until the server has recovered",
  ],
  ["a refused key", { ...list, kind: "status", status: 401 }, "does not know this key", "apiKeySecret"],
  [
    "a forbidden list",
    { ...list, kind: "status", status: 403 },
    "does not let it list",
    "of a key of this organization: `pulumi config set datapipes:apiKeyId <value>` and `pulumi config set --secret datapipes:apiKeySecret`",
  ],
  ["a reached rate limit", { ...list, kind: "rate-limit" }, "429", "run the command again"],
  ["an idle service", { ...list, kind: "status", status: 424 }, "424", "Start the service"],
  [
    "words that control a terminal",
    { ...list, kind: "status", status: 400, body: { error: EVIL } },
    "400",
    "Correct what the server objects to",
  ],
  ["an echoed key", { ...list, kind: "echo", withAuthorization: true }, "400", ""],
])("%s fails with one finding after one request", async (_, fault, message, fix) => {
  simulator.control.fault(fault);
  const { run, bad } = await folder.diagnose();
  expect(run.code).toBe(1);
  expect(bad).toMatchObject([{ check: "listPipes", status: "failed" }]);
  expect(bad[0]?.message).toMatch(message);
  expect(bad[0]?.fix).toContain(fix);
  expect(simulator.control.requests()).toHaveLength(1);
  expect(run.output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
  expect(leaks({ output: run.output }, [secret])).toEqual([]);
});

test("an API that does not answer fails after 10 s at most", async () => {
  simulator.control.fault({ ...list, kind: "hang" });
  const { bad } = await folder.diagnose();
  expect(bad).toMatchObject([{ check: "listPipes", status: "failed" }]);
  expect(bad[0]?.message).toContain("no response within 10 s");
  expect(bad[0]?.fix).toMatch(/^Check the network/);
  expect(simulator.control.requests()).toHaveLength(1);
});

type Row = [what: string, env: () => Record<string, string>, message: string, fix: string];

test.each<Row>([
  [
    "a host that does not exist",
    () => ({ DATAPIPES_BASE_URL: "https://nowhere.invalid" }),
    "no response",
    "DNS",
  ],
  [
    "a port that nothing listens on",
    () => ({ DATAPIPES_BASE_URL: "http://127.0.0.1:1" }),
    "no response",
    "No server listens there",
  ],
  [
    "TLS where there is none",
    () => ({ DATAPIPES_BASE_URL: simulator.url.replace("http:", "https:") }),
    "no response",
    "TLS handshake failed",
  ],
  [
    "an unknown service",
    () => ({ DATAPIPES_SERVICE_ID: otherId }),
    `has no service ${otherId}`,
    "datapipes:serviceId <value>",
  ],
  [
    "a service id that is the organization's",
    () => ({ DATAPIPES_SERVICE_ID: account.organizationId }),
    "datapipes:serviceId is the id of the organization",
    "datapipes:serviceId <value>",
  ],
  [
    "a key of another organization",
    () => ({ DATAPIPES_ORGANIZATION_ID: otherId }),
    `not of organization ${otherId}, there is no such organization, or datapipes:organizationId and datapipes:serviceId are swapped`,
    "datapipes:organizationId <value>",
  ],
])("%s is named with the setting to change", async (_, env, message, fix) => {
  const { bad } = await folder.diagnose(env());
  expect(bad).toMatchObject([{ check: "listPipes", status: "failed" }]);
  expect(bad[0]?.message).toContain(message);
  expect(bad[0]?.fix).toContain(fix);
});

test("a key that the API does not know is not shown whole: it may be the secret in the wrong place", async () => {
  const swapped = { DATAPIPES_API_KEY_ID: secret, DATAPIPES_API_KEY_SECRET: account.apiKeyId };
  const { run, bad } = await folder.diagnose(swapped);
  expect(bad.map(({ check }) => check)).toEqual(["listPipes"]);
  expect(bad[0]?.fix).toContain("each in its place");
  expect(leaks({ output: run.output }, [secret])).toEqual([]);
});

describe("settings", () => {
  test("a missing, a malformed and a misspelt setting have their fixes, and these mend them", async () => {
    const other = await soundStack(simulator, { config: { maxRetries: "many", service_id: "x" } });
    await other.removeConfig("organizationId");
    const { run, bad } = await diagnose(other);
    expect(run.code).toBe(1);
    expect(bad).toEqual([
      {
        check: "datapipes:organizationId",
        status: "failed",
        message: "datapipes:organizationId is not set.",
        fix: "Set it with `pulumi config set datapipes:organizationId <value>` or as DATAPIPES_ORGANIZATION_ID in the environment.",
      },
      expect.objectContaining({ check: "datapipes:maxRetries", status: "failed" }),
      expect.objectContaining({ check: "datapipes:service_id", status: "warning" }),
    ]);
    for (const finding of bad.slice(2)) await runFix(other, finding);
    await other.pulumi(["config", "set", "datapipes:maxRetries", "3"]);
    await other.pulumi(["config", "set", "datapipes:organizationId", account.organizationId]);
    expect((await diagnose(other)).bad).toEqual([]);
  });

  test("a key secret in plain text is a warning until its fix has run", async () => {
    const other = await soundStack(simulator);
    await other.setConfig({ apiKeySecret: secret });
    const { run, ok, bad } = await diagnose(other);
    expect({ code: run.code, ok }).toEqual({ code: 0, ok: true });
    expect(bad).toMatchObject([
      {
        check: "datapipes:apiKeySecret",
        status: "warning",
        fix: "pulumi config set --secret datapipes:apiKeySecret",
      },
    ]);
    expect(leaks({ output: run.output }, [secret])).toEqual([]);
    for (const finding of bad) await runFix(other, finding, secret);
    expect((await diagnose(other)).bad).toEqual([]);
  });

  test("a fix names the stack that was asked for", async () => {
    const other = await soundStack(simulator);
    await other.setConfig({ apiKeySecret: secret });
    await other.pulumi(["stack", "init", "second"]);
    const env = { PULUMI_STACK: "second" };
    const { bad } = await diagnose(other, { env, flags: ["--stack", "dev"] });
    expect(bad.map(({ fix }) => fix)).toEqual([
      "pulumi config set --stack dev --secret datapipes:apiKeySecret",
    ]);
  });

  test("the permission for plain http is warned of where the API's address uses it", async () => {
    const config = { baseUrl: "http://nowhere.invalid", allowInsecure: "true" };
    const { bad } = await diagnose(await soundStack(simulator, { config }));
    expect(bad[0]).toMatchObject({ check: "datapipes:allowInsecure", status: "warning" });
    expect(bad[0]?.fix).toMatch(/^Set an https URL as datapipes:baseUrl, then remove the permission: /);
  });

  test("a variable of the environment that the stack hides is named", async () => {
    const diagnosis = await diagnose(stack, { env: { DATAPIPES_SERVICE_ID: otherId } });
    expect(findingOf(diagnosis, "datapipes:serviceId")?.message).toContain(
      "(stack dev; DATAPIPES_SERVICE_ID has another value, which is not used)",
    );
  });
});
