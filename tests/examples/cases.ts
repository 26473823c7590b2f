import { readFile } from "node:fs/promises";
import path from "node:path";
import { canary } from "../kit/canary";
import { complete, creationBody } from "../kit/pipes";
import { examplesFolder } from "../kit/program";
import { hostFolder, pluginFolder } from "../kit/sdk";
import {
  accountOf,
  answer,
  newSimulator,
  type SeedPipe,
  type Simulator,
  type SimulatorOptions,
} from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

const role = "arn:aws:iam::000000000000:role/reader";

const takenOverId = "0a1b2c3d-0000-4000-8000-0000000000c1";

/** What an example finds, and what its first comment asks for beside the connection to the API. */
interface ExampleCase {
  readonly config?: Record<string, string>;
  readonly secrets?: Record<string, string>;
  readonly accounts?: SimulatorOptions["accounts"];
  readonly pipes?: readonly SeedPipe[];
  readonly ipAccessList?: readonly IpAccessEntry[];
}

interface IpAccessEntry {
  readonly source: string;
  readonly description: string;
}

const settingsOf = (namespace: string, account: ReturnType<typeof accountOf>) => ({
  config: {
    [`${namespace}:apiKeyId`]: account.apiKeyId,
    [`${namespace}:organizationId`]: account.organizationId,
    [`${namespace}:serviceId`]: account.serviceIds[0] ?? "",
  },
  secrets: { [`${namespace}:apiKeySecret`]: account.apiKeySecret },
});

const secretsOf = (example: string, secrets: Record<string, string>) =>
  Object.fromEntries(Object.entries(secrets).map(([key, name]) => [`${example}:${key}`, canary(name)]));

const europe = settingsOf("europe", accountOf(1));
const america = settingsOf("america", accountOf(2));
const production = settingsOf("inventory", accountOf(1));
const kafkaPassword = "kafka-password";

const takenOver = creationBody("orders", {
  source: { kafka: { brokers: "kafka.example.com:9092", topics: "orders", consumerGroup: "by-hand" } },
  destination: { database: "default", table: "orders" },
  settings: { streamingMaxInsertWaitMs: 9000 },
});

export const exampleCases: Readonly<Record<string, ExampleCase>> = {
  quickstart: { secrets: secretsOf("quickstart", { kafkaPassword, storageSecretKey: "storage-key" }) },
  "kafka-schema-registry": {
    secrets: secretsOf("kafka-schema-registry", { kafkaPassword, registryPassword: "registry-password" }),
  },
  "private-kafka": {
    config: { "private-kafka:endpointService": "com.example.vpce-svc-1" },
    secrets: secretsOf("private-kafka", { password: "kafka-password" }),
  },
  msk: {
    config: {
      "msk:clusterArn": "arn:aws:kafka:eu-central-1:000000000000:cluster/shop/1",
      "msk:role": role,
      "msk:port": "14001",
    },
  },
  "object-storage": {
    config: { "object-storage:role": role, "object-storage:queue": "https://queue.example.com/clicks" },
  },
  postgres: { secrets: secretsOf("postgres", { password: "postgres-password" }) },
  kinesis: { config: { "kinesis:role": role } },
  service: { ipAccessList: [{ source: "198.51.100.9", description: "Their laptop" }] },
  "two-accounts": {
    accounts: [accountOf(1), accountOf(2)],
    config: { ...europe.config, ...america.config },
    secrets: { ...europe.secrets, ...america.secrets, ...secretsOf("two-accounts", { kafkaPassword }) },
  },
  inventory: {
    accounts: [accountOf(1)],
    pipes: [creationBody("theirs", complete.kafka)],
    config: { ...production.config, "inventory:pipe": "theirs" },
    secrets: production.secrets,
  },
  "take-over": { pipes: [{ ...takenOver, id: takenOverId }], config: { "take-over:pipe": takenOverId } },
};

/** Those that exist in YAML, too: one to start with, and those that differ there. */
export const YAML_EXAMPLES = ["inventory", "msk", "postgres", "quickstart", "service"] as const;

export async function simulatorOf(example: string): Promise<Simulator> {
  const { accounts, pipes = [], ipAccessList = [] } = exampleCases[example] ?? {};
  const simulator = await newSimulator(accounts === undefined ? {} : { accounts });
  simulator.control.seedPipes(pipes);
  simulator.control.editService(simulator.account.serviceIds[0] ?? "", { ipAccessList: [...ipAccessList] });
  return simulator;
}

async function yamlTextOf(example: string): Promise<string> {
  const text = await readFile(path.join(examplesFolder, "yaml", example, "Pulumi.yaml"), "utf8");
  return text.replace("path: ../../../plugin/dist\n", `path: ${JSON.stringify(pluginFolder)}\n`);
}

export async function yamlExample(example: string, simulator: Simulator): Promise<TestStack> {
  const { config = {}, secrets = {} } = exampleCases[example] ?? {};
  const files = { "Pulumi.yaml": await yamlTextOf(example) };
  return newStack({ simulator, config, secrets, files, path: [await hostFolder("yaml")] });
}

export function answerWithoutNames({ control, account }: Simulator): void {
  const id = "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01";
  const [serviceId] = account.serviceIds;
  const result = { id, serviceId, description: "any", type: "MSK_MULTI_VPC", status: "Provisioning" };
  control.fault({ operationId: "createReversePrivateEndpoint", ...answer(result) });
}
