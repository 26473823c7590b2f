import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { plainSecretWarning } from "../../provider/src/settings/stack-configuration";
import { canary, leaks } from "../kit/canary";
import { temporaryFolder } from "../kit/cleanup";
import { settingsOf } from "../kit/plugin";
import { minimal } from "../kit/pipes";
import { secretMarker, UNKNOWN_MARKER } from "../kit/json";
import { newSimulator, type Simulator } from "../kit/simulator";
import { newPlugin } from "./in-process";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

afterEach(() => {
  jest.restoreAllMocks();
});

const checkConfig = async (newInputs: object, name = "eu") =>
  (await newPlugin()).checkConfig(newInputs, name);

/** What the check of a pipe finds when the provider has these settings besides those of the simulator. */
async function failuresWith(settings: object, name = "eu"): Promise<readonly string[]> {
  const plugin = await newPlugin();
  await plugin.configure({ ...settingsOf(simulator), ...settings }, name);
  return (await plugin.check(minimal.kafka)).failures.map(([, reason = ""]) => reason);
}

test("an unknown argument of a provider fails with the nearest name, and shows no value", async () => {
  const secret = canary("misspelt");
  const { inputs, failures } = await checkConfig({ apiKeySecrt: secret, somethingElse: 1, maxRetries: "2" });
  expect(failures).toEqual([
    ["", 'apiKeySecrt is not an argument; did you mean "apiKeySecret"?'],
    [
      "",
      expect.stringMatching(/^somethingElse is not an argument; expected one of apiKeyId, apiKeySecret, /),
    ],
  ]);
  expect(leaks({ failures: JSON.stringify(failures) }, [secret])).toEqual([]);
  expect(inputs["maxRetries"]).toBe("2");
});

test("other keys of the configuration are no failure: the project may have the package's name", async () => {
  expect((await checkConfig({ ownKey: "1" }, "default")).failures).toEqual([]);
  expect((await checkConfig({ ownKey: "1" }, "default_0_1_0")).failures).toEqual([]);
  // A provider of the program, of which some versions of the engine say more.
  expect((await checkConfig({ ownKey: "1" }, "default-eu")).failures).toHaveLength(1);
  expect((await checkConfig({ version: "0.1.0", pluginDownloadURL: "" })).failures).toEqual([]);
});

test("unknown values of a provider pass, and its secret stays marked", async () => {
  const { inputs, failures } = await checkConfig({ apiKeyId: UNKNOWN_MARKER, apiKeySecret: UNKNOWN_MARKER });
  expect(inputs["apiKeyId"]).toEqual(UNKNOWN_MARKER);
  expect(failures).toEqual([]);
  expect(inputs["apiKeySecret"]).toEqual(secretMarker(UNKNOWN_MARKER));
  const marked = { apiKeySecret: secretMarker("word") };
  expect((await checkConfig(marked)).inputs).toEqual(marked);
});

test("a plain key secret in a file of the stack causes a warning, unless a provider has another", async () => {
  const apiKeySecret = canary("key-secret");
  const stackFile = `datapipes:apiKeySecret: ${apiKeySecret}`;
  const folder = await temporaryFolder("plain-secret", { "Pulumi.yaml": "", "Pulumi.dev.yaml": stackFile });
  await mkdir(path.join(folder, "program"));
  jest.replaceProperty(process, "env", { PULUMI_CONFIG: JSON.stringify({ apiKeySecret }) });
  jest.spyOn(process, "cwd").mockReturnValue(path.join(folder, "program"));
  const linesWith = async (newInputs: object, name: string): Promise<string[]> => {
    const plugin = await newPlugin();
    await plugin.checkConfig(newInputs, name);
    return plugin.lines.map(({ severity, message }) => `${severity}: ${message}`);
  };
  const warning = `warning: ${plainSecretWarning}`;
  expect(await linesWith({}, "default")).toEqual([warning]);
  expect(await linesWith({}, "eu")).toEqual([warning]);
  expect(await linesWith({ apiKeySecret: "another" }, "eu")).toEqual([]);
  // A project of its own in the folder of another one.
  await writeFile(path.join(folder, "program/Pulumi.yaml"), "");
  expect(await linesWith({}, "default")).toEqual([]);
});

test("numbers and booleans are accepted where their text is a value", async () => {
  expect(await failuresWith({ maxRetries: 2, requestTimeoutSeconds: 30, allowInsecure: false })).toEqual([]);
});

test.each(["", null])("in place of the argument %j, the stack's configuration applies", async (empty) => {
  const { apiKeyId } = simulator.account;
  jest.replaceProperty(process, "env", { PULUMI_CONFIG: JSON.stringify({ apiKeyId }) });
  expect(await failuresWith({ apiKeyId: empty })).toEqual([]);
});

test.each([
  { what: "a list", argument: "maxRetries", value: [1], says: 'datapipes:maxRetries is "[1]", expected' },
  { what: "an object", argument: "rateLimit", value: { requests: 1 }, says: "datapipes:rateLimit is " },
  { what: "a fraction", argument: "maxRetries", value: 1.5, says: 'datapipes:maxRetries is "1.5", expected' },
])("$what is one failure of each resource", async ({ argument, value, says }) => {
  const failures = await failuresWith({ [argument]: value });
  expect(failures).toEqual([expect.stringContaining(says)]);
  expect(failures[0]).toMatch(new RegExp(`for an explicit Provider, set the argument ${argument}\\.$`));
});

test("without a provider in the program, a failure names the command that sets the value", async () => {
  const [failure] = await failuresWith({ maxRetries: [1] }, "default");
  expect(failure).toMatch(/^datapipes:maxRetries is "\[1\]", expected .* `pulumi config set/);
});
