import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { canary, leaks } from "../kit/canary";
import { accountOf, newSimulator, takeWrites, type Simulator } from "../kit/simulator";
import { examplesFolder } from "../kit/program";
import { plugins } from "../kit/sdk";
import { newStack, type StackOptions, type TestStack } from "../kit/stack";

/** How the example of a language runs here. */
export interface Runtime extends Pick<StackOptions, "env" | "path"> {
  readonly language: "go" | "java" | "python";
  readonly options?: object;
  /** Adds the SDK to a copy of the example, as `pulumi package add` does. */
  readonly addSdk?: (project: string) => Promise<unknown>;
}

const main = accountOf(1);
const america = accountOf(2);
const secrets = {
  "datapipes:apiKeySecret": main.apiKeySecret,
  "america:apiKeySecret": america.apiKeySecret,
  ...Object.fromEntries(
    ["kafkaPassword", "storageSecretKey", "postgresPassword"].map((name) => [`shop:${name}`, canary(name)]),
  ),
};
const config = {
  "america:apiKeyId": america.apiKeyId,
  "america:organizationId": america.organizationId,
  "america:serviceId": america.serviceIds[0] ?? "",
  "shop:endpointService": "com.example.vpce-svc-1",
  "shop:role": "arn:aws:iam::000000000000:role/reader",
};

async function newShop(
  { language, options, addSdk, ...place }: Runtime,
  simulator: Simulator,
): Promise<TestStack> {
  const folder = path.join(examplesFolder, language, "shop");
  const project = parse(await readFile(path.join(folder, "Pulumi.yaml"), "utf8")) as object;
  const file = JSON.stringify({ ...project, runtime: { name: language, options }, plugins });
  const stack = await newStack({ ...place, simulator, config, secrets, files: { "Pulumi.yaml": file } });
  await cp(folder, stack.project, {
    recursive: true,
    filter: (name) => path.basename(name) !== "Pulumi.yaml",
  });
  await addSdk?.(stack.project);
  return stack;
}

const sortedMethods = (simulator: Simulator) =>
  takeWrites(simulator)
    .map(({ method }) => method)
    .sort();

/** Deploys the example of a language to two accounts, changes one setting, and destroys it. */
export async function expectShopDeploys(runtime: Runtime): Promise<void> {
  const simulator = await newSimulator({ accounts: [main, america] });
  const stack = await newShop(runtime, simulator);
  const up = await stack.up();
  expect(sortedMethods(simulator)).toEqual(["PATCH", ...Array<string>(6).fill("POST")]);
  const stored = await stack.storedText();
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  expect(await stack.outputs()).toMatchObject({ ordersState: "Running", ordersFlushIntervalMs: 5000 });

  await stack.setConfig({ "shop:flushIntervalMs": "2000" });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toMatch(/streamingMaxInsertWaitMs *: 5000 => 2000/);
  await stack.up();
  const id = (await stack.export()).named("orders").id ?? "";
  const body = { settings: { streaming_max_insert_wait_ms: 2000 } };
  expect(takeWrites(simulator)).toEqual([
    { method: "PATCH", path: expect.stringContaining(id) as string, body },
  ]);

  const destroy = await stack.destroy();
  expect(sortedMethods(simulator)).toEqual([...Array<string>(5).fill("DELETE"), "PATCH"]);
  const texts = { up: up.output, preview: preview.output, destroy: destroy.output };
  expect(leaks({ ...texts, stored }, Object.values(secrets))).toEqual([]);
}
