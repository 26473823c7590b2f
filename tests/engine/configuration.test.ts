import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, leaks } from "../kit/canary";
import { diagnosticsOf, expectNoChanges } from "./expectations";
import { minimal, pipesProgram } from "../kit/pipes";
import { newSimulator, takeMethods, variablesOf } from "../kit/simulator";
import { newStack } from "../kit/stack";

const program = pipesProgram({ orders: minimal.kafka, other: minimal.kinesis });

/** How the diagnostics say where to set a value, sorted. */
const remediesIn = (output: string): string[] =>
  [...(diagnosticsOf(output).match(/`pulumi config set [^`]+` or as \w+/g) ?? [])].sort();

test("a preview names all missing settings at once, with their variables and commands", async () => {
  const stack = await newStack({ program });
  const { output } = await stack.preview({ expectFailure: true });
  expect(remediesIn(output)).toEqual([
    "`pulumi config set --secret datapipes:apiKeySecret` or as DATAPIPES_API_KEY_SECRET",
    "`pulumi config set datapipes:apiKeyId <value>` or as DATAPIPES_API_KEY_ID",
    "`pulumi config set datapipes:baseUrl <value>` or as DATAPIPES_BASE_URL",
    "`pulumi config set datapipes:organizationId <value>` or as DATAPIPES_ORGANIZATION_ID",
    "`pulumi config set datapipes:serviceId <value>` or as DATAPIPES_SERVICE_ID",
  ]);
});

test("a preview names all malformed settings at once, sends nothing, and shows no secret", async () => {
  const simulator = await newSimulator();
  const secret = canary("key-secret");
  const config = {
    apiKeyId: "key",
    serviceId: "0a1b2c3d-0000",
    rateLimit: "0/10s",
    organizationId: "my-organization",
    requestTimeoutSeconds: "soon",
    baseUrl: simulator.url.replace("//", `//user:${secret}@`),
  };
  const env = { DATAPIPES_MAX_RETRIES: "many", DATAPIPES_API_KEY_SECRET: `${secret}\n` };
  const stack = await newStack({ program, config, env });
  const { output } = await stack.preview({ expectFailure: true });
  expect(remediesIn(output)).toEqual([
    "`pulumi config set --secret datapipes:apiKeySecret` or as DATAPIPES_API_KEY_SECRET",
    "`pulumi config set datapipes:baseUrl <value>` or as DATAPIPES_BASE_URL",
    "`pulumi config set datapipes:maxRetries <value>` or as DATAPIPES_MAX_RETRIES",
    "`pulumi config set datapipes:organizationId <value>` or as DATAPIPES_ORGANIZATION_ID",
    "`pulumi config set datapipes:rateLimit <value>` or as DATAPIPES_RATE_LIMIT",
    "`pulumi config set datapipes:requestTimeoutSeconds <value>` or as DATAPIPES_REQUEST_TIMEOUT_SECONDS",
    "`pulumi config set datapipes:serviceId <value>` or as DATAPIPES_SERVICE_ID",
  ]);
  const diagnostics = diagnosticsOf(output);
  expect(diagnostics).toContain("datapipes:apiKeySecret cannot be used: it ends with a line break. Set it");
  expect(diagnostics).toContain(", expected an https URL without user");
  expect(leaks({ output }, [secret])).toEqual([]);
  expect(simulator.control.requests()).toEqual([]);
});

test("the environment sets account, address and rate limit, unless the stack sets them", async () => {
  const simulator = await newSimulator();
  const baseUrl = { DATAPIPES_BASE_URL: `${simulator.url}/v1/` };
  const env = { ...variablesOf(simulator), ...baseUrl, DATAPIPES_RATE_LIMIT: "off" };
  const stack = await newStack({ program, env });
  await stack.up();
  expect(takeMethods(simulator)).toEqual(["POST", "POST"]);
  await expectNoChanges(stack);

  await stack.setConfig({ apiKeyId: "another" });
  const failed = await stack.refresh({ expectFailure: true, flags: ["--run-program"] });
  expect(failed.output).toMatch(/returned 401\b/);
});

test("a preview warns once of each key that is not a setting, and suggests the nearest one", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program });
  await stack.setConfig({ maxretries: "2", serviceID: "x", color: "red", "app:serviceID": "y" });
  const { output } = await stack.preview();
  const diagnostics = diagnosticsOf(output);
  expect(diagnostics).toContain("datapipes:maxretries is not a setting; did you mean datapipes:maxRetries?");
  expect(diagnostics).toContain("datapipes:serviceID is not a setting; did you mean datapipes:serviceId?");
  expect(diagnostics).toContain("datapipes:color is not a setting; the settings are datapipes:apiKeyId,");
  expect(diagnostics.match(/is not a setting/g)).toHaveLength(3);
});

describe("a correct configuration with a plain key secret", () => {
  const apiKeySecret = canary("key-secret");
  const warning = "pulumi config set --secret datapipes:apiKeySecret";
  const explicit = 'const eu = new datapipes.Provider("eu", {});\n';
  const calling = "exports.pipes = datapipes.getPipes({}).then(({ pipes }) => pipes.length);";

  test.each([
    ["pipes", program],
    ["data functions", calling],
    ["an explicit provider", explicit + pipesProgram({ orders: minimal.kafka }, "{ provider: eu }")],
  ])("causes one warning, which does not show it, for a program of %s", async (_, program) => {
    const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, apiKeySecret }] });
    const stack = await newStack({ simulator, program });
    expect((await stack.preview()).output).not.toMatch(/warning/);

    await stack.setConfig({ apiKeySecret });
    const { output } = await stack.preview();
    expect(diagnosticsOf(output).match(/warning: /g)).toHaveLength(1);
    expect(output).toContain(warning);
    expect(leaks({ output }, [apiKeySecret])).toEqual([]);
  });
});

test("a permission for plain HTTP, and each preview that uses it, cause one warning", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program, config: { allowInsecure: "true" } });
  const allowed = diagnosticsOf((await stack.preview()).output);
  expect(allowed.match(/warning: /g)).toHaveLength(1);
  expect(allowed).toContain("warning: datapipes:allowInsecure is");

  await stack.setConfig({ baseUrl: "http://api.invalid" });
  for (const { output } of [await stack.preview(), await stack.preview()])
    expect(diagnosticsOf(output).match(/http:\/\/api\.invalid uses plain http/g)).toHaveLength(1);
});

test("the errors of a pipe and a data function name the argument of their explicit provider", async () => {
  const calling =
    "datapipes.getPipes({}, { provider: eu }).catch(({ message }) => pulumi.log.info(message));";
  const stack = await newStack({
    simulator: await newSimulator(),
    program: `const eu = new datapipes.Provider("eu", { serviceId: "shop" });
${pipesProgram({ orders: minimal.kafka }, "{ provider: eu }")};\n${calling}`,
  });
  const { output } = await stack.preview({ expectFailure: true });
  const remedies = diagnosticsOf(output).match(/for an explicit Provider, set the argument serviceId\./g);
  expect(remedies).toHaveLength(2);
});
