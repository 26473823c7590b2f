import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
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
async function failuresWith(settings: object): Promise<readonly string[]> {
  const plugin = await newPlugin();
  await plugin.configure({ ...settingsOf(simulator), ...settings }, "eu");
  return (await plugin.check(minimal.kafka)).failures.map(([, reason = ""]) => reason);
}

test("an unknown argument of a provider fails with the nearest name, and shows no value", async () => {
  const secret = canary("misspelt");
  const { failures } = await checkConfig({ apiKeySecrt: secret, somethingElse: 1, maxRetries: "2" });
  expect(failures).toEqual([
    ["", 'apiKeySecrt is not an argument; did you mean "apiKeySecret"?'],
    [
      "",
      expect.stringMatching(/^somethingElse is not an argument; expected one of apiKeyId, apiKeySecret, /),
    ],
  ]);
  expect(leaks({ failures: JSON.stringify(failures) }, [secret])).toEqual([]);
});

test("other keys of the configuration are no failure: the project may have the package's name", async () => {
  expect((await checkConfig({ ownKey: "1" }, "default")).failures).toEqual([]);
  expect((await checkConfig({ ownKey: "1" }, "default_0_1_0")).failures).toEqual([]);
  // A provider of the program, of which some versions of the engine say more.
  expect((await checkConfig({ ownKey: "1" }, "default-eu")).failures).toHaveLength(1);
  expect((await checkConfig({ version: "0.1.0", pluginDownloadURL: "" })).failures).toEqual([]);
});

test("a plugin warns of its own configuration, and not of the environment before", async () => {
  jest.replaceProperty(process, "env", { ...process.env, DATAPIPES_ALLOW_INSECURE: "true" });
  const plugin = await newPlugin();
  await plugin.configure({ ...settingsOf(simulator), allowInsecure: "false" }, "eu");
  expect(plugin.lines).toEqual([]);
  await plugin.configure(settingsOf(simulator), "eu");
  expect(plugin.lines).toEqual([expect.objectContaining({ severity: "warning" })]);
});

test("unknown values of a provider pass, and its unknown secret is marked", async () => {
  const { inputs, failures } = await checkConfig({ apiKeyId: UNKNOWN_MARKER, apiKeySecret: UNKNOWN_MARKER });
  expect(inputs["apiKeyId"]).toEqual(UNKNOWN_MARKER);
  expect(failures).toEqual([]);
  expect(inputs["apiKeySecret"]).toEqual(secretMarker(UNKNOWN_MARKER));
});

test("a secret of a provider stays marked", async () => {
  const marked = { apiKeySecret: secretMarker("word") };
  expect((await checkConfig(marked)).inputs).toEqual(marked);
});

describe("a plain key secret in a file of the stack", () => {
  let project: string;
  beforeEach(async () => {
    const apiKeySecret = canary("key-secret");
    const stackFile = `datapipes:apiKeySecret: ${apiKeySecret}`;
    project = await temporaryFolder("plain-secret", { "Pulumi.yaml": "", "Pulumi.dev.yaml": stackFile });
    await mkdir(path.join(project, "program"));
    jest.replaceProperty(process, "env", { PULUMI_CONFIG: JSON.stringify({ apiKeySecret }) });
    jest.spyOn(process, "cwd").mockReturnValue(path.join(project, "program"));
  });

  const linesWith = async (newInputs: object, name: string): Promise<string[]> => {
    const plugin = await newPlugin();
    await plugin.checkConfig(newInputs, name);
    return plugin.lines.map(({ severity, message }) => `${severity}: ${message}`);
  };

  test("causes a warning, unless a provider has another secret", async () => {
    expect(await linesWith({}, "default")).toEqual([
      expect.stringMatching(
        /^warning: datapipes:apiKeySecret is set as plain text: .* Encrypt it with `pulumi/,
      ),
    ]);
    expect(await linesWith({ apiKeySecret: "another" }, "eu")).toEqual([]);
  });

  test("causes no warning in a project in a folder below", async () => {
    await writeFile(path.join(project, "program/Pulumi.yaml"), "");
    expect(await linesWith({}, "default")).toEqual([]);
  });
});

test("numbers and booleans are accepted where their text is a value", async () => {
  expect(await failuresWith({ maxRetries: 2, requestTimeoutSeconds: 30, allowInsecure: false })).toEqual([]);
});

test("an argument of a provider wins over the stack's configuration", async () => {
  jest.replaceProperty(process, "env", { PULUMI_CONFIG: JSON.stringify({ maxRetries: "malformed" }) });
  expect(await failuresWith({ maxRetries: 2 })).toEqual([]);
});

test.each(["", null])("in place of the argument %j, the stack's configuration applies", async (empty) => {
  const { apiKeyId } = simulator.account;
  jest.replaceProperty(process, "env", { PULUMI_CONFIG: JSON.stringify({ apiKeyId }) });
  expect(await failuresWith({ apiKeyId: empty })).toEqual([]);
});

test.each([
  { what: "a list", argument: "maxRetries", value: [1], says: 'datapipes:maxRetries is "[1]", expected' },
  { what: "an object", argument: "rateLimit", value: { requests: 1 }, says: "datapipes:rateLimit is " },
])("$what is one failure of a pipe", async ({ argument, value, says }) => {
  const failures = await failuresWith({ [argument]: value });
  expect(failures).toEqual([expect.stringContaining(says)]);
  expect(failures[0]).toMatch(new RegExp(`for an explicit Provider, set the argument ${argument}\\.$`));
});
