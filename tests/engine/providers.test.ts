import { isNative } from "../../testkit/adapter";
import { canary, leaks } from "../../testkit/canary";
import { secretPaths } from "../../testkit/deployment";
import { minimal, type JsonObject } from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { listReads, newSimulator, type Simulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const account = (name: string) => ({
  apiKeyId: `${name}-key`,
  apiKeySecret: canary(`${name}-secret`),
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000e1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000e2"],
});

const accountOf = ({ url, account: { apiKeyId, organizationId, serviceIds } }: Simulator): JsonObject => ({
  apiKeyId,
  organizationId,
  serviceId: serviceIds[0] ?? "",
  baseUrl: url,
});

/** A resource whose output is the secret of an account, which is unknown at preview. */
const accountKey = `
const provider = { create: async (inputs) => ({ id: "vault", outs: { key: inputs.key } }) };
class Vault extends pulumi.dynamic.Resource {
  constructor() { super(provider, "vault", { key: pulumi.secret(new pulumi.Config("app").require("us")) }); }
}
const key = new Vault().key;`;

const names = ["first", "second"];
const pipesOf = (provider: string): string =>
  names
    .map((name) => declaration("Pipe", `${provider}-${name}`, minimal.kafka, `{ provider: ${provider} }`))
    .join(";\n");

test("two accounts have their own address, key, limit and reads, and no output shows their keys", async () => {
  const [eu, us] = [
    await newSimulator({ accounts: [account("eu")] }),
    await newSimulator({ accounts: [account("us")] }),
  ];
  const program = `${accountKey}
    const eu = new datapipes.Provider("eu", {
      ...${JSON.stringify(accountOf(eu))}, apiKeySecret: new pulumi.Config("app").require("eu"), rateLimit: "1/1s",
    });
    const us = new datapipes.Provider("us", {
      ...${JSON.stringify(accountOf(us))}, apiKeySecret: key, rateLimit: pulumi.output("off"), maxRetries: 0,
    });
    ${pipesOf("eu")};
    ${pipesOf("us")};
    exports.isProvider = [datapipes.Provider.isInstance(eu), datapipes.Provider.isInstance({})];
    new datapipes.ServiceSettings("eu-settings", { name: "Europe" }, { provider: eu });
    new datapipes.ServiceSettings("us-settings", { name: "America" }, { provider: us });`;
  const secrets = { "app:eu": account("eu").apiKeySecret, "app:us": account("us").apiKeySecret };
  const stack = await newStack({ program, secrets });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toContain("10 to create");
  expect([...eu.control.requests(), ...us.control.requests()]).toEqual([]);

  const up = await stack.up({ flags: ["--diff"] });
  for (const [simulator, name] of [
    [eu, "Europe"],
    [us, "America"],
  ] as const) {
    const { pipes, services } = simulator.control.state();
    expect(pipes).toHaveLength(names.length);
    expect(services[0]?.name).toBe(name);
  }
  const starts = (simulator: Simulator): number[] => simulator.control.requests().map(({ at }) => at);
  const span = (times: number[]): number => Math.max(...times) - Math.min(...times);
  expect(span(starts(eu))).toBeGreaterThan((starts(eu).length - 1) * 950);
  expect(await stack.outputs()).toEqual({ isProvider: [true, false] });
  const state = await stack.export();
  for (const name of ["eu", "us"]) {
    const { inputs, outputs } = state.named(name);
    for (const side of [inputs, outputs])
      expect(secretPaths(side)).toEqual([isNative ? "apiKeySecret" : "datapipes:apiKeySecret"]);
  }

  for (const name of ["eu-settings", "us-settings"])
    expect(secretPaths(state.named(name).inputs)).toEqual([]);

  for (const simulator of [eu, us]) simulator.control.clearRequests();
  const refresh = await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect([listReads(eu).length, listReads(us).length]).toEqual([1, 1]);
  const texts = {
    preview: preview.output,
    up: up.output,
    refresh: refresh.output,
    state: await stack.storedText(),
  };
  expect(leaks(texts, Object.values(secrets))).toEqual([]);
});

test("two providers of one account take no pipe of the other one when an answer is lost, and keep what the other one reads", async () => {
  const simulator = await newSimulator({ latencyMs: 300 });
  const providers = ["a", "b"].map(
    (name) => `const ${name} = new datapipes.Provider("${name}", {
      ...${JSON.stringify(accountOf(simulator))}, apiKeySecret: new pulumi.Config("app").require("key"), rateLimit: "off",
    });`,
  );
  const args = { ...minimal.kafka, name: "same", deletionPolicy: "delete" };
  const pipe = (name: string): string => declaration("Pipe", `pipe-${name}`, args, `{ provider: ${name} }`);
  const stack = await newStack({
    program: [...providers, pipe("a"), pipe("b")].join("\n"),
    secrets: { "app:key": simulator.account.apiKeySecret },
  });
  const idsThere = () => simulator.control.state().pipes.map(({ id }) => id);
  // The provider looks at the list before it sends the request again: the list then has the pipe of the other provider.
  simulator.control.fault({ operationId: "createPipe", kind: "rate-limit", resetSeconds: 0, after: 1 });
  await stack.up();
  const state = await stack.export();
  const ids = ["pipe-a", "pipe-b"].map((name) => state.named(name).id ?? "");
  expect(new Set(ids).size).toBe(2);
  expect(idsThere().sort()).toEqual(ids.toSorted());

  // One provider deletes its pipes, of which the other one reads one.
  const [kept = ""] = ids;
  await stack.write([...providers, `datapipes.Pipe.get("g", "${kept}", {}, { provider: b });`].join("\n"));
  await stack.up();
  expect(idsThere()).toEqual([kept]);
});

test("errors about arguments of an explicit provider name that provider, for resources and data functions", async () => {
  const simulator = await newSimulator();
  const program = `
const eu = new datapipes.Provider("eu", { baseUrl: "eu.example.com", serviceId: "shop" });
new datapipes.Pipe("there", ${JSON.stringify(minimal.kafka)}, { provider: eu });
const parent = new pulumi.ComponentResource("a:b:C", "parent", {}, { providers: [eu] });
new datapipes.Pipe("child", ${JSON.stringify(minimal.kafka)}, { parent });
const failure = (promise) => promise.then(() => "no error", ({ code, message }) => pulumi.log.info(code + ": " + message));
failure(datapipes.getPipes({}, { provider: eu }));
`;
  const stack = await newStack({ simulator, program });
  const { output } = await stack.preview({ expectFailure: true });
  const text = output.replaceAll(/\s+/g, " ");
  // Both pipes and the data function say it; the CLI may show the line of the function twice. With a native plugin the engine stops at the first resource.
  for (const name of ["baseUrl", "serviceId"])
    expect(text.split(`Correct the argument ${name} of the Provider "eu".`).length).toBeGreaterThan(
      isNative ? 1 : 3,
    );
  expect(text).not.toContain("pulumi config set");
  expect(text).toContain(
    `${isNative ? "" : "configuration: "}datapipes:baseUrl is "eu.example.com", which does not begin with https://`,
  );
  expect(simulator.control.requests()).toEqual([]);
});
