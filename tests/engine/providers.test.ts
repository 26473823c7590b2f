import { isNative } from "../../testkit/adapter";
import { leaks } from "../../testkit/canary";
import { secretPaths } from "../../testkit/deployment";
import { accountOf } from "../../testkit/examples";
import { minimal } from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { listReads, newSimulator, type Simulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

/** The text of a provider of an account; its secret and the other arguments are texts of expressions. */
const provider = (name: string, { url, account }: Simulator, apiKeySecret: string, more: string): string => {
  const { apiKeyId, organizationId, serviceIds } = account;
  const settings = JSON.stringify({ apiKeyId, organizationId, serviceId: serviceIds[0], baseUrl: url });
  return `const ${name} = new datapipes.Provider("${name}", { ...${settings}, apiKeySecret: ${apiKeySecret}, ${more} });`;
};

const secretOf = (name: string): string => `new pulumi.Config("app").require("${name}")`;

/** A resource whose output is the secret of an account, which is unknown at preview. */
const accountKey = `
const provider = { create: async (inputs) => ({ id: "vault", outs: { key: inputs.key } }) };
class Vault extends pulumi.dynamic.Resource {
  constructor() { super(provider, "vault", { key: pulumi.secret(${secretOf("us")}) }); }
}
const key = new Vault().key;`;

const names = ["first", "second"];
const pipesOf = (provider: string): string =>
  names
    .map((name) => declaration("Pipe", `${provider}-${name}`, minimal.kafka, `{ provider: ${provider} }`))
    .join(";\n");

/** Two accounts whose ids do not distinguish them: their address does. */
const { organizationId, serviceIds } = accountOf(1);
const accounts = [accountOf(1), { ...accountOf(2), organizationId, serviceIds }] as const;

test("two accounts have their own address, key, limit and reads, and no output shows their keys", async () => {
  const [eu, us] = [
    await newSimulator({ accounts: [accounts[0]] }),
    await newSimulator({ accounts: [accounts[1]] }),
  ];
  const program = `${accountKey}
    ${provider("eu", eu, secretOf("eu"), 'rateLimit: "1/1s"')}
    ${provider("us", us, "key", 'rateLimit: pulumi.output("off"), maxRetries: 0')}
    ${pipesOf("eu")};
    ${pipesOf("us")};
    new datapipes.ServiceSettings("eu-settings", { name: "Europe" }, { provider: eu });
    new datapipes.ServiceSettings("us-settings", { name: "America" }, { provider: us });`;
  const secrets = { "app:eu": accounts[0].apiKeySecret, "app:us": accounts[1].apiKeySecret };
  const stack = await newStack({ program, secrets });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toContain("10 to create");
  expect([...eu.control.requests(), ...us.control.requests()]).toEqual([]);

  const up = await stack.up({ flags: ["--diff"] });
  const states = [eu, us].map(({ control }) => control.state());
  expect(states.map(({ pipes }) => pipes.length)).toEqual([names.length, names.length]);
  expect(states.map(({ services }) => services[0]?.name)).toEqual(["Europe", "America"]);
  const starts = (simulator: Simulator): number[] => simulator.control.requests().map(({ at }) => at);
  const span = (times: number[]): number => Math.max(...times) - Math.min(...times);
  expect(span(starts(eu))).toBeGreaterThan((starts(eu).length - 1) * 950);
  const state = await stack.export();
  for (const name of ["eu", "us"]) {
    const { inputs, outputs } = state.named(name);
    for (const side of [inputs, outputs])
      expect(secretPaths(side)).toEqual([isNative ? "apiKeySecret" : "datapipes:apiKeySecret"]);
    expect(secretPaths(state.named(`${name}-settings`).inputs)).toEqual([]);
  }

  for (const simulator of [eu, us]) simulator.control.clearRequests();
  const refresh = await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect([listReads(eu).length, listReads(us).length]).toEqual([1, 1]);
  const shown = [preview, up, refresh].map(({ output }) => output).join("\n");
  expect(leaks({ shown, state: await stack.storedText() }, Object.values(secrets))).toEqual([]);
});

test("two providers of one account take no pipe of the other one when an answer is lost, and keep what the other one reads", async () => {
  const simulator = await newSimulator({ latencyMs: 300 });
  const providers = ["a", "b"].map((name) => provider(name, simulator, secretOf("key"), 'rateLimit: "off"'));
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
  for (const name of ["baseUrl", "serviceId"]) {
    const parts = text.split(`Correct the argument ${name} of the Provider "eu".`);
    expect(parts.length).toBeGreaterThan(isNative ? 1 : 3);
  }
  expect(text).not.toContain("pulumi config set");
  expect(text).toContain(
    `${isNative ? "" : "configuration: "}datapipes:baseUrl is "eu.example.com", which does not begin with https://`,
  );
  expect(simulator.control.requests()).toEqual([]);
});
