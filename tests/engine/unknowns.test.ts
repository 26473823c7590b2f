import { canary, leaks } from "../kit/canary";
import { requestCounts, newSimulator, takeBodies, takeWrites, type Simulator } from "../kit/simulator";
import { complete, creationBody } from "../kit/pipes";
import { withValue, withValues, type Json, type JsonObject } from "../kit/json";
import { expectNoChanges, writesByPipe } from "./expectations";
import { newStack, type TestStack } from "../kit/stack";

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

const { kafka } = complete;
const password = canary("unknown-password");
const secretSource = withValue(kafka, "source.kafka.credentials.password", password)["source"] ?? null;

const inOwnDatabase = (name: string): JsonObject => withValue(kafka, "destination.database", name);

/** A Kafka pipe, and its value at a path, which comes from a resource that does not exist yet. */
type Late = [name: string, path: string, value: Json];

function declarationOf([name, path, value]: Late): string {
  const args = JSON.stringify(withValue(inOwnDatabase(name), path, "LATER"));
  const later = `later("value-of-${name}", ${JSON.stringify(value)})`;
  return `new datapipes.Pipe("${name}", ${args.replace('"LATER"', () => later)});`;
}

const cases: Late[] = [
  ["endpoint", "source.kafka.reversePrivateEndpointIds.0", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a03"],
  ["source", "source", secretSource],
  ["password", "source.kafka.credentials.password", password],
  ["service", "serviceId", "0a1b2c3d-0000-4000-8000-000000000002"],
];

/** The program with one more pipe, whose source becomes known, with this role and this time of the first message. */
function programWith(role: string, timestamp = "2026-01-31T00:00"): string {
  const values = { "source.kafka.iamRole": role, "source.kafka.offset.timestamp": timestamp };
  const source = withValues(kafka, values)["source"] ?? null;
  const changing: Late = ["changing", "source", source];
  return [laterResource, ...[...cases, changing].map(declarationOf)].join("\n");
}

describe("values of resources that do not exist yet", () => {
  let simulator: Simulator;
  let stack: TestStack;

  beforeAll(async () => {
    simulator = await newSimulator();
    stack = await newStack({ simulator, program: programWith("first") });
  });

  test("pass a preview, which shows no secret and sends no write", async () => {
    const { output } = await stack.preview({ diff: true });
    // The stack, and five pipes with one resource each for the value.
    expect(output).toContain("11 to create");
    expect(requestCounts(simulator)).toEqual({ listPipes: 1 });
    expect(leaks({ output }, [password])).toEqual([]);
  });

  test("are sent by an up, and cause no difference afterwards", async () => {
    await stack.up();
    const sent = writesByPipe(simulator);
    for (const [name, path, value] of cases) {
      const { serviceId: _, ...known } = withValue(inOwnDatabase(name), path, value);
      expect(sent[name]).toEqual([["POST", creationBody(name, known)]]);
    }
    await expectNoChanges(stack);
  });

  test("cause an update, not a replacement, when a source becomes unknown again", async () => {
    await stack.write(programWith("second"));
    expect((await stack.preview()).output).not.toMatch(/replace/);
    await stack.up();
    const source = { kafka: { iamRole: "second" }, validateSamples: true };
    expect(takeBodies(simulator)).toEqual([{ source }]);
    await expectNoChanges(stack);
  });

  test("fail once they are known and wrong, before a write", async () => {
    await stack.write(programWith("second", "tomorrow"));
    await stack.preview();
    const { output } = await stack.up({ expectFailure: true });
    expect(output).toContain("source.kafka.offset.timestamp");
    expect(takeWrites(simulator)).toEqual([]);
  });
});
