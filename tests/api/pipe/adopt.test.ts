import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import {
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/lifecycle/comparison/property-value";
import { canary } from "../../kit/canary";
import { failureOf } from "../../kit/client";
import { type JsonObject, withValue, withValues } from "../../kit/json";
import { complete, creationBody, minimal } from "../../kit/pipes";
import { CheckFailed, type ResourceRun, newRun, stateAfterRefresh, up } from "../../kit/run";
import { takeWrites } from "../../kit/simulator";

const seed = ({ control }: ResourceRun, name: string, args: JsonObject): string =>
  control.seedPipes([creationBody(name, args)])[0]?.id ?? "";

const theirs = complete.kafka;
const mine = (adopt: string, args: JsonObject = theirs): JsonObject => ({ name: "orders", ...args, adopt });

test("updates an adopted pipe in place, credentials included", async () => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "theirs", withValue(theirs, "source.kafka.iamRole", "theirs"));
  const { outputs } = await up(run, mine(id));
  const { credentials } = (theirs["source"] as { kafka: JsonObject }).kafka;
  const source = { kafka: { iamRole: "role-of-kafka", credentials }, validateSamples: true };
  expect(takeWrites(run.simulator)).toEqual([
    { method: "PATCH", path: `/pipes/${id}`, body: { name: "orders", source } },
  ]);
  expect(outputs).toMatchObject({ name: "orders", state: "Running" });
  expect(run.lines[0]).toBe(
    `pipe "orders" adopts the existing pipe "theirs" (${id}) and changes: name: "theirs" => "orders"; ` +
      `source.kafka.iamRole: "theirs" => "role-of-kafka"; source.kafka.credentials: [secret].`,
  );
});

test("a list that is behind after an adoption is no drift", async () => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "theirs", withValue(theirs, "source.kafka.iamRole", "theirs"));
  const taken = await up(run, mine(id));
  run.control.editPipe(id, { source: { kafka: { iamRole: "theirs" } } });
  expect((await stateAfterRefresh(run, taken))?.outputs["source"]).toEqual(taken.outputs["source"]);
});

const A = "0a1b2c3d-0000-4000-8000-00000000000a";
const B = "0a1b2c3d-0000-4000-8000-00000000000b";
const C = "0a1b2c3d-0000-4000-8000-00000000000c";

test.each<[what: string, before: string[], after: string[], shown: string]>([
  ["another one of two", [A, B], [B, C], `["${A}"] => ["${C}"] (the other elements stay).`],
  ["another one", [A], [C], `["${A}"] => ["${C}"].`],
  ["one more", [A], [A, C], `[] => ["${C}"] (the other elements stay).`],
])("names the elements of a set that an adoption changes: %s", async (_, before, after, shown) => {
  const run = await newRun(pipeDefinition);
  const set = "source.kafka.reversePrivateEndpointIds";
  const args = withValue(theirs, "source.kafka.credentials", undefined);
  const id = seed(run, "orders", withValue(args, set, before));
  await up(run, withValue(mine(id, args), set, after));
  expect(run.lines[0]).toBe(`pipe "orders" adopts the existing pipe ${id} and changes: ${set}: ${shown}`);
});

/** What the preview of an adoption says. */
async function linesOfPreview(
  { lifecycle, lines }: ResourceRun,
  args: PropertyMap,
): Promise<readonly string[]> {
  const checked = lifecycle.check(undefined, { __key: "Pipe::orders", ...args });
  expect(await lifecycle.checkAgainstOthers(checked)).toEqual([]);
  return lines;
}

test.each<[what: string, source: PropertyValue]>([
  ["source", UNKNOWN],
  ["kind of source", { kinesis: UNKNOWN }],
])("the preview shows an adoption while the %s is not known yet", async (_, source) => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", theirs);
  const line = expect.stringContaining(`adopts the existing pipe ${id}`) as string;
  expect(await linesOfPreview(run, { ...mine(id), source })).toEqual([line]);
});

test.each(["organizationId", "serviceId"])(
  "the preview says nothing of an adoption, and reads no list, while %s is not known",
  async (setting) => {
    const run = await newRun(pipeDefinition);
    const id = seed(run, "orders", theirs);
    expect(await linesOfPreview(run, { ...mine(id), [setting]: UNKNOWN })).toEqual([]);
    expect(run.control.requests()).toEqual([]);
  },
);

const differs = (...fields: string[]): string =>
  `it differs from the program in fields that cannot be changed in place:\n  ${fields.join("\n  ")}\n` +
  "Declare the values that the pipe has, or remove these fields from the program.";

test("the preview refuses to adopt a pipe with other immutable fields, and shows no secret", async () => {
  const run = await newRun(pipeDefinition);
  const changed = { "source.kafka.topics": "theirs", "source.kafka.credentials.password": canary("adopted") };
  const id = seed(run, "orders", withValues(theirs, changed));
  run.control.editPipe(id, { scaling: { replicas: null, concurrency: 7 } });
  const declared = mine(id, { ...theirs, scaling: { replicas: 2, concurrency: 3 } });
  const says = differs(
    `source.kafka.topics: the pipe has "theirs", the program declares "orders,returns"`,
    "scaling.concurrency: the pipe has 7, the program declares 3",
  );
  await expect(up(run, declared)).rejects.toThrow(new CheckFailed(`adopt names pipe ${id}, but ${says}`));
  expect(takeWrites(run.simulator)).toEqual([]);
});

const { postgres, objectStorage } = complete;
const noField = { ...theirs, source: { kafka: {} } };

test.each<[what: string, stored: JsonObject, edit: object, declared: JsonObject, reads: string]>([
  ["of another kind", objectStorage, {}, postgres, "objectStorage, the program declares postgres"],
  [
    "of no known kind",
    theirs,
    { source: { kafka: null } },
    postgres,
    "no known kind, the program declares postgres",
  ],
  ["without declared fields", theirs, {}, noField, "kafka, the program declares kafka without a field"],
])("the preview refuses to adopt a pipe with a source %s", async (_, stored, edit, declared, reads) => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", stored);
  run.control.editPipe(id, edit);
  const says = differs(`source: the pipe reads from ${reads}`);
  const refused = up(run, mine(id, declared));
  await expect(refused).rejects.toThrow(new CheckFailed(`adopt names pipe ${id}, but ${says}`));
  expect(takeWrites(run.simulator)).toEqual([]);
});

test("a create without a preview refuses to adopt a pipe that differs", async () => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", withValue(theirs, "source.kafka.topics", "theirs"));
  const { inputs } = run.lifecycle.check(undefined, mine(id));
  const { code, message } = await failureOf(run.lifecycle.create(inputs));
  expect(code).toBe("conflict");
  expect(message).toContain(`adopt pipe ${id} failed: it differs from the program in fields`);
  expect(takeWrites(run.simulator)).toEqual([]);
});

test("adopts a pipe whose other kinds of source the service returns empty", async () => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", minimal.kafka);
  const { kafka } = run.control.state().pipes[0]?.source as JsonObject;
  run.control.editPipe(id, { source: { kafka, postgres: { host: null }, kinesis: {} } });
  expect((await up(run, mine(id, minimal.kafka))).id).toBe(id);
  expect(takeWrites(run.simulator)).toEqual([]);
});
