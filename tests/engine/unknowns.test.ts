import { canary, leaks } from "../../testkit/canary";
import {
  complete,
  creationBody,
  endpointIds,
  minimal,
  withValue,
  type Json,
  type JsonObject,
} from "../../testkit/pipes";
import { newSimulator, takeWrites } from "../../testkit/simulator";
import { deployed, newStack } from "../../testkit/stack";

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

const cases: [name: string, args: JsonObject, path: string, value: Json][] = [
  ["name", kafka, "name", "known-at-last"],
  ["endpoint", kafka, "source.kafka.reversePrivateEndpointIds.0", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a03"],
  ["endpoints", kafka, "source.kafka.reversePrivateEndpointIds", endpointIds],
  ["source", kafka, "source", secretSource],
  ["kind", kafka, "source.kafka", (kafka["source"] as JsonObject)["kafka"] ?? null],
  ["timestamp", kafka, "source.kafka.offset.timestamp", "2026-01-31T00:00"],
  ["password", kafka, "source.kafka.credentials.password", password],
  ["columns", kafka, "destination.columns", [{ name: "id", type: "UInt64" }]],
  ["column", kafka, "destination.columns.0.name", "id"],
  ["mappings", kafka, "fieldMappings", kafka["fieldMappings"] ?? null],
  ["destination", minimal.kafka, "destination", { table: "later" }],
  ["tables", complete.postgres, "source.postgres.tableMappings.0.targetTable", "later"],
  ["settings", kafka, "settings", { dbmsMaxThreads: 3 }],
  ["replicas", kafka, "scaling.replicas", 4],
  ["service", kafka, "serviceId", "0a1b2c3d-0000-4000-8000-000000000002"],
];

test("previews and deploys values of resources that do not exist yet", async () => {
  const simulator = await newSimulator();
  const program = [laterResource, ...cases.map((entry) => withLater(...entry))].join("\n");
  const stack = await newStack({ simulator, program });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toContain(`${cases.length * 2 + 1} to create`);
  expect(simulator.control.requests()).toEqual([]);

  await stack.up();
  const bodies = new Map(
    takeWrites(simulator).map(({ body }) => [(body as { name: string }).name, body] as const),
  );
  for (const [name, args, path, value] of cases) {
    const { serviceId: _, ...declared } = withValue(args, path, value);
    const pipeName = name === "name" ? "known-at-last" : name;
    expect(bodies.get(pipeName)).toEqual(creationBody(pipeName, declared));
  }
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(leaks({ preview: preview.output }, [password])).toEqual([]);
});

test("a source that becomes unknown again previews as an update, and sends one PATCH of the changed fields", async () => {
  const programOf = (role: string) =>
    `${laterResource}\n${withLater("orders", kafka, "source", withValue(kafka, "source.kafka.iamRole", role)["source"] ?? null)}`;
  const { simulator, stack } = await deployed(programOf("first"));
  takeWrites(simulator);

  await stack.write(programOf("second"));
  const preview = await stack.preview();
  expect(preview.output).not.toMatch(/replace/);
  await stack.up();
  expect(takeWrites(simulator).map(({ body }) => body)).toEqual([
    { source: { kafka: { iamRole: "second" }, validateSamples: true } },
  ]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("checks an unknown value once it is known", async () => {
  const simulator = await newSimulator();
  const program = `${laterResource}\n${withLater("orders", kafka, "source.kafka.offset.timestamp", "tomorrow")}`;
  const stack = await newStack({ simulator, program });
  await stack.preview();
  const failed = await stack.up({ expectFailure: true });
  expect(failed.output).toContain("source.kafka.offset.timestamp");
  expect(takeWrites(simulator)).toEqual([]);
});
