import { readFile } from "node:fs/promises";
import path from "node:path";
import { canary, leaks } from "../../testkit/canary";
import { seed } from "../../testkit/imported";
import { complete, minimal, withValue, type JsonObject } from "../../testkit/pipes";
import { plugins } from "../../testkit/sdk";
import { newSimulator, takeWrites, type Simulator } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";
import { newYamlStack, rewrite } from "../../testkit/yaml";

const account = {
  apiKeyId: "import-key",
  apiKeySecret: canary("api-key"),
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000f1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000f2", "0a1b2c3d-0000-4000-8000-0000000000f3"],
};
const missing = "0a1b2c3d-0000-4000-8000-0000000000ff";

/** The secrets of each kind of source, which the service knows. */
const SECRETS: Readonly<Record<string, Record<string, string>>> = {
  kafka: {
    "source.kafka.credentials.password": canary("kafka"),
    "source.kafka.schemaRegistry.credentials.password": canary("registry"),
  },
  objectStorage: {
    "source.objectStorage.accessKey.secretKey": canary("storage"),
    "source.objectStorage.connectionString": `AccountName=demo;AccountKey=${canary("connection")}`,
  },
  kinesis: { "source.kinesis.accessKey.secretKey": canary("kinesis") },
  postgres: { "source.postgres.credentials.password": canary("postgres") },
};
const canaries = [
  account.apiKeySecret,
  ...["kafka", "registry", "storage", "connection", "kinesis", "postgres"].map(canary),
];

const withSecrets = (kind: string, args: JsonObject): JsonObject =>
  Object.entries(SECRETS[kind] ?? {}).reduce((pipe, [at, secret]) => withValue(pipe, at, secret), args);

let simulator: Simulator;
let stack: TestStack;

beforeEach(async () => {
  simulator = await newSimulator({ accounts: [account] });
  stack = await newYamlStack({}, { simulator });
});

/** Makes a pipe by hand, and returns its id. */
function madeByHand(name: string, args: JsonObject, serviceId?: string): string {
  const [pipe] = simulator.control.seedPipes([seed(name, args)], serviceId);
  return pipe?.id ?? "";
}

/** Imports a resource; returns what Pulumi prints, and the code that it generates. */
async function imported(name: string, id: string) {
  const file = path.join(stack.project, "generated.yaml");
  const type = "datapipes:index:Pipe";
  const { output } = await stack.pulumi(["import", type, name, id, "--yes", "--out", file]);
  return { output, code: await readFile(file, "utf8") };
}

/** What Pulumi says of an import that fails. */
async function refused(type: string, id: string): Promise<string> {
  const args = ["import", `datapipes:index:${type}`, "refused", id, "--yes"];
  return (await stack.pulumi(args, { expectFailure: true })).output;
}

/** Puts generated code into the program as it is. */
const paste = (...code: readonly string[]): Promise<void> =>
  stack.writeFile(
    "Pulumi.yaml",
    `name: datapipes-test\nruntime: yaml\nplugins: ${JSON.stringify(plugins)}\n` +
      `resources:\n${code.map((text) => text.replace(/^resources:\n/, "")).join("\n")}`,
  );

test("takes over a pipe of each kind with code that has no credentials, then previews nothing and sends nothing", async () => {
  const texts: Record<string, string> = {};
  const code: string[] = [];
  for (const [kind, args] of Object.entries(complete)) {
    const run = await imported(kind, madeByHand(kind, withSecrets(kind, args)));
    code.push(run.code);
    texts[kind] = run.output;
  }
  const all = code.join("\n");
  for (const name of ["connectionString", "credentials", "accessKey", "password", "fn::secret"])
    expect(all).not.toContain(name);
  // The generator for YAML writes large numbers like this.
  expect(all).toContain("objectStorageMaxInsertBytes: 1e+09");
  await paste(...code);
  texts["preview"] = (await stack.preview({ expectNoChanges: true })).output;
  texts["up"] = (await stack.up()).output;
  texts["refresh"] = (await stack.refresh({ flags: ["--expect-no-changes"] })).output;
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
  expect(leaks({ all, ...texts, stored: await stack.storedText() }, canaries)).toEqual([]);
});

test("takes over a pipe of another service, which stays there until the stack deletes it", async () => {
  const [, service = ""] = account.serviceIds;
  const id = madeByHand("elsewhere", minimal.kafka, service);
  const { code } = await imported("elsewhere", `${account.organizationId}/${service}/${id}`);
  expect((await stack.export()).named("elsewhere")).toMatchObject({ id, inputs: { serviceId: service } });
  await paste(code);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await paste(
    code.replace("protect: true", "protect: false").replace("name: ", "deletionPolicy: delete\n      name: "),
  );
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  await stack.destroy();
  const [deletion] = takeWrites(simulator);
  expect(deletion?.method).toBe("DELETE");
  expect(deletion?.path).toMatch(new RegExp(`/services/${service}/pipes/${id}$`));
});

test("says why an import fails: no such pipe, no id, no such service, a type that the API cannot read", async () => {
  madeByHand("orders", minimal.kafka);
  expect(await refused("Pipe", missing)).toContain(`Pipe ${missing} does not exist. Check the id,`);
  expect(await refused("Pipe", "orders")).toContain('"orders" is not the id of a Pipe. Pass `<id>`, or');
  const gone = `${account.organizationId}/${missing}/${missing}`;
  expect(await refused("Pipe", gone)).toContain(
    "Check that organizationId and serviceId name a service that exists.",
  );
  expect(await refused("ReversePrivateEndpoint", missing)).toContain(
    "Declare the endpoint with `adopt: <id>`",
  );
  // Pulumi would write it as an expression of the program.
  const hostile = madeByHand(
    "hostile",
    withValue(minimal.kafka, "source.kafka.consumerGroup", "$${pulumi.stack}"),
  );
  expect(await refused("Pipe", hostile)).toContain("its field source.kafka.consumerGroup contains");
  const [service = ""] = account.serviceIds;
  expect(await refused("ServiceSettings", service)).toContain("Declare the settings without an import");
  expect((await stack.export()).resources.filter(({ type }) => type.startsWith("datapipes:"))).toEqual([]);
});

/** The code with one more member of a source. */
const withMember = (code: string, source: string, member: string, value: unknown): string =>
  code.replace(`${source}:\n`, () => `${source}:\n          ${member}: ${JSON.stringify(value)}\n`);

test("sends credentials once when the program adds them to the generated code", async () => {
  const credentials = { username: "loader", password: canary("kafka") };
  const connectionString = SECRETS["objectStorage"]?.["source.objectStorage.connectionString"] ?? "";
  const files = withValue(minimal.objectStorage, "source.objectStorage.connectionString", connectionString);
  const [kafka, storage] = [
    await imported("orders", madeByHand("orders", minimal.kafka)),
    await imported("files", madeByHand("files", files)),
  ];
  await paste(
    withMember(kafka.code, "kafka", "credentials", credentials),
    withMember(storage.code, "objectStorage", "connectionString", connectionString),
  );
  const preview = await stack.preview({ diff: true });
  const up = await stack.up();
  const sent = takeWrites(simulator).map(({ method, body }) => ({ method, body }));
  expect(sent).toHaveLength(2);
  expect(sent).toEqual(
    expect.arrayContaining([
      { method: "PATCH", body: { source: { kafka: { credentials } } } },
      { method: "PATCH", body: { source: { objectStorage: { connectionString } } } },
    ]),
  );
  await stack.preview({ expectNoChanges: true });
  const texts = { preview: preview.output, up: up.output, stored: await stack.storedText() };
  expect(leaks(texts, canaries)).toEqual([]);
});

/** A program whose resources import pipes. */
const importing = (resources: Readonly<Record<string, readonly [id: string, args: object]>>) => ({
  resources: Object.fromEntries(
    Object.entries(resources).map(([name, [id, properties]]) => [
      name,
      { type: "datapipes:Pipe", properties: { name, ...properties }, options: { import: id } },
    ]),
  ),
});

test("the option `import` takes over a pipe, changes it in place where the program differs, and then has no effect", async () => {
  const [equal, changed] = ["equal", "changed"].map((name) => madeByHand(name, minimal.kafka));
  const settings = { streamingMaxInsertWaitMs: 2000 };
  const resources = {
    equal: [equal ?? "", minimal.kafka],
    changed: [changed ?? "", { ...minimal.kafka, settings }],
  } as const;
  await rewrite(stack, importing(resources));
  const preview = await stack.preview();
  expect(preview.output).toContain("2 to import");
  const up = await stack.up();
  const body = { settings: { streaming_max_insert_wait_ms: 2000 } };
  expect(takeWrites(simulator)).toEqual([{ method: "PATCH", path: `/pipes/${changed ?? ""}`, body }]);
  await stack.preview({ expectNoChanges: true });
  expect(preview.output + up.output).not.toContain("no longer declares");
});

test("the option `import` never replaces a pipe, also where the policy allows it", async () => {
  const id = madeByHand("orders", minimal.kafka);
  const args = withValue(minimal.kafka, "destination.table", "another");
  await rewrite(stack, importing({ orders: [id, { ...args, replacementPolicy: "allow" }] }));
  const preview = await stack.preview({ expectFailure: true });
  const up = await stack.up({ expectFailure: true });
  for (const { output } of [preview, up])
    expect(output).toContain('destination.table is "few" in the service, and "another" in the program');
  expect(takeWrites(simulator)).toEqual([]);
});

test("the option `import` with another id deletes no pipe, and with the former id manages its pipe again", async () => {
  const policies = { deletionPolicy: "delete", replacementPolicy: "allow" };
  const args = { ...minimal.kafka, ...policies };
  const differing = withValue(args, "destination.table", "another");
  const [right = "", equal = "", other = ""] = ["few", "few", "another"].map((table, at) =>
    madeByHand(`orders-${at}`, withValue(minimal.kafka, "destination.table", table)),
  );
  const up = async (id: string, properties: JsonObject, expectFailure = false): Promise<string> => {
    await rewrite(stack, importing({ orders: [id, properties] }));
    return (await stack.up({ expectFailure })).output;
  };
  const kept = (former: string, current: string): RegExp =>
    new RegExp(`${former}\\) is not deleted: the option import of its resource names ${current} now`);
  const holder = async () => (await stack.export()).ofType("Pipe").map(({ id }) => id);

  await up(right, args);
  expect(await up(equal, args)).toMatch(kept(right, equal));
  expect(await up(right, args)).toMatch(kept(equal, right));
  // The engine has imported the pipe before it compares it with the program, and deletes the former one in a later run.
  expect(await up(other, args, true)).toContain(
    "Declare what the service has, or the right id in the import.",
  );
  expect(await up(other, differing)).toMatch(kept(right, other));
  expect(await up(other, args, true)).toContain("may not be replaced");
  expect(await up(right, args)).toMatch(kept(other, right));
  expect(await holder()).toEqual([right]);
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator).filter(({ method }) => method !== "PATCH")).toEqual([]);
  await rewrite(stack, { resources: {} });
  await stack.up();
  expect(takeWrites(simulator)).toMatchObject([{ method: "DELETE", path: `/pipes/${right}` }]);
});

test("refuses the program when two of its resources have one pipe", async () => {
  const id = madeByHand("orders", minimal.kafka);
  const [first, second] = [await imported("first", id), await imported("second", id)];
  await paste(first.code, second.code);
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toContain(`Two resources of this program manage Pipe ${id}`);
  await stack.up({ expectFailure: true });
  expect(takeWrites(simulator)).toEqual([]);
});
