import path from "node:path";
import { leaks, pipeCanaries, withCanaries } from "../kit/canary";
import { accountOf, newSimulator, takeWrites, type Simulator } from "../kit/simulator";
import type { JsonObject } from "../kit/json";
import { complete, creationBody, minimal } from "../kit/pipes";
import { plugins } from "../kit/sdk";
import type { TestStack } from "../kit/stack";
import { newYamlStack, rewrite } from "./yaml";

const elsewhere = "0a1b2c3d-0000-4000-8000-0000000000f3";
const missing = "0a1b2c3d-0000-4000-8000-0000000000ff";
const [service = ""] = accountOf(1).serviceIds;
const account = { ...accountOf(1), serviceIds: [service, elsewhere] };

const canaries = [account.apiKeySecret, ...pipeCanaries];

let simulator: Simulator;
let stack: TestStack;

beforeEach(async () => {
  simulator = await newSimulator({ accounts: [account] });
  stack = await newYamlStack({}, { simulator });
});

function madeByHand(name: string, args: JsonObject, serviceId?: string): string {
  const [pipe] = simulator.control.seedPipes([creationBody(name, args)], serviceId);
  return pipe?.id ?? "";
}

async function imported(name: string, id: string) {
  const file = "generated.yaml";
  const args = ["import", "datapipes:index:Pipe", name, id, "--yes", "--out", path.join(stack.project, file)];
  return { output: (await stack.pulumi(args)).output, code: await stack.readFile(file) };
}

const paste = (...code: readonly string[]): Promise<void> =>
  stack.writeFile(
    "Pulumi.yaml",
    `name: datapipes-test\nruntime: yaml\nplugins: ${JSON.stringify(plugins)}\n` +
      `resources:\n${code.map((text) => text.replace(/^resources:\n/, "")).join("\n")}`,
  );

test("takes over a pipe of each kind with code without credentials, then sends nothing", async () => {
  const runs: Awaited<ReturnType<typeof imported>>[] = [];
  for (const [kind, args] of Object.entries(complete))
    runs.push(await imported(kind, madeByHand(kind, withCanaries(args, kind))));
  const all = runs.map(({ code }) => code).join("\n");
  for (const name of ["connectionString", "credentials", "accessKey", "password", "fn::secret"])
    expect(all).not.toContain(name);
  // The generator for YAML writes large numbers like this.
  expect(all).toContain("objectStorageMaxInsertBytes: 1e+09");
  await paste(...runs.map(({ code }) => code));
  const later = [await stack.preview({ expectNoChanges: true }), await stack.up()];
  later.push(await stack.refresh({ flags: ["--expect-no-changes"] }));
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
  const output = [...runs, ...later].map((run) => run.output).join("\n");
  expect(leaks({ all, output, stored: await stack.storedText() }, canaries)).toEqual([]);
});

test("takes over a pipe of another service, which stays there until the stack deletes it", async () => {
  const id = madeByHand("elsewhere", minimal.kafka, elsewhere);
  const { code } = await imported("elsewhere", `${account.organizationId}/${elsewhere}/${id}`);
  expect((await stack.export()).named("elsewhere")).toMatchObject({ id, inputs: { serviceId: elsewhere } });
  await paste(code);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await paste(
    code.replace("protect: true", "protect: false").replace("name: ", "deletionPolicy: delete\n      name: "),
  );
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  await stack.destroy();
  const path = `/v1/organizations/${account.organizationId}/services/${elsewhere}/pipes/${id}`;
  expect(takeWrites(simulator)).toMatchObject([{ method: "DELETE", path }]);
});

test.each([
  { type: "ReversePrivateEndpoint", id: missing, says: "Declare the endpoint with the argument" },
  { type: "ServiceSettings", id: service, says: "Declare the settings without an import" },
])("an import of $type fails, because the API cannot read it", async ({ type, id, says }) => {
  const args = ["import", `datapipes:index:${type}`, "refused", id, "--yes"];
  expect((await stack.pulumi(args, { expectFailure: true })).output).toContain(says);
  expect((await stack.export()).ofType(type)).toEqual([]);
});

const importing = (resources: Readonly<Record<string, readonly [id: string, args: object]>>) => ({
  resources: Object.fromEntries(
    Object.entries(resources).map(([name, [id, properties]]) => [
      name,
      { type: "datapipes:Pipe", properties: { name, ...properties }, options: { import: id } },
    ]),
  ),
});

test("the option `import` takes over a pipe, changes it in place, and then has no effect", async () => {
  const equal = madeByHand("equal", minimal.kafka);
  const changed = madeByHand("changed", minimal.kafka);
  const settings = { streamingMaxInsertWaitMs: 2000 };
  const declared = { ...minimal.kafka, settings };
  await rewrite(stack, importing({ equal: [equal, minimal.kafka], changed: [changed, declared] }));
  const preview = await stack.preview();
  expect(preview.output).toContain("2 to import");
  const up = await stack.up();
  const body = { settings: { streaming_max_insert_wait_ms: 2000 } };
  expect(takeWrites(simulator)).toEqual([{ method: "PATCH", path: `/pipes/${changed}`, body }]);
  await stack.preview({ expectNoChanges: true });
  expect(preview.output + up.output).not.toContain("no longer declares");
});
