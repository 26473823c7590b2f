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

describe("two providers of one account", () => {
  const policy = { ...minimal.kafka, name: "same", deletionPolicy: "delete" };

  const providers = (simulator: Simulator): string =>
    ["a", "b"]
      .map(
        (name) =>
          `const ${name} = new datapipes.Provider("${name}", {
            ...${JSON.stringify(accountOf(simulator))}, apiKeySecret: new pulumi.Config("app").require("key"), rateLimit: "off",
          });`,
      )
      .join("\n");

  async function stackOf(simulator: Simulator, program: string) {
    return newStack({
      program: `${providers(simulator)}\n${program}`,
      secrets: { "app:key": simulator.account.apiKeySecret },
    });
  }

  test("create a pipe each, also where the answer of one create is lost, and delete their own pipes alone", async () => {
    const simulator = await newSimulator({ latencyMs: 300 });
    const pipe = (name: string): string => declaration("Pipe", name, policy, `{ provider: ${name} }`);
    const stack = await stackOf(simulator, `${pipe("a")};\n${pipe("b")};`);
    simulator.control.fault({ operationId: "createPipe", kind: "reset-before", times: 1, after: 1 });
    await stack.up();
    const ids = (await stack.export()).ofType("Pipe").map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(
      simulator.control
        .state()
        .pipes.map(({ id }) => id)
        .sort(),
    ).toEqual(ids.sort());

    await stack.write(`${providers(simulator)}\n${pipe("a")};`);
    await stack.up();
    const [kept] = (await stack.export()).ofType("Pipe");
    expect(simulator.control.state().pipes.map(({ id }) => id)).toEqual([kept?.id]);
  });

  test("keep a pipe that one of them deletes and the other one reads", async () => {
    const simulator = await newSimulator();
    const stack = await stackOf(simulator, declaration("Pipe", "orders", policy, "{ provider: a }"));
    await stack.up();
    const id = (await stack.export()).named("orders").id ?? "";
    await stack.write(`${providers(simulator)}\ndatapipes.Pipe.get("g", "${id}", {}, { provider: b });`);
    await stack.up();
    expect(simulator.control.state().pipes.map((pipe) => pipe.id)).toEqual([id]);
  });
});
