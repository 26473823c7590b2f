import { canary, leaks } from "../../testkit/canary";
import { minimal, pipesProgram } from "../../testkit/pipes";
import { newSimulator, takeWrites } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const program = pipesProgram({ orders: minimal.kafka });

const variables = {
  apiKeyId: "DATAPIPES_API_KEY_ID",
  apiKeySecret: "DATAPIPES_API_KEY_SECRET",
  baseUrl: "DATAPIPES_BASE_URL",
  organizationId: "DATAPIPES_ORGANIZATION_ID",
  serviceId: "DATAPIPES_SERVICE_ID",
  rateLimit: "DATAPIPES_RATE_LIMIT",
  requestTimeoutSeconds: "DATAPIPES_REQUEST_TIMEOUT_SECONDS",
  maxRetries: "DATAPIPES_MAX_RETRIES",
};
type Key = keyof typeof variables;

/** The message names the key, the variable and the command. */
function expectMessage(output: string, key: Key): void {
  const command = key === "apiKeySecret" ? "pulumi config set --secret" : "pulumi config set";
  expect(output).toContain(`datapipes:${key}`);
  expect(output).toContain(variables[key]);
  expect(output).toContain(`${command} datapipes:${key}`);
}

const required: Key[] = ["apiKeyId", "apiKeySecret", "baseUrl", "organizationId", "serviceId"];

test("each missing value is an error at preview that names key, variable and command", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program });
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = simulator.account;
  const values = { apiKeyId, baseUrl: simulator.url, organizationId, serviceId: serviceIds[0] ?? "" };
  for (const key of required) {
    await stack.removeConfig(key);
    const { output } = await stack.preview({ expectFailure: true });
    expectMessage(output, key);
    for (const other of required.filter((name) => name !== key))
      expect(output).not.toContain(`datapipes:${other}`);
    if (key === "apiKeySecret") await stack.setConfig({}, { apiKeySecret });
    else await stack.setConfig({ [key]: values[key as keyof typeof values] });
  }
  await stack.up();
  expect(takeWrites(simulator)).toHaveLength(1);
});

const malformed: [Key, string][] = [
  ["baseUrl", "not an address"],
  ["baseUrl", "http://api.example.com"],
  ["baseUrl", "ftp://127.0.0.1"],
  ["organizationId", "my-organization"],
  ["serviceId", "0a1b2c3d-0000-4000-8000"],
  ["rateLimit", "fast"],
  ["rateLimit", "0/10s"],
  ["requestTimeoutSeconds", "soon"],
  ["requestTimeoutSeconds", "-1"],
  ["maxRetries", "1.5"],
];

test("each malformed value is an error at preview, from configuration and from the environment", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program });
  await stack.removeConfig("rateLimit");
  const { organizationId, serviceIds } = simulator.account;
  const good: Partial<Record<Key, string>> = {
    baseUrl: simulator.url,
    organizationId,
    serviceId: serviceIds[0] ?? "",
  };
  for (const [key, value] of malformed) {
    await stack.setConfig({ [key]: value });
    const { output } = await stack.preview({ expectFailure: true });
    expectMessage(output, key);
    const restored = good[key];
    if (restored === undefined) await stack.removeConfig(key);
    else await stack.setConfig({ [key]: restored });
  }
  stack.env["DATAPIPES_MAX_RETRIES"] = "many";
  expectMessage((await stack.preview({ expectFailure: true })).output, "maxRetries");
  expect(simulator.control.requests()).toEqual([]);
});

test("reads every setting from the environment, and stack configuration wins over it", async () => {
  const simulator = await newSimulator();
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = simulator.account;
  const env = {
    DATAPIPES_API_KEY_ID: apiKeyId,
    DATAPIPES_API_KEY_SECRET: apiKeySecret,
    DATAPIPES_BASE_URL: `${simulator.url}/`,
    DATAPIPES_ORGANIZATION_ID: organizationId,
    DATAPIPES_SERVICE_ID: serviceIds[0] ?? "",
    DATAPIPES_RATE_LIMIT: "off",
  };
  const stack = await newStack({ program, env });
  await stack.up();
  expect(takeWrites(simulator).map(({ path }) => path)).toEqual(["/pipes"]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });

  await stack.setConfig({ apiKeyId: "another" });
  const failed = await stack.refresh({ expectFailure: true, flags: ["--run-program"] });
  expect(failed.output).toContain("401");
});

test("an API key secret in plain configuration causes a warning that does not show it", async () => {
  const apiKeySecret = canary("key-secret");
  const account = {
    apiKeyId: "key-id",
    apiKeySecret,
    organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
    serviceIds: ["0a1b2c3d-0000-4000-8000-000000000002"],
  };
  const simulator = await newSimulator({ accounts: [account] });
  const stack = await newStack({
    simulator,
    program: pipesProgram({ orders: minimal.kafka, other: minimal.kinesis }),
  });
  const secretly = await stack.preview();
  expect(secretly.output).not.toMatch(/warning/);

  await stack.setConfig({ apiKeySecret });
  const plainly = await stack.preview();
  expect(plainly.output).toContain("pulumi config set --secret datapipes:apiKeySecret");
  expect(plainly.output).toContain(" 1 warning\n");
  const up = await stack.up();
  expect(leaks({ preview: plainly.output, up: up.output }, [apiKeySecret])).toEqual([]);

  await stack.write("exports.pipes = datapipes.getPipes({}).then(({ pipes }) => pipes.length);");
  expect((await stack.preview()).output).toContain("pulumi config set --secret datapipes:apiKeySecret");

  // A provider of the program takes from the stack's configuration what it is not given.
  const pipes = pipesProgram({ orders: minimal.kafka }, "{ provider: eu }");
  await stack.write(`const eu = new datapipes.Provider("eu", {});\n${pipes}`);
  expect((await stack.preview()).output).toContain("pulumi config set --secret datapipes:apiKeySecret");
});
