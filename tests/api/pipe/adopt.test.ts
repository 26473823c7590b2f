import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { UNKNOWN, type PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { canary } from "../../kit/canary";
import { failureOf } from "../../kit/client";
import { type JsonObject, withValue } from "../../kit/json";
import { complete, creationBody, minimal } from "../../kit/pipes";
import { CheckFailed, type ResourceRun, newRun, stateAfterRefresh, up } from "../../kit/run";
import { takeWrites } from "../../kit/simulator";

const seed = ({ control }: ResourceRun, name: string, args: JsonObject): string =>
  control.seedPipes([creationBody(name, args)])[0]?.id ?? "";

const theirs = complete.kafka;
const mine = (adopt: string, args: JsonObject = theirs): JsonObject => ({ name: "orders", ...args, adopt });

test("updates an adopted pipe in place, credentials included, and then waits for its state", async () => {
  const run = await newRun(pipeDefinition, { stateSeconds: 1 });
  const id = seed(run, "theirs", withValue(theirs, "source.kafka.iamRole", "theirs"));
  const taken = await up(run, { ...mine(id), waitFor: { states: ["Running"] } });
  const { credentials } = (theirs["source"] as { kafka: JsonObject }).kafka;
  const source = { kafka: { iamRole: "role-of-kafka", credentials }, validateSamples: true };
  expect(takeWrites(run.simulator)).toEqual([
    { method: "PATCH", path: `/pipes/${id}`, body: { name: "orders", source } },
  ]);
  expect(taken.outputs).toMatchObject({ name: "orders", state: "Running" });
  expect(run.lines[0]).toBe(
    `pipe "orders" adopts the existing pipe "theirs" (${id}) and changes: name: "theirs" => "orders"; ` +
      `source.kafka.iamRole: "theirs" => "role-of-kafka"; source.kafka.credentials: [secret].`,
  );
  // A list that is behind shows what the pipe had before the adoption: no drift.
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

test.each<[what: string, more: Record<string, PropertyValue>, isShown: boolean]>([
  ["refuses nothing where the program has no source yet", { source: undefined }, true],
  ["refuses nothing where the source is not known yet", { source: UNKNOWN }, true],
  ["refuses nothing where its kind is not known yet", { source: { kinesis: UNKNOWN } }, true],
  ["says nothing without an organization", { organizationId: undefined }, false],
  ["says nothing without a service", { serviceId: undefined }, false],
  ["says nothing while the service is not known", { serviceId: UNKNOWN }, false],
])("the preview of an adoption %s", async (_, more, isShown) => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", theirs);
  const { organizationId, serviceIds } = run.simulator.account;
  const inputs = { name: "orders", organizationId, serviceId: serviceIds[0], adopt: id, ...more };
  const key = "Pipe::orders";
  run.nextRun();
  run.lifecycle.context.program.declare({ key, type: "Pipe", inputs: inputs });
  const resource = { key, inputs, step: "adopt", wasTakenOver: false } as const;
  const line = expect.stringMatching(`adopts the existing pipe ${id}`) as string;
  const shown = { warnings: [], ...(isShown && { lines: [line] }) };
  expect(await run.lifecycle.definition.checkAgainstOthers?.(resource)).toEqual(shown);
  expect(run.control.requests()).toHaveLength(isShown ? 1 : 0);
});

/** A pipe whose immutable fields, scaling and secrets are not those of `theirs`. */
const edited = Object.entries({
  "source.kafka.topics": "theirs",
  "scaling.replicas": undefined,
  "source.kafka.credentials.password": canary("adopted"),
}).reduce((args, [path, value]) => withValue(args, path, value), theirs);

const differs = (...fields: string[]): string =>
  `it differs from the program in fields that cannot be changed in place:\n  ${fields.join("\n  ")}\n` +
  "Declare the values that the pipe has, or remove these fields from the program.";

test("the preview refuses to adopt a pipe with other immutable fields, and shows no secret", async () => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", edited);
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
    "of no kind",
    theirs,
    { source: { kafka: null } },
    postgres,
    "no known kind, the program declares postgres",
  ],
  ["that is null", theirs, { source: null }, postgres, "no known kind, the program declares postgres"],
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

const ABSENT = "0a1b2c3d-0000-4000-8000-00000000dead";

test("the preview refuses to adopt a pipe that does not exist", async () => {
  const run = await newRun(pipeDefinition);
  const says = `the list of service ${run.simulator.account.serviceIds[0] ?? ""} has no pipe with this ID. Check adopt, organizationId and serviceId. If the pipe was deleted, remove adopt and declare the credentials.`;
  const refused = up(run, mine(ABSENT));
  await expect(refused).rejects.toThrow(new CheckFailed(`adopt names pipe ${ABSENT}, but ${says}`));
});

test("a create without a preview refuses to adopt a pipe that differs", async () => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", edited);
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
