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

test("a preview names all wrong values at once, with key, variable and command, and no secret", async () => {
  const simulator = await newSimulator();
  const secret = canary("key-secret");
  const stack = await newStack({ program });
  const nothing = await stack.preview({ expectFailure: true });
  expectNamed(nothing.output, ["apiKeyId", "apiKeySecret", "baseUrl", "organizationId", "serviceId"]);

  const { apiKeyId, organizationId, serviceIds } = simulator.account;
  await stack.setConfig({
    apiKeyId,
    serviceId: (serviceIds[0] ?? "").slice(0, 23),
    rateLimit: "0/10s",
    organizationId: "my-organization",
    requestTimeoutSeconds: "soon",
    baseUrl: simulator.url.replace("//", `//user:${secret}@`),
  });
  Object.assign(stack.env, { DATAPIPES_MAX_RETRIES: "many", DATAPIPES_API_KEY_SECRET: `${secret}\n` });
  const malformed = await stack.preview({ expectFailure: true });
  const correct = ["apiKeyId", "allowInsecure", "rateLimitTimeoutSeconds"];
  const wrong = Object.keys(SETTINGS).filter((name) => !correct.includes(name));
  expectNamed(malformed.output, wrong);
  const diagnostics = diagnosticsOf(malformed.output);
  expect(diagnostics).toContain("datapipes:apiKeySecret cannot be used: it ends with a line break. Set it");
  expect(diagnostics).toContain(", expected an https URL without user");
  expect(leaks({ output: malformed.output }, [secret])).toEqual([]);

  const right = { baseUrl: simulator.url, organizationId, requestTimeoutSeconds: "9", maxRetries: "1" };
  await stack.setConfig({ ...right, rateLimit: "off" }, { apiKeySecret: simulator.account.apiKeySecret });
  await stack.removeConfig("serviceId");
  expectNamed((await stack.preview({ expectFailure: true })).output, ["serviceId"]);
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

const PLAIN_SECRET = "pulumi config set --secret datapipes:apiKeySecret";

test("a plain key secret and unencrypted requests cause one warning each at every preview", async () => {
  const apiKeySecret = canary("key-secret");
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, apiKeySecret }] });
  const stack = await newStack({ simulator, program });
  const { output: quiet } = await stack.preview();
  expect(quiet).not.toMatch(/warning/);

  await stack.setConfig({ apiKeySecret, allowInsecure: "true" });
  const warned = await stack.preview();
  expect(warned.output).toContain(PLAIN_SECRET);
  expect(diagnosticsOf(warned.output)).toContain("warning: datapipes:allowInsecure is");
  expect(diagnosticsOf(warned.output).match(/warning: /g)).toHaveLength(2);

  await stack.write("exports.pipes = datapipes.getPipes({}).then(({ pipes }) => pipes.length);");
  const { output: ofFunction } = await stack.preview();
  expect(ofFunction).toContain(PLAIN_SECRET);

  // A provider of the program takes from the stack's configuration what it is not given.
  await stack.setConfig({ apiKeySecret, baseUrl: "http://api.invalid" });
  const pipes = pipesProgram({ orders: minimal.kafka }, "{ provider: eu }");
  await stack.write(`const eu = new datapipes.Provider("eu", {});\n${pipes}`);
  const ofProvider = await stack.preview();
  expect(ofProvider.output).toContain(PLAIN_SECRET);
  expect(ofProvider.output).toContain("http://api.invalid uses plain http");

  // A mistake in an argument of the provider is corrected there, for resources and data functions.
  const call = "datapipes.getPipes({}, { provider: eu }).catch(({ message }) => pulumi.log.info(message));";
  await stack.write(`const eu = new datapipes.Provider("eu", { serviceId: "shop" });\n${pipes};\n${call}`);
  const mistaken = await stack.preview({ expectFailure: true });
  const remedies = diagnosticsOf(mistaken.output).match(
    /for an explicit Provider, set the argument serviceId\./g,
  );
  expect(remedies?.length).toBeGreaterThanOrEqual(isNative ? 1 : 2);
  expect(leaks({ warned: warned.output, ofProvider: ofProvider.output }, [apiKeySecret])).toEqual([]);
});
