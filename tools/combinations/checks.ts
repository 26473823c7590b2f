import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { canary, leaks } from "../../testkit/canary";
import { secretPaths, valueAt } from "../../testkit/deployment";
import { diagnosisOf, noProxies } from "../../testkit/doctor";
import { importsOf, type ProgramFormName } from "../../testkit/program-forms";
import type { LoggedRequest } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";

/** What the checks of a combination work on. */
export interface CombinationStack {
  readonly stack: TestStack;
  /** The account of the simulator. */
  readonly env: Readonly<Record<string, string>>;
}

/** How Pulumi runs a program if nobody says otherwise. */
export const FORM: ProgramFormName = "TypeScript, CommonJS, ts-node";

const password = canary("kafka-password");

/** A program with all three resources, a secret and a data function. */
export const programWith = (maxInsertWaitMs: number): string => `
export const orders = new datapipes.Pipe("orders", {
  source: { kafka: { brokers: "kafka:9092", topics: "orders", credentials: { username: "loader", password: ${JSON.stringify(password)} } } },
  destination: { table: "orders", columns: [{ name: "id", type: "UInt64" }] },
  fieldMappings: [{ sourceField: "$.id", destinationField: "id" }],
  settings: { streamingMaxInsertWaitMs: ${maxInsertWaitMs} },
  deletionPolicy: "delete",
}).id;
new datapipes.ReversePrivateEndpoint("endpoint", {
  type: "VPC_ENDPOINT_SERVICE", description: "to a service", vpcEndpointServiceName: "com.example.service",
});
new datapipes.ServiceSettings("settings", { name: "Shop" });
export const stack: string = pulumi.getStack();
export const node = process.versions.node;
export const pipes = datapipes.getPipesOutput().pipes.length;
`;

/** The writes since the last call. */
async function takeWrites({ env }: CombinationStack): Promise<readonly LoggedRequest[]> {
  const url = `${env["DATAPIPES_BASE_URL"] ?? ""}/control/requests`;
  const { requests } = (await (await fetch(url)).json()) as { requests: LoggedRequest[] };
  await fetch(url, { method: "DELETE" });
  return requests.filter(({ method }) => method !== "GET");
}

/** The operations of those writes. */
const takeOperations = async (combination: CombinationStack): Promise<(string | null)[]> =>
  (await takeWrites(combination)).map(({ operationId }) => operationId);

const command = "node_modules/pulumi-datapipes/bin/datapipes.js";

/** A check fails with an error. */
type Check = (combination: CombinationStack) => Promise<void>;

/** What every combination does, in this order. */
export const CHECKS: Readonly<Record<string, Check>> = {
  "`pulumi up`": async (combination) => {
    await combination.stack.up({ env: combination.env });
    assert.deepEqual((await takeOperations(combination)).sort(), [
      "createPipe",
      "createReversePrivateEndpoint",
      "updateService",
    ]);
    const { stdout } = await combination.stack.shell("npm", "node --version");
    assert.equal(`v${String((await combination.stack.outputs())["node"])}`, stdout.trim());
  },
  "secrets in the state": async ({ stack }) => {
    assert.deepEqual(leaks({ state: await stack.storedText() }, [password]), []);
    const { inputs, outputs } = (await stack.export()).named("orders");
    const secret = "source.kafka.credentials";
    for (const properties of [inputs, outputs])
      assert(
        secretPaths(properties).some((each) => each.startsWith(secret)),
        `${secret} is not a secret`,
      );
    assert.equal(valueAt(outputs, "source.kafka.topics"), "orders");
  },
  "an empty preview": async ({ stack, env }) => {
    await stack.preview({ env, expectNoChanges: true });
  },
  "one PATCH for one field": async (combination) => {
    await combination.stack.writeFile("index.ts", importsOf(FORM) + programWith(6000));
    await combination.stack.up({ env: combination.env });
    assert.deepEqual(
      (await takeWrites(combination)).map(({ method, body }) => ({ method, body })),
      [{ method: "PATCH", body: { settings: { streaming_max_insert_wait_ms: 6000 } } }],
    );
  },
  "`pulumi refresh`": async (combination) => {
    await combination.stack.refresh({ env: combination.env, flags: ["--expect-no-changes"] });
    assert.deepEqual(await takeWrites(combination), []);
  },
  "`datapipes doctor`": async ({ stack, env }) => {
    const run = await stack.shell("npm", `node ${command} doctor --json`, { env: { ...env, ...noProxies } });
    assert.deepEqual(diagnosisOf(run).bad, []);
  },
  "`datapipes import`": async ({ stack, env }) => {
    await stack.shell("npm", `node ${command} import --out imported`, { env });
    assert.deepEqual(await readdir(path.join(stack.project, "imported")), ["import.json", "index.ts"]);
    const tsconfig = { extends: "./tsconfig.json", files: ["imported/index.ts"] };
    await stack.writeFile("tsconfig.imported.json", JSON.stringify(tsconfig));
    await stack.shell("npm", "tsc --noEmit --project tsconfig.imported.json");
  },
  "`pulumi destroy`": async (combination) => {
    await combination.stack.destroy({ env: combination.env });
    assert.deepEqual((await combination.stack.export()).resources, []);
    assert.deepEqual(await takeOperations(combination), ["deletePipe"]);
  },
};
