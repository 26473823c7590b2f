import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as datapipes from "../../provider/src/index";
import { complete, creationBody } from "../../testkit/pipes";
import { newSimulator, type SeedPipe, type Simulator } from "../../testkit/simulator";
import { newStack, type StackOptions } from "../../testkit/stack";

const folder = path.resolve(__dirname, "../../examples");
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const textOf = (example: string, file: string): string =>
  readFileSync(path.join(folder, example, file), "utf8");

/** What the first comment of each example asks for, beside the connection to the API. */
const configured: Record<string, (simulator: Simulator) => Pick<StackOptions, "config" | "secrets">> = {
  quickstart: () => ({
    secrets: { "quickstart:kafkaPassword": "any", "quickstart:storageSecretKey": "any" },
  }),
  "private-kafka": () => ({
    config: { "private-kafka:endpointService": "com.example.vpce-svc-1" },
    secrets: { "private-kafka:password": "any" },
  }),
  postgres: () => ({ secrets: { "postgres:password": "any" } }),
  kinesis: () => ({ config: { "kinesis:role": "arn:aws:iam::000000000000:role/reader" } }),
  service: () => ({}),
  inventory: ({ account: { apiKeyId, apiKeySecret, organizationId, serviceIds } }) => ({
    config: {
      "inventory:apiKeyId": apiKeyId,
      "inventory:organizationId": organizationId,
      "inventory:serviceId": serviceIds[0] ?? "",
      "inventory:pipe": "theirs",
    },
    secrets: { "inventory:apiKeySecret": apiKeySecret },
  }),
};

test.each(examples)("%s deploys, shows no change, refreshes and is destroyed", async (example) => {
  const simulator = await newSimulator();
  const theirs = simulator.control.seedPipes([creationBody("theirs", complete.kafka) as unknown as SeedPipe]);
  const stack = await newStack({
    simulator,
    copyOf: path.join(folder, example),
    ...configured[example]?.(simulator),
  });
  const { output } = await stack.up();
  expect(output).toContain("Outputs:");
  // The types have been checked on the way up.
  await stack.preview({ expectNoChanges: true, env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await stack.destroy();
  expect((await stack.export()).resources).toEqual([]);
  const left = simulator.control.state().pipes.map(({ id }) => id);
  expect(left).toEqual(expect.arrayContaining(theirs.map(({ id }) => id)));
});

test.each(examples)("%s needs no other example, and begins with what it does and needs", (example) => {
  const text = textOf(example, "index.ts");
  const [comment = ""] = /^\/\*\*[^]*?\*\//.exec(text) ?? [];
  for (const [, key] of text.matchAll(/config\.require(?:Secret)?\("(\w+)"\)/g))
    expect(comment).toContain(`${example}:${key ?? ""}`);
  expect(comment).toContain("pulumi up");
  expect(textOf(example, "Pulumi.yaml")).toMatch(
    new RegExp(`^name: datapipes-${example}\ndescription: .+\n`),
  );
  const { dependencies } = JSON.parse(textOf(example, "package.json")) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(["@pulumi/pulumi", "pulumi-datapipes"]);
});

test("every resource, source and data function has an example, and so has an explicit provider", () => {
  const programs = examples.map((example) => textOf(example, "index.ts")).join("\n");
  // All public values but errors are made or called by programs, functions in one of their two forms.
  const names = Object.keys(datapipes).filter((name) => !/Error$|Output$/.test(name));
  expect(names).toEqual(expect.arrayContaining(["Pipe", "Provider", "getBackups"]));
  expect(names.filter((name) => !new RegExp(`datapipes\\.${name}(Output)?\\(`).test(programs))).toEqual([]);
  expect(Object.keys(complete).filter((kind) => !programs.includes(`${kind}: {`))).toEqual([]);
});
