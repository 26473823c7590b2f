import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { SETTINGS } from "../../provider/src/settings/settings";
import { isNative } from "../kit/program";
import { canary, leaks } from "../kit/canary";
import { diagnosticsOf, expectNoChanges } from "./expectations";
import { minimal, pipesProgram } from "../kit/pipes";
import { newSimulator, takeMethods, variablesOf } from "../kit/simulator";
import { newStack } from "../kit/stack";

const program = pipesProgram({ orders: minimal.kafka, other: minimal.kinesis });

/** The diagnostics name these keys, each once, with its variable and command, and no other. */
function expectNamed(output: string, keys: readonly string[]): void {
  const diagnostics = diagnosticsOf(output);
  const named = Object.entries(SETTINGS).flatMap(([key, { environment }]) => {
    const secret = key === "apiKeySecret" ? "--secret " : "";
    const remedy = `pulumi config set ${secret}datapipes:${key}[^.]*\` or as ${environment} in the environment`;
    return [...diagnostics.matchAll(new RegExp(remedy, "g"))].map(() => key);
  });
  expect(named.sort()).toEqual(keys.toSorted());
}

test("a preview names all missing settings at once, with their variables and commands", async () => {
  const stack = await newStack({ program });
  const { output } = await stack.preview({ expectFailure: true });
  expectNamed(output, ["apiKeyId", "apiKeySecret", "baseUrl", "organizationId", "serviceId"]);
});

test("a preview names all malformed settings at once, sends nothing, and shows no secret", async () => {
  const simulator = await newSimulator();
  const secret = canary("key-secret");
  const config = {
    serviceId: "0a1b2c3d-0000",
    rateLimit: "0/10s",
    organizationId: "my-organization",
    requestTimeoutSeconds: "soon",
    baseUrl: simulator.url.replace("//", `//user:${secret}@`),
  };
  const env = { DATAPIPES_MAX_RETRIES: "many", DATAPIPES_API_KEY_SECRET: `${secret}\n` };
  const stack = await newStack({ program, config: { ...config, apiKeyId: "key" }, env });
  const { output } = await stack.preview({ expectFailure: true });
  expectNamed(output, [...Object.keys(config), "maxRetries", "apiKeySecret"]);
  const diagnostics = diagnosticsOf(output);
  expect(diagnostics).toContain("datapipes:apiKeySecret cannot be used: it ends with a line break. Set it");
  expect(diagnostics).toContain(", expected an https URL without user");
  expect(leaks({ output }, [secret])).toEqual([]);
  expect(simulator.control.requests()).toEqual([]);
});

test("reads account, address and rate limit from the environment; the stack's settings win", async () => {
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

test("a preview warns of keys that are no settings, once each, with the nearest one", async () => {
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

test("a permission for plain HTTP, and its use, cause one warning each at every preview", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program, config: { allowInsecure: "true" } });
  const allowed = diagnosticsOf((await stack.preview()).output);
  expect(allowed.match(/warning: /g)).toHaveLength(1);
  expect(allowed).toContain("warning: datapipes:allowInsecure is");

  await stack.setConfig({ baseUrl: "http://api.invalid" });
  expect((await stack.preview()).output).toContain("http://api.invalid uses plain http");
});

test("a wrong argument of an explicit provider is to be corrected there", async () => {
  const calling =
    "datapipes.getPipes({}, { provider: eu }).catch(({ message }) => pulumi.log.info(message));";
  const stack = await newStack({
    simulator: await newSimulator(),
    program: `const eu = new datapipes.Provider("eu", { serviceId: "shop" });
${pipesProgram({ orders: minimal.kafka }, "{ provider: eu }")};\n${calling}`,
  });
  const { output } = await stack.preview({ expectFailure: true });
  const remedies = diagnosticsOf(output).match(/for an explicit Provider, set the argument serviceId\./g);
  // Of the pipe, and in the dynamic form of the data function.
  expect(remedies?.length).toBeGreaterThanOrEqual(isNative ? 1 : 2);
});
