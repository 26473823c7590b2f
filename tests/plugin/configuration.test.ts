import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { canary, leaks } from "../../testkit/canary";
import { call, configure, settingsOf, startPlugin, structOf, valuesOf } from "../../testkit/native-plugin";
import { minimal } from "../../testkit/pipes";
import { secretMarker, UNKNOWN_MARKER } from "../../testkit/protocol";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { callsOn } from "./calls";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

const urnOfProvider = (name: string): string => `urn:pulumi:dev::shop::pulumi:providers:datapipes::${name}`;

/** CheckConfig, as the engine calls it before it configures a provider. */
async function checkConfig(news: object, name = "eu") {
  const plugin = await startPlugin();
  const request = new pb.CheckRequest().setUrn(urnOfProvider(name)).setNews(structOf(news));
  const response = await call<pb.CheckResponse>((done) => plugin.client.checkConfig(request, done));
  return {
    inputs: valuesOf(response.getInputs()),
    failures: response.getFailuresList().map((failure) => [failure.getProperty(), failure.getReason()]),
  };
}

/** What the check of a pipe finds when the provider has these settings besides those of the simulator. */
async function failuresWith(settings: object, name = "eu"): Promise<readonly string[]> {
  const plugin = await startPlugin();
  await configure(plugin, { ...settingsOf(simulator), ...settings }, name);
  const { failures } = await callsOn(() => plugin).check(minimal.kafka);
  return failures.map(([, reason = ""]) => reason);
}

test("an unknown argument of a provider is a failure that suggests the nearest name and shows no value", async () => {
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

test("other keys of the stack's configuration are no failure: the project may have the name of the package", async () => {
  expect((await checkConfig({ ownKey: "1" }, "default")).failures).toEqual([]);
  expect((await checkConfig({ ownKey: "1" }, "default_0_1_0")).failures).toEqual([]);
});

test("unknown values of a provider pass, and its secret stays marked", async () => {
  const { inputs, failures } = await checkConfig({ apiKeyId: UNKNOWN_MARKER, apiKeySecret: UNKNOWN_MARKER });
  expect([inputs["apiKeyId"], failures]).toEqual([UNKNOWN_MARKER, []]);
  expect(inputs["apiKeySecret"]).toEqual(secretMarker(UNKNOWN_MARKER));
});

test("numbers and booleans are accepted where their text is a value", async () => {
  expect(await failuresWith({ maxRetries: 2, requestTimeoutSeconds: 30, allowInsecure: false })).toEqual([]);
});

test.each<[string, object, string]>([
  ["a list", { maxRetries: [1] }, 'datapipes:maxRetries is "[1]", expected a whole number from 0.'],
  ["an object", { rateLimit: { requests: 1 } }, "datapipes:rateLimit is "],
  ["a fraction", { maxRetries: 1.5 }, 'datapipes:maxRetries is "1.5", expected a whole number from 0.'],
  ["a word", { allowInsecure: "yes" }, 'datapipes:allowInsecure is "yes", expected "true" or "false".'],
  ["a plain URL", { baseUrl: "http://api.example.com" }, "datapipes:baseUrl is "],
  ["no UUID", { serviceId: "eu-1" }, 'datapipes:serviceId is "eu-1", which'],
])(
  "%s is one failure of each resource, which names the argument of the provider",
  async (_what, settings, found) => {
    const [name = ""] = Object.keys(settings);
    const failures = await failuresWith(settings);
    expect(failures).toEqual([expect.stringContaining(found)]);
    expect(failures[0]).toMatch(new RegExp(`argument ${name} of the Provider "eu"\\.$`));
    // Without a provider in the program, the same failure names the command that sets the value.
    expect((await failuresWith(settings, "default"))[0]).toContain("pulumi config set");
  },
);

test("a key secret that cannot be used is named without its value", async () => {
  const secret = `${canary("key-secret")}\n`;
  const failures = await failuresWith({ apiKeySecret: secret });
  expect(failures).toEqual([
    expect.stringContaining("datapipes:apiKeySecret cannot be used: it ends with a line break."),
  ]);
  expect(leaks({ failures: failures.join("") }, [secret.trim()])).toEqual([]);
});
