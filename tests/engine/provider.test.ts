import { isNative } from "../../testkit/adapter";
import { canary, leaks } from "../../testkit/canary";
import { minimal } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const account = {
  apiKeyId: "eu-key",
  apiKeySecret: canary("eu-secret"),
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000e1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000e2"],
};

/** A program with one pipe per account; the second account is given explicitly. */
const twoAccounts = (url: string) => `
const eu = new datapipes.Provider("eu", {
  apiKeyId: "eu-key", apiKeySecret: new pulumi.Config("app").require("secret"), baseUrl: ${JSON.stringify(url)},
  organizationId: "${account.organizationId}", serviceId: "${account.serviceIds[0] ?? ""}", rateLimit: "off",
});
new datapipes.Pipe("here", ${JSON.stringify(minimal.kafka)});
new datapipes.Pipe("there", ${JSON.stringify(minimal.kafka)}, { provider: eu });`;

test("errors about arguments of an explicit provider name that provider, for resources and data functions", async () => {
  const here = await newSimulator();
  const program = `
const eu = new datapipes.Provider("eu", { baseUrl: "eu.example.com", serviceId: "shop" });
new datapipes.Pipe("there", ${JSON.stringify(minimal.kafka)}, { provider: eu });
const parent = new pulumi.ComponentResource("a:b:C", "parent", {}, { providers: [eu] });
new datapipes.Pipe("child", ${JSON.stringify(minimal.kafka)}, { parent });
const failure = (promise) => promise.then(() => "no error", ({ code, message }) => pulumi.log.info(code + ": " + message));
failure(datapipes.getPipes({}, { provider: eu }));
`;
  const stack = await newStack({ simulator: here, program });
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
  expect(here.control.requests()).toEqual([]);
});

test("an explicit provider uses another account in the same program", async () => {
  const [here, there] = [await newSimulator(), await newSimulator({ accounts: [account] })];
  const secrets = { "app:secret": account.apiKeySecret };
  const stack = await newStack({ simulator: here, program: twoAccounts(there.url), secrets });
  const run = await stack.up({ flags: ["--diff"] });
  expect(here.control.state().pipes.map(({ name }) => name)).toEqual(["here"]);
  expect(there.control.state().pipes.map(({ name }) => name)).toEqual(["there"]);
  expect(leaks({ output: run.output, state: await stack.storedText() }, [account.apiKeySecret])).toEqual([]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});
