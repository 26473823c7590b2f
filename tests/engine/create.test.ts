import { isNative, tokenOf } from "../../testkit/adapter";
import { valueAt } from "../../testkit/deployment";
import {
  complete,
  completeAndMinimal as pipes,
  creationBody,
  minimal,
  pipesProgram,
} from "../../testkit/pipes";
import { newSimulator, pipeNamed, takeWrites, type SimulatorOptions } from "../../testkit/simulator";
import { deployed, newStack } from "../../testkit/stack";

const servers: [string, SimulatorOptions][] = [
  ["fills in what programs leave out", {}],
  ["fills in nothing", { fill: false }],
  ["returns null where it has no value", { nulls: true }],
];

describe.each(servers)("against a server that %s", (_, options) => {
  test("sends one POST per pipe, and then shows and sends no change of an unchanged program", async () => {
    const simulator = await newSimulator(options);
    const stack = await newStack({ simulator, program: pipesProgram(pipes) });
    const firstPreview = await stack.preview();
    expect(simulator.control.requests()).toEqual([]);
    expect(firstPreview.output).toContain(`${Object.keys(pipes).length + 1} to create`);

    await stack.up();
    const posts = takeWrites(simulator);
    const bodies = Object.fromEntries(posts.map(({ body }) => [(body as { name: string }).name, body]));
    expect(posts.map(({ method, path }) => `${method} ${path}`)).toEqual(posts.map(() => "POST /pipes"));
    expect(posts).toHaveLength(Object.keys(pipes).length);
    for (const [name, args] of Object.entries(pipes)) expect(bodies[name]).toEqual(creationBody(name, args));

    await stack.preview({ expectNoChanges: true });
    await stack.up({ flags: ["--expect-no-changes"] });
    await stack.refresh({ flags: ["--expect-no-changes"] });
    await stack.preview({ expectNoChanges: true });
    await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
    await stack.up();
    expect(takeWrites(simulator)).toEqual([]);
  });
});

const outputsProgram = `
${pipesProgram({ files: complete.objectStorage })}
const pipe = new datapipes.Pipe("orders", ${JSON.stringify(minimal.kafka)});
exports.id = pipe.id;
exports.name = pipe.name;
exports.state = pipe.state;
exports.createdAt = pipe.createdAt;
exports.updatedAt = pipe.updatedAt;
exports.organizationId = pipe.organizationId;
exports.serviceId = pipe.serviceId;
exports.source = pipe.source;
exports.settings = pipe.settings;
exports.observed = pipe.observed;
exports.isPipe = [datapipes.Pipe.isInstance(pipe), datapipes.Pipe.isInstance({})];
`;

test("the outputs have the declared values, and `observed` has what the server filled in", async () => {
  const { simulator, stack } = await deployed(outputsProgram);

  const pipe = pipeNamed(simulator, "orders");
  const outputs = await stack.outputs();
  expect(outputs).toMatchObject({
    id: pipe.id,
    name: "orders",
    state: "Running",
    createdAt: pipe.createdAt,
    updatedAt: pipe.updatedAt,
    organizationId: simulator.account.organizationId,
    serviceId: simulator.account.serviceIds[0],
    source: minimal.kafka["source"],
    isPipe: [true, false],
  });
  expect(outputs).not.toHaveProperty("settings");
  // `observed` repeats neither declared values nor values that are outputs of their own.
  for (const name of ["id", "name", "state", "createdAt", "updatedAt", "serviceId", "organizationId"])
    expect(outputs["observed"]).not.toHaveProperty(name);
  expect(outputs["observed"]).not.toHaveProperty("source.kafka.topics");
  expect(outputs["observed"]).not.toHaveProperty("destination.table");
  expect(outputs["observed"]).toMatchObject({
    destination: { database: "default", managedTable: true },
    settings: { streamingMaxInsertWaitMs: 5000, dbmsParallelViewProcessing: false },
    scaling: { replicas: 1 },
  });
});

test("the state refers to the installed provider by the type, and a dynamic resource by a text that never changes", async () => {
  const { simulator, stack } = await deployed(pipesProgram({ orders: minimal.kafka }));

  const resource = (await stack.export()).named("orders");
  const handler = 'exports.handler = () => require("pulumi-datapipes/runtime").handler("Pipe");';
  expect(resource.type).toBe(tokenOf("Pipe"));
  for (const side of [resource.inputs, resource.outputs])
    expect(side?.["__provider"]).toBe(isNative ? undefined : handler);
  expect(valueAt(resource.inputs, "serviceId")).toBe(simulator.account.serviceIds[0]);
});

test("`get` reads a pipe that exists, and fails for one that does not", async () => {
  const simulator = await newSimulator();
  const [existing] = simulator.control.seedPipes([
    { name: "seeded", source: { kafka: { topics: "orders" } }, destination: { table: "orders" } },
  ]);
  const program = (id = "") => `
    const pipe = datapipes.Pipe.get("seeded", ${JSON.stringify(id)});
    exports.scaling = pipe.scaling;
    exports.observed = pipe.observed;
    exports.name = pipe.name;`;
  const stack = await newStack({ simulator, program: program(existing?.id) });
  await stack.up();
  const { observed, ...shown } = await stack.outputs();
  expect(shown).toMatchObject({ name: "seeded", scaling: { replicas: 1 } });
  // Each value that was read is an output of its own, so `observed` need not repeat it.
  expect(observed).toEqual({});
  expect(takeWrites(simulator)).toEqual([]);

  const unknown = "00000000-0000-4000-8000-000000000000";
  await stack.write(program(unknown));
  const failed = await stack.up({ expectFailure: true });
  expect(failed.output).toContain(unknown);
});
