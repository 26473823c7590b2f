import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { UNKNOWN, type PropertyValue } from "../../../provider/src/lifecycle/property-value";
import { canary } from "../../kit/canary";
import { failureOf } from "../../kit/client";
import { type JsonObject, withValue } from "../../kit/json";
import { complete, creationBody, minimal } from "../../kit/pipes";
import {
  CheckFailed,
  type ResourceRun,
  newRun,
  partialFailureOf,
  stateAfterRefresh,
  up,
} from "../../kit/run";
import { takeWrites } from "../../kit/simulator";

const seed = ({ control }: ResourceRun, name: string, args: JsonObject): string =>
  control.seedPipes([creationBody(name, args)])[0]?.id ?? "";

const theirs = complete.kafka;
const mine = (adopt: string, args: JsonObject = theirs): JsonObject => ({ name: "orders", ...args, adopt });

/** What the preview says of an adoption that cannot be; without a preview, creation says the same. */
async function refusalOf(run: ResourceRun, args: JsonObject): Promise<string> {
  const { adopt } = args as { adopt: string };
  const refused = await up(run, args).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CheckFailed);
  const { lifecycle } = run;
  const { code, message } = await failureOf(lifecycle.create(lifecycle.check(undefined, args).inputs));
  const ofPreview = `adopt names pipe ${adopt}, but `;
  const ofCreate = `adopt pipe ${adopt} failed: `;
  expect((refused as Error).message.replace(ofPreview, ofCreate)).toBe(message);
  expect(takeWrites(run.simulator)).toEqual([]);
  return `${code}: ${message.replace(ofCreate, "")}`;
}

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

test("an adoption whose wait fails sends no second update, also when lists are behind", async () => {
  const run = await newRun(pipeDefinition, { stateSeconds: 600 });
  const id = seed(run, "theirs", withValue(theirs, "source.kafka.iamRole", "theirs"));
  const waiting = { ...mine(id), waitFor: { states: ["Running"], timeoutSeconds: 5 } };
  const left = await partialFailureOf(up(run, waiting));
  expect(takeWrites(run.simulator)).toHaveLength(1);
  run.control.editPipe(id, { name: "theirs", source: { kafka: { iamRole: "theirs" } } });
  const read = await stateAfterRefresh(run, left);
  run.control.editPipe(id, {
    name: "orders",
    source: { kafka: { iamRole: "role-of-kafka" } },
    state: "Running",
  });
  await up(run, waiting, read);
  expect(takeWrites(run.simulator)).toEqual([]);
});

const A = "0a1b2c3d-0000-4000-8000-00000000000a";
const B = "0a1b2c3d-0000-4000-8000-00000000000b";
const C = "0a1b2c3d-0000-4000-8000-00000000000c";

test.each<[before: string[], after: string[], shown: string]>([
  [[A, B], [B, C], `["${A}"] => ["${C}"] (the other elements stay).`],
  [[A], [C], `["${A}"] => ["${C}"].`],
  [[A], [A, C], `[] => ["${C}"] (the other elements stay).`],
])("names the elements of a set that an adoption changes: %j to %j", async (before, after, shown) => {
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
  const resource = { key: "Pipe::orders", inputs, step: "adopt", wasTakenOver: false } as const;
  const line = expect.stringMatching(`adopts the existing pipe ${id}`) as string;
  const shown = { warnings: [], ...(isShown && { lines: [line] }) };
  expect(await run.lifecycle.definition.preview?.(resource)).toEqual(shown);
  expect(run.control.requests()).toHaveLength(isShown ? 1 : 0);
});

const differs = (...fields: string[]): string =>
  `conflict: it differs from the program in fields that cannot be changed in place:\n${fields.map((field) => `  ${field}\n`).join("")}` +
  "Declare the values that the pipe has, or remove these fields from the program.";
const reads = (kind: string, declared = "postgres"): string =>
  differs(`source: the pipe reads from ${kind}, the program declares ${declared}`);
const edited = Object.entries({
  "source.kafka.topics": "theirs",
  "scaling.replicas": undefined,
  "source.kafka.credentials.password": canary("adopted"),
}).reduce((args, [path, value]) => withValue(args, path, value), theirs);

type Refused = [edit: object, declared: JsonObject, says: string];
const noKafka = { source: { kafka: null } };
const sized: Refused = [
  { scaling: { replicas: null, concurrency: 7 } },
  { ...theirs, scaling: { replicas: 2, concurrency: 3 } },
  differs(
    `source.kafka.topics: the pipe has "theirs", the program declares "orders,returns"`,
    "scaling.concurrency: the pipe has 7, the program declares 3",
  ),
];

test.each<[what: string, theirs: JsonObject, ...Refused]>([
  ["other immutable fields, both values, without secrets and what an answer lacks", edited, ...sized],
  ["a source of another kind", complete.objectStorage, {}, complete.postgres, reads("objectStorage")],
  ["a source of no known kind", theirs, noKafka, complete.postgres, reads("no known kind")],
  ["no source", theirs, { source: null }, complete.postgres, reads("no known kind")],
  [
    "a kind of which the program declares no field",
    theirs,
    {},
    { ...theirs, source: { kafka: {} } },
    reads("kafka", "kafka without a field"),
  ],
])("refuses to adopt a pipe with %s", async (_, stored, edit, declared, says) => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", stored);
  run.control.editPipe(id, edit);
  expect(await refusalOf(run, mine(id, declared))).toBe(says);
});

test("refuses to adopt a pipe that does not exist", async () => {
  const run = await newRun(pipeDefinition);
  expect(await refusalOf(run, mine("0a1b2c3d-0000-4000-8000-00000000dead"))).toBe(
    `not-found: service ${run.simulator.account.serviceIds[0] ?? ""} has no pipe with this ID. Check adopt, ` +
      "organizationId and serviceId. If the pipe was deleted, remove adopt and declare the credentials.",
  );
});

test("adopts a pipe whose other kinds of source the service returns empty", async () => {
  const run = await newRun(pipeDefinition);
  const id = seed(run, "orders", minimal.kafka);
  const { kafka } = run.control.state().pipes[0]?.source as JsonObject;
  run.control.editPipe(id, { source: { kafka, postgres: { host: null }, kinesis: {} } });
  expect((await up(run, mine(id, minimal.kafka))).id).toBe(id);
  expect(takeWrites(run.simulator)).toEqual([]);
});
