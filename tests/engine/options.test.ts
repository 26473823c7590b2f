import { minimal, pipesProgram, withValue, type Json, type JsonObject } from "../../testkit/pipes";
import { outputs } from "../../testkit/program";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../../testkit/simulator";
import { deployed, newStack, type TestStack } from "../../testkit/stack";

const pipe = (changes: Record<string, Json> = {}): JsonObject =>
  Object.entries(changes).reduce((args, [path, value]) => withValue(args, path, value), minimal.kafka);

const one = (name: string, args: JsonObject, options?: string): string =>
  pipesProgram({ [name]: args }, options);

/** What a preview would do, by the logical name of the pipe. */
async function plan(stack: TestStack): Promise<Record<string, string[]>> {
  const { stdout } = await stack.preview({ json: true, flags: ["--show-replacement-steps"] });
  const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
  const ofPipes = steps.filter(({ urn, op }) => urn.includes("datapipes:") && op !== "same");
  const names = [...new Set(ofPipes.map(({ urn }) => urn.split("::").at(-1) ?? ""))];
  return Object.fromEntries(
    names.map((name) => [name, ofPipes.filter(({ urn }) => urn.endsWith(`::${name}`)).map(({ op }) => op)]),
  );
}

const before = [
  one("ignored", pipe()),
  one("replaced", pipe({ "settings.dbmsMaxThreads": 2, replacementPolicy: "allow" })),
  one("protected", pipe(), "{ protect: true }"),
  one("left", pipe({ deletionPolicy: "delete" }), "{ retainOnDelete: true }"),
  one("old-name", pipe({ name: "renamed" })),
  one("deleted-first", pipe({ replacementPolicy: "allow" })),
  one("target", pipe()),
  one("bystander", pipe()),
].join("");

const after = [
  one("ignored", pipe({ "source.kafka.topics": "other" }), '{ ignoreChanges: ["source.kafka.topics"] }'),
  one(
    "replaced",
    pipe({ "settings.dbmsMaxThreads": 3, replacementPolicy: "allow" }),
    '{ replaceOnChanges: ["settings.dbmsMaxThreads"] }',
  ),
  one("protected", pipe(), "{ protect: true }"),
  one("new-name", pipe({ name: "renamed" }), '{ aliases: [{ name: "old-name" }] }'),
  one(
    "deleted-first",
    pipe({ replacementPolicy: "allow", "destination.table": "other" }),
    "{ deleteBeforeReplace: true }",
  ),
  one("target", pipe({ name: "target 2" })),
  one("bystander", pipe({ name: "bystander 2" })),
].join("");

const writesOf = (simulator: Simulator): [string, Json][] =>
  takeWrites(simulator).map(({ method, body }) => [method, (body as JsonObject | null)?.["name"] ?? null]);

test("supports ignoreChanges, replaceOnChanges, retainOnDelete, aliases, deleteBeforeReplace, --target and protect", async () => {
  const { simulator, stack } = await deployed(before);
  takeWrites(simulator);
  await stack.write(after);
  expect(await plan(stack)).toEqual({
    replaced: ["create-replacement", "replace", "delete-replaced"],
    left: ["delete"],
    "deleted-first": ["delete-replaced", "replace", "create-replacement"],
    target: ["update"],
    bystander: ["update"],
  });

  await stack.up({ flags: ["--target", "**target"] });
  expect(writesOf(simulator)).toEqual([["PATCH", "target 2"]]);
  expect(pipeNamed(simulator, "bystander").id).toBeDefined();
  await stack.up();
  expect(writesOf(simulator).sort()).toEqual([
    ["PATCH", "bystander 2"],
    ["POST", "deleted-first"],
    ["POST", "replaced"],
  ]);
  expect(pipeNamed(simulator, "ignored").source.kafka?.topics).toBe("orders");
  expect(pipeNamed(simulator, "left").id).toBeDefined();
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });

  await stack.write(one("target", pipe({ name: "target 2" })));
  const refused = await stack.up({ expectFailure: true });
  expect(refused.output).toMatch(/protected/);
  expect((await stack.export()).named("protected").id).toBe(pipeNamed(simulator, "protected").id);
});

const ids = {
  endpoint: "0a1b2c3d-0000-4000-8000-0000000000f1",
  service: "0a1b2c3d-0000-4000-8000-000000000002",
};

const others = (pipeId: string): string => `
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
    type.endsWith(":Pipe") && !opts.id
      ? { props: { ...props, settings: { dbmsMaxThreads: 5 } }, opts } : undefined);
  const parent = new pulumi.ComponentResource("test:index:Group", "group");
  const child = new datapipes.Pipe("child", ${JSON.stringify(minimal.kafka)}, {
    parent,
    transforms: [({ props, opts }) => ({ props: { ...props, name: "transformed" }, opts })],
  });
  const gotten = datapipes.Pipe.get("gotten", ${JSON.stringify(pipeId)});
  const endpoint = datapipes.ReversePrivateEndpoint.get("endpoint", "${ids.endpoint}", {
    description: "known", type: "VPC_ENDPOINT_SERVICE",
  });
  const settings = datapipes.ServiceSettings.get("settings", "${ids.service}", { name: "Known" });
  const kinds = [datapipes.Pipe, datapipes.ReversePrivateEndpoint, datapipes.ServiceSettings];
  const table = [child, gotten, endpoint, settings, parent].map((one) => kinds.map((kind) => kind.isInstance(one)));
  ${outputs({
    table: "table",
    topics: "gotten.source.apply((source) => source.kafka.topics)",
    endpoint: "[endpoint.id, endpoint.description, endpoint.type]",
    settings: "[settings.id, settings.name]",
  })}`;

test("transforms change the request, `get` reads all three resources, and `isInstance` distinguishes them", async () => {
  const simulator = await newSimulator();
  const [seeded] = simulator.control.seedPipes([{ name: "seeded", ...minimal.kafka } as never]);
  const stack = await newStack({ simulator, program: others(seeded?.id ?? "") });
  await stack.up();
  expect(takeWrites(simulator).map(({ method, body }) => [method, body])).toEqual([
    ["POST", { ...minimal.kafka, name: "transformed", settings: { dbms_max_threads: 5 } }],
  ]);
  expect(await stack.outputs()).toEqual({
    table: [
      [true, false, false],
      [true, false, false],
      [false, true, false],
      [false, false, true],
      [false, false, false],
    ],
    topics: "orders",
    endpoint: [ids.endpoint, "known", "VPC_ENDPOINT_SERVICE"],
    settings: [ids.service, "Known"],
  });
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});
