import { canary, leaks } from "../kit/canary";
import { answer, accountOf, newSimulator, type Simulator } from "../kit/simulator";
import { soundStack } from "../kit/doctor";
import type { TestStack } from "../kit/stack";
import { diagnose, expectBad, findingOf, newFolder } from "./doctor";

const secret = canary("key-secret");
const account = { ...accountOf(1), apiKeyId: "key-id-1234", apiKeySecret: secret };
const { organizationId } = account;

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

test("a sound setup has only good findings, in a fixed order, after one request", async () => {
  const headers = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "7" };
  simulator.control.fault({ operationId: "listPipes", ...answer([]), headers });
  const diagnosis = await diagnose(stack);
  expectBad(diagnosis);
  expect(diagnosis.findings.map(({ check }) => check)).toEqual([
    "node",
    "sdk",
    "cli",
    "package",
    "stack",
    "datapipes:apiKeyId",
    "datapipes:apiKeySecret",
    "datapipes:baseUrl",
    "datapipes:organizationId",
    "datapipes:serviceId",
    "datapipes:rateLimit",
    "defaults",
    "listPipes",
  ]);
  for (const [check, message] of [
    ["datapipes:apiKeyId", /"key-…" \(stack dev\)/],
    ["datapipes:apiKeySecret", /is set \(stack dev, encrypted\)/],
    ["defaults", /the defaults apply: .*datapipes:maxRetries "4", .*\./],
    [
      "listPipes",
      /^listPipes returned 200 in \d+ ms: .* has 0 pipes\. The server reports its rate limit: x-ratelimit-limit "10", x-ratelimit-remaining "7"\.$/,
    ],
  ] as const)
    expect(findingOf(diagnosis, check)?.message).toMatch(message);
  expect(simulator.control.requests().map(({ operationId }) => operationId)).toEqual(["listPipes"]);
  expect(leaks({ output: diagnosis.run.output }, [secret])).toEqual([]);
});

test("no value of an encrypted setting is shown", async () => {
  const encrypted = await soundStack(simulator, { secrets: { apiKeyId: account.apiKeyId } });
  const message = findingOf(await diagnose(encrypted), "datapipes:apiKeyId")?.message;
  expect(message).toBe("datapipes:apiKeyId is set (stack dev, encrypted).");
});

test("the text has a mark for each finding, the fix below it, and a summary as its last line", async () => {
  const good = await stack.datapipes(["doctor"]);
  expect(good.stdout).toMatch(/^✔ Node .*\n✔ @pulumi\/pulumi .*\n✔ Pulumi CLI /);
  expect(good.stdout).toMatch(/\n\nNo problems found\.\n$/);
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

test("in a folder without a project, the environment has the settings, and a warning says so", async () => {
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

test("a missing and a malformed setting have the commands that set them", async () => {
  const other = await soundStack(simulator, { config: { maxRetries: "many" } });
  await other.removeConfig("organizationId");
  const diagnosis = await diagnose(other);
  expectBad(
    diagnosis,
    [
      "datapipes:organizationId failed",
      "datapipes:organizationId is not set, and neither is DATAPIPES_ORGANIZATION_ID in the environment.",
      "pulumi config set datapipes:organizationId <value>",
    ],
    ["datapipes:maxRetries failed", /"many"/, "pulumi config set datapipes:maxRetries <value>"],
  );
  await other.pulumi(["config", "set", "datapipes:maxRetries", "3"]);
  await other.pulumi(["config", "set", "datapipes:organizationId", organizationId]);
  expectBad(await diagnose(other));
});
