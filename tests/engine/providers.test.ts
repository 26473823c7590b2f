import { leaks } from "../kit/canary";
import { secretPathsIn } from "../kit/deployment";
import { minimal, pipeInOwnTable } from "../kit/pipes";
import { isNative } from "../kit/program";
import { type Simulator, accountOf, listReads, newSimulator, requestCounts } from "../kit/simulator";
import { newStack } from "../kit/stack";

/** The text of a provider of an account; its secret and the other arguments are texts of expressions. */
const provider = (name: string, { url, account }: Simulator, apiKeySecret: string, more: string): string => {
  const { apiKeyId, organizationId, serviceIds } = account;
  const settings = JSON.stringify({ apiKeyId, organizationId, serviceId: serviceIds[0], baseUrl: url });
  return `const ${name} = new datapipes.Provider("${name}", { ...${settings}, apiKeySecret: ${apiKeySecret}, ${more} });`;
};

const secretOf = (name: string): string => `new pulumi.Config("app").require("${name}")`;

/** A resource whose output is the secret of an account, which is unknown at preview. */
const accountKey = `
const provider = { create: async ({ secret }) => ({ id: "vault", outs: { key: secret } }) };
class Vault extends pulumi.dynamic.Resource {
  constructor() { super(provider, "vault", { secret: pulumi.secret(${secretOf("us")}), key: undefined }, { additionalSecretOutputs: ["key"] }); }
}
const key = new Vault().key;`;

const names = ["first", "second"];
const pipesOf = (provider: string): string =>
  names.map((name) => pipeInOwnTable(`${provider}-${name}`, {}, `{ provider: ${provider} }`)).join("");

/** Two accounts whose ids do not distinguish them: their address does. */
const { organizationId, serviceIds } = accountOf(1);
const accounts = [accountOf(1), { ...accountOf(2), organizationId, serviceIds }] as const;

test("two accounts have their own address, key and reads, and no output shows their keys", async () => {
  const eu = await newSimulator({ accounts: [accounts[0]] });
  const us = await newSimulator({ accounts: [accounts[1]] });
  const program = `${accountKey}
    ${provider("eu", eu, secretOf("eu"), 'rateLimit: "100/1s"')}
    ${provider("us", us, "key", 'rateLimit: pulumi.output("off"), maxRetries: 0')}
    ${pipesOf("eu")};
    ${pipesOf("us")};
    new datapipes.ServiceSettings("eu-settings", { name: "Europe" }, { provider: eu });
    new datapipes.ServiceSettings("us-settings", { name: "America" }, { provider: us });`;
  const secrets = { "app:eu": accounts[0].apiKeySecret, "app:us": accounts[1].apiKeySecret };
  const stack = await newStack({ program, secrets });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toContain("10 to create");
  // The key of one of them is not known yet.
  expect(requestCounts(eu)).toEqual({ listPipes: 1 });
  expect(requestCounts(us)).toEqual({});

  const up = await stack.up({ flags: ["--diff"] });
  expect(eu.control.state().pipes).toHaveLength(names.length);
  expect(us.control.state().pipes).toHaveLength(names.length);
  expect(eu.control.state().services[0]?.name).toBe("Europe");
  expect(us.control.state().services[0]?.name).toBe("America");
  const state = await stack.export();
  for (const name of ["eu", "us"]) {
    const { inputs, outputs } = state.named(name);
    for (const side of [inputs, outputs])
      expect(secretPathsIn(side)).toEqual([isNative ? "apiKeySecret" : "datapipes:apiKeySecret"]);
    expect(secretPathsIn(state.named(`${name}-settings`).inputs)).toEqual([]);
  }

  for (const simulator of [eu, us]) simulator.control.clearRequests();
  const refresh = await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(listReads(eu)).toHaveLength(1);
  expect(listReads(us)).toHaveLength(1);
  const shown = [preview, up, refresh].map(({ output }) => output).join("\n");
  expect(leaks({ shown, state: await stack.storedText() }, Object.values(secrets))).toEqual([]);
});

test("a function waits for arguments that are not known yet, and asks its provider's account", async () => {
  const otherServiceId = "0a1b2c3d-0000-4000-8000-0000000000ee";
  const account = { ...accountOf(1), serviceIds: [...serviceIds, otherServiceId] };
  const here = await newSimulator();
  const there = await newSimulator({ accounts: [account] });
  const program = `
    ${provider("eu", there, secretOf("eu"), 'rateLimit: "off"')}
    ${provider("other", there, secretOf("eu"), `serviceId: "${otherServiceId}"`)}
    const pipe = new datapipes.Pipe("there", ${JSON.stringify(minimal.kafka)}, { provider: eu });
    module.exports = async () => ({
      theirs: datapipes.getPipeOutput({ id: pipe.id }, { provider: eu }),
      named: datapipes.getPipesOutput({}, { provider: eu, dependsOn: [pipe] }),
      otherService: datapipes.getPipesOutput({}, { provider: other, dependsOn: [pipe] }),
      backups: (await datapipes.getBackups({}, { provider: eu })).backups.length,
      ours: (await datapipes.getPipes()).pipes.length,
      here: new datapipes.Pipe("here", ${JSON.stringify(minimal.kafka)}).serviceId,
    });`;
  const stack = await newStack({ simulator: here, program, secrets: { "app:eu": account.apiKeySecret } });
  const preview = await stack.preview();
  expect(preview.output).toContain("5 to create");
  // Functions run in the process of the program, or in the plugin, which has the list for the resources.
  const lists = isNative ? 1 : 2;
  expect(requestCounts(there)).toEqual({ listBackups: 1, listPipes: 1 });
  expect(requestCounts(here)).toEqual({ listPipes: lists });
  const up = await stack.up({ flags: ["--diff"] });
  const [pipe] = there.control.state().pipes;
  expect(await stack.outputs()).toMatchObject({
    theirs: { id: pipe?.id, name: "there" },
    named: { pipes: [{ id: pipe?.id }] },
    otherService: { pipes: [] },
    backups: 4,
    ours: 0,
    here: here.account.serviceIds[0],
  });
  expect(here.control.state().pipes.map(({ name }) => name)).toEqual(["here"]);
  const texts = { preview: preview.output, up: up.output, state: await stack.storedText() };
  expect(leaks(texts, [account.apiKeySecret])).toEqual([]);
});
