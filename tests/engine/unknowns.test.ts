import { canary, leaks } from "../kit/canary";
import { requestCounts, newSimulator, pipeNamed, takeBodies, takeWrites } from "../kit/simulator";
import { complete, creationBody, minimal } from "../kit/pipes";
import { withValue, withValues, type Json, type JsonObject } from "../kit/json";
import { expectNoChanges, writesByPipe } from "./expectations";
import { newStack } from "../kit/stack";

/** A resource whose output is its input, and unknown at preview. */
const laterResource = `
const later = (name, value) => {
  const provider = {
    create: async (inputs) => ({ id: name, outs: { result: inputs.value } }),
    update: async (id, olds, news) => ({ outs: { result: news.value } }),
  };
  class Later extends pulumi.dynamic.Resource {
    constructor() { super(provider, name, { value: pulumi.secret(value), result: undefined }); }
  }
  return new Later().result;
};`;

/** A pipe whose value at \`path\` comes from a resource that does not exist yet. */
const withLater = (name: string, args: JsonObject, path: string, value: Json): string => {
  const place = path
    .split(".")
    .map((key) => `[${JSON.stringify(key)}]`)
    .join("");
  return `{
    const args = ${JSON.stringify(withValue(args, path, null))};
    args${place} = later(${JSON.stringify(`value-of-${name}`)}, ${JSON.stringify(value)});
    new datapipes.Pipe(${JSON.stringify(name)}, args);
  }`;
};

const { kafka } = complete;
const password = canary("unknown-password");
const secretSource = withValue(kafka, "source.kafka.credentials.password", password)["source"] ?? null;

/** By name, a pipe, and its value at a path, which is unknown at preview. */
const unknown: [name: string, args: JsonObject, path: string, value: Json][] = [
  ["endpoint", kafka, "source.kafka.reversePrivateEndpointIds.0", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a03"],
  ["source", kafka, "source", secretSource],
  ["password", kafka, "source.kafka.credentials.password", password],
  ["columns", kafka, "destination.columns", [{ name: "id", type: "UInt64" }]],
  ["tables", complete.postgres, "source.postgres.tableMappings.0.targetTable", "later"],
  ["settings", kafka, "settings", { dbmsMaxThreads: 3 }],
  ["service", kafka, "serviceId", "0a1b2c3d-0000-4000-8000-000000000002"],
];
const cases = unknown.map(([name, args, path, value]) => ({
  name,
  args: withValue(args, "destination.database", name),
  path,
  value,
}));

/** Pipes whose kinds of source are unknown, which count neither as a second kind nor as none: the kind that each has at last. */
const kindsOfSource = { "other-kind": "kinesis", "own-kind": "kafka", "two-kinds": "kafka" };
const unknownKinds = `
  const known = ${JSON.stringify({ kafka: minimal.kafka["source"], kinesis: minimal.kinesis["source"] })};
  const kafka = later("kafka", known.kafka.kafka);
  const none = kafka.apply(() => undefined);
  const into = (table) => ({ destination: { table } });
  new datapipes.Pipe("other-kind", { source: { kafka: none, kinesis: known.kinesis.kinesis }, ...into("a") });
  new datapipes.Pipe("own-kind", { source: { kafka }, ...into("b") });
  new datapipes.Pipe("two-kinds", { source: { kafka, kinesis: none }, ...into("c") });`;

/** A program with a pipe whose source becomes known, with this role and this time of the first message. */
const changing = (role: string, timestamp = "2026-01-31T00:00"): string => {
  const values = { "source.kafka.iamRole": role, "source.kafka.offset.timestamp": timestamp };
  const changed = withValue(kafka, "destination.database", "changing");
  return withLater("changing", changed, "source", withValues(kafka, values)["source"] ?? null);
};

test("previews values of resources that do not exist yet, and checks them once they are known", async () => {
  const simulator = await newSimulator();
  const late = cases.map(({ name, args, path, value }) => withLater(name, args, path, value));
  const declared = [laterResource, ...late, unknownKinds];
  const programOf = (...more: string[]): string => [...declared, ...more].join("\n");
  const stack = await newStack({ simulator, program: programOf(changing("first")) });
  const preview = await stack.preview({ diff: true });
  const pipes = cases.length + 1 + Object.keys(kindsOfSource).length;
  // One for each case and the changing pipe, and one for the kinds of source.
  const laterResources = cases.length + 2;
  expect(preview.output).toContain(`${pipes + laterResources + 1} to create`);
  expect(requestCounts(simulator)).toEqual({ listPipes: 1 });
  expect(leaks({ preview: preview.output }, [password])).toEqual([]);

  await stack.up();
  const sent = writesByPipe(simulator);
  for (const { name, args, path, value } of cases) {
    const { serviceId: _, ...known } = withValue(args, path, value);
    expect(sent[name]).toEqual([["POST", creationBody(name, known)]]);
  }
  for (const [name, kind] of Object.entries(kindsOfSource))
    expect(Object.keys(pipeNamed(simulator, name).source)).toEqual([kind]);
  await expectNoChanges(stack);

  // A source that becomes unknown again is an update, not a replacement.
  await stack.write(programOf(changing("second")));
  expect((await stack.preview()).output).not.toMatch(/replace/);
  await stack.up();
  const source = { kafka: { iamRole: "second" }, validateSamples: true };
  expect(takeBodies(simulator)).toEqual([{ source }]);
  await expectNoChanges(stack);

  await stack.write(programOf(changing("second", "tomorrow")));
  await stack.preview();
  const failed = await stack.up({ expectFailure: true });
  expect(failed.output).toContain("source.kafka.offset.timestamp");
  expect(takeWrites(simulator)).toEqual([]);
});
