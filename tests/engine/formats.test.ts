import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { PROFILES, type Profile } from "../../simulator/src/profile";
import { expectNoChanges, writesByPipe } from "./expectations";
import { withOwnDatabases, complete, minimal, pipesProgram } from "../kit/pipes";
import { endpointIds, postgresUser } from "../kit/pipe-fields";
import { mapValues, withValues, type JsonObject } from "../kit/json";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

const profilesOfAll = PROFILES.filter((profile) => !["cidr", "pause-required"].includes(profile));

/** How the services answer: with all profiles, of which some hide the names that others spell; and with those names. */
const services: Record<string, { id: string; profiles: readonly Profile[] }> = {
  all: { id: "0a1b2c3d-0000-4000-8000-0000000000c0", profiles: profilesOfAll },
  "lower-case": { id: "0a1b2c3d-0000-4000-8000-0000000000c1", profiles: ["lower-case"] },
};
const plainServiceId = "0a1b2c3d-0000-4000-8000-0000000000cf";

/** Names that a service may keep in lower case. What accompanies an update is in the way of its comparison. */
const spelt = (args: JsonObject): JsonObject =>
  withValues(args, {
    "destination.database": "Shop",
    "destination.table": "Events",
    "destination.tableDefinition.sortingKey": ["Id"],
    "destination.tableDefinition.engine": { versionColumnId: "Id", columnIds: ["Id", "Note"] },
    "destination.columns.0.name": "Id",
    "destination.columns.1.name": "Note",
    "fieldMappings.0.destinationField": "Id",
    "fieldMappings.1.destinationField": "Note",
    "source.validateSamples": undefined,
  });

const declared: Record<string, JsonObject> = {
  kafka: spelt(complete.kafka),
  // A service may normalize this path.
  objectStorage: withValues(spelt(complete.objectStorage), { "source.objectStorage.path": "/2026//**.csv" }),
  kinesis: spelt(complete.kinesis),
  postgres: spelt(complete.postgres),
  few: minimal.kafka,
};

const changed: Record<string, JsonObject> = {
  ...declared,
  kafka: withValues(spelt(complete.kafka), { "source.kafka.iamRole": "changed" }),
  postgres: withValues(spelt(complete.postgres), { "source.postgres.port": 6543 }),
};
const iamRolePatch = ["PATCH", { source: { kafka: { iamRole: "changed" } } }];
const portPatch = ["PATCH", { source: { postgres: { port: 6543, credentials: postgresUser } } }];

const scaling = { replicas: 2, concurrency: 3, replicaCpuMillicores: 500, replicaMemoryGb: 1.5 };
/** What the service fills in if a program declares no scaling. */
const filledIn = { replicas: 1, concurrency: 1, replicaCpuMillicores: 250, replicaMemoryGb: 1 };
const { organizationId } = DEFAULT_ACCOUNT;

/** Pipes of a service that answers plainly. */
const first: Record<string, JsonObject> = {
  copied: minimal.kafka,
  partly: minimal.kafka,
  dropped: { ...minimal.kafka, scaling },
  capitals: withValues(minimal.kafka, {
    "source.kafka.reversePrivateEndpointIds": endpointIds,
    organizationId,
  }),
};

/** The same pipes, declared in other ways that mean the same. */
const second: Record<string, JsonObject> = {
  copied: { ...minimal.kafka, scaling: filledIn },
  partly: { ...minimal.kafka, scaling: { replicas: 1 } },
  dropped: minimal.kafka,
  capitals: withValues(minimal.kafka, {
    "source.kafka.reversePrivateEndpointIds": endpointIds.map((id) => id.toUpperCase()),
    organizationId: organizationId.toUpperCase(),
    serviceId: plainServiceId.toUpperCase(),
  }),
};

/** A program of pipes that each of the services has, such as `all-kafka`, and of those in one format. */
function programOf(pipes: Record<string, JsonObject>, format: Record<string, JsonObject>): string {
  const ofServices = Object.entries(services).flatMap(([service, { id }]) =>
    Object.entries(pipes).map(([kind, args]) => [`${service}-${kind}`, { ...args, serviceId: id }] as const),
  );
  const plain = mapValues(format, (args) => ({ serviceId: plainServiceId, ...args }));
  return pipesProgram({ ...Object.fromEntries(ofServices), ...withOwnDatabases(plain) });
}

describe("other formats, omissions, masks and delays of a service", () => {
  let simulator: Simulator;
  let stack: TestStack;

  beforeAll(async () => {
    const serviceIds = [...Object.values(services).map(({ id }) => id), plainServiceId];
    simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
    for (const { id, profiles } of Object.values(services)) simulator.control.setBehaviour({ profiles }, id);
    // With so many resources a write of the state takes long: the engine writes it at the end of a run.
    const env = { PULUMI_SKIP_CHECKPOINTS: "true" };
    stack = await newStack({ simulator, program: programOf(declared, first), env });
    await stack.up();
    expect((await stack.export()).named("copied").outputs).toMatchObject({ observed: { scaling: filledIn } });
    takeWrites(simulator);
  });

  test("cost at most one PATCH of a pipe, which the next run knows", async () => {
    await stack.up({ flags: ["--refresh"] });
    const repairs = writesByPipe(simulator);
    const repaired = Object.keys(repairs).map((name) => name.replace(/-\w+$/, ""));
    expect([...new Set(repaired)].sort()).toEqual(["all", "lower-case"]);
    for (const writes of Object.values(repairs)) expect(writes.map(([method]) => method)).toEqual(["PATCH"]);
    await expectNoChanges(stack);
  });

  test("are not sent when the program takes them over beside a change", async () => {
    await stack.write(programOf(changed, second));
    await stack.up();
    expect(writesByPipe(simulator)).toEqual({
      "all-kafka": [iamRolePatch],
      "all-postgres": [portPatch],
      "lower-case-kafka": [iamRolePatch],
      "lower-case-postgres": [portPatch],
    });
    await stack.refresh();
    await expectNoChanges(stack);
  });

  test("do not hide a real change by another client, which one PATCH repairs", async () => {
    await stack.write(programOf(changed, first));
    for (const name of ["all-kafka", "lower-case-kafka"])
      simulator.control.editPipe(pipeNamed(simulator, name).id, { source: { kafka: { iamRole: "theirs" } } });
    await stack.up({ flags: ["--refresh"] });
    expect(writesByPipe(simulator)).toEqual({
      "all-kafka": [iamRolePatch],
      "lower-case-kafka": [iamRolePatch],
    });
    await expectNoChanges(stack);
  });
});
