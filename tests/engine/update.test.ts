import { expectNoChanges, expectNoWrites, pipeNames, writesByPipe } from "./expectations";
import { withOwnDatabases, complete, pipesProgram } from "../kit/pipes";
import { mapValues, withValue, withValues, type Json, type JsonObject } from "../kit/json";
import type { SourceKind } from "../kit/pipe-fields";
import { planOf } from "./plan";
import { pipeNamed } from "../kit/simulator";
import { deployStack } from "../kit/stack";

interface Change {
  from: JsonObject;
  to: JsonObject;
  /** The bodies of the PATCHes that the provider sends for it. */
  bodies: readonly Json[];
  /** Whether the change is no difference, which a preview does not show. */
  isEqual?: boolean;
}

const samples = "source.validateSamples";

/** A pipe with all fields but `validateSamples`, which the provider would send along with every update. */
const declaredFor = (kind: SourceKind): JsonObject => withValue(complete[kind], samples, undefined);

/** Optional fields that the program no longer declares. */
const undeclared: [SourceKind, string][] = [
  ["kafka", "source.kafka.caCertificate"],
  ["kafka", "settings"],
  ["postgres", "source.postgres.settings.pullBatchSize"],
];

const withoutField = undeclared.map(([kind, path]): [string, Change] => [
  `without ${path}`,
  { from: complete[kind], to: withValue(complete[kind], path, undefined), bodies: [] },
]);

const severalCredentials = { username: "kafka-user", password: "another-password" };
const several: JsonObject = {
  name: "several",
  source: { kafka: { iamRole: "another-role", credentials: severalCredentials } },
  settings: { dbms_max_threads: 16 },
};

const changes: Record<string, Change> = {
  ...Object.fromEntries(withoutField),
  accompanying: {
    from: complete.kinesis,
    to: withValue(complete.kinesis, samples, undefined),
    bodies: [],
    isEqual: true,
  },
  "of the provider": {
    from: complete.objectStorage,
    to: { ...complete.objectStorage, deletionPolicy: "delete", replacementPolicy: "allow" },
    bodies: [],
  },
  accompanied: {
    from: complete.kafka,
    to: withValue(complete.kafka, "name", "renamed"),
    bodies: [{ name: "renamed", source: { validateSamples: true } }],
  },
  several: {
    from: { ...declaredFor("kafka"), name: "before" },
    to: withValues(declaredFor("kafka"), {
      "source.kafka.credentials": severalCredentials,
      "source.kafka.iamRole": "another-role",
      "settings.dbmsMaxThreads": 16,
      name: "several",
    }),
    bodies: [several],
  },
};

const programOf = (which: "from" | "to"): string =>
  pipesProgram(withOwnDatabases(mapValues(changes, (change) => change[which])));

test("sends only changed fields, and keeps and names a field that is no longer declared", async () => {
  const { simulator, stack } = await deployStack(programOf("from"));
  const names = new Map(pipeNames(simulator)).set(pipeNamed(simulator, "before").id, "several");
  simulator.control.clearRequests();

  await stack.write(programOf("to"));
  const { steps, lines } = await planOf(stack);
  const updated = Object.entries(changes).filter(([, { isEqual }]) => isEqual !== true);
  expect(steps).toEqual(Object.fromEntries(updated.map(([name]) => [name, ["update"]])));
  expect(simulator.control.requests()).toEqual([]);
  const { output } = await stack.up();
  for (const text of [lines.join("\n"), output])
    for (const [, path] of undeclared)
      expect(text).toMatch(new RegExp(`${path.replaceAll(".", "\\.")}\\b.*cannot unset`));
  const expected = Object.entries(changes).filter(([, { bodies }]) => bodies.length > 0);
  expect(writesByPipe(simulator, names)).toEqual(
    mapValues(Object.fromEntries(expected), ({ bodies }) => bodies.map((body) => ["PATCH", body])),
  );

  const again = await stack.preview({ expectNoChanges: true });
  expect(again.output).not.toContain("cannot unset");
  await stack.refresh();
  await expectNoChanges(stack);
  expectNoWrites(simulator);
  expect(pipeNamed(simulator, "several")).toMatchObject({
    source: { kafka: { iamRole: "another-role", topics: "orders,returns" } },
    destination: { table: "events" },
    settings: { dbms_max_threads: 16, dbms_max_insert_threads: 2 },
    credentialsDigest: { "source.kafka.credentials": simulator.control.digest(severalCredentials) },
  });
});
