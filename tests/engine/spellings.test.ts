import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { PROFILES, type Profile } from "../../simulator/src/profile";
import { valueAt } from "../kit/deployment";
import { expectNoChanges, writesByPipe } from "./expectations";
import { withOwnDatabases, complete, minimal, pipesProgram } from "../kit/pipes";
import { endpointIds, postgresUser } from "../kit/pipe-fields";
import { mapValues, withValues, type Json, type JsonObject } from "../kit/json";
import { newSimulator, pipeNamed, type Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

const profiles = PROFILES.filter((profile) => !["cidr", "pause-required"].includes(profile));

/** How the services answer: with all profiles, of which some hide the names that others spell; and with those names. */
const behaviours: Record<string, readonly Profile[]> = { all: profiles, "lower-case": ["lower-case"] };

const services = Object.keys(behaviours);
const idOf = (service: string): string => `0a1b2c3d-0000-4000-8000-0000000000c${services.indexOf(service)}`;
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
  ...mapValues(complete, spelt),
  // A service may normalize this path.
  objectStorage: withValues(spelt(complete.objectStorage), { "source.objectStorage.path": "/2026//**.csv" }),
  few: minimal.kafka,
};

/** What the second program changes, and the PATCH of it: the field, with what must accompany it. */
const changes: Record<string, { path: string; to: Json; body: JsonObject }> = {
  kafka: { path: "source.kafka.iamRole", to: "changed", body: { source: { kafka: { iamRole: "changed" } } } },
  postgres: {
    path: "source.postgres.port",
    to: 6543,
    body: { source: { postgres: { port: 6543, credentials: postgresUser } } },
  },
};

/** Each declared pipe in each service, under the names of both, with or without its change. */
const pipesOf = (isChanged: boolean): Record<string, JsonObject> =>
  Object.fromEntries(
    services.flatMap((service) =>
      Object.entries(declared).map(([kind, args]) => {
        const { path, to } = changes[kind] ?? {};
        const changed = isChanged && path !== undefined ? withValues(args, { [path]: to }) : args;
        return [`${service}-${kind}`, { ...changed, serviceId: idOf(service) }];
      }),
    ),
  );

/** Pipes as they are declared at first, and in another way that means the same, where the service states this scaling. */
function spelledPairs(scaling: Json): Record<string, [JsonObject, JsonObject]> {
  const scaled = { ...minimal.kafka, scaling: complete.kafka["scaling"] ?? null };
  const ids = "source.kafka.reversePrivateEndpointIds";
  const upper = (text: string): string => text.toUpperCase();
  return {
    copied: [minimal.kafka, { ...minimal.kafka, scaling }],
    partly: [minimal.kafka, { ...minimal.kafka, scaling: { replicas: 1 } }],
    dropped: [scaled, minimal.kafka],
    capitals: [
      {
        ...withValues(minimal.kafka, { [ids]: endpointIds }),
        organizationId: DEFAULT_ACCOUNT.organizationId,
      },
      {
        ...withValues(minimal.kafka, { [ids]: endpointIds.map(upper) }),
        organizationId: upper(DEFAULT_ACCOUNT.organizationId),
        serviceId: upper(plainServiceId),
      },
    ],
  };
}

/** The program: with or without the changes, and with that spelling. */
const programOf = (isChanged: boolean, scaling: Json, which: 0 | 1): string => {
  const spelled = mapValues(spelledPairs(scaling), (pair) => ({ serviceId: plainServiceId, ...pair[which] }));
  return pipesProgram({ ...pipesOf(isChanged), ...withOwnDatabases(spelled) });
};

async function newServices() {
  const serviceIds = [...services.map(idOf), plainServiceId];
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
  for (const service of services)
    simulator.control.setBehaviour({ profiles: behaviours[service] ?? [] }, idOf(service));
  return simulator;
}

/** What can be changed in place and is written in another way is sent once more, and then known. */
async function expectOneRepair(simulator: Simulator, stack: TestStack): Promise<void> {
  await stack.up({ flags: ["--refresh"] });
  const repairs = writesByPipe(simulator);
  expect([...new Set(Object.keys(repairs).map((name) => name.replace(/-\w+$/, "")))].sort()).toEqual(
    services,
  );
  for (const writes of Object.values(repairs)) expect(writes.map(([method]) => method)).toEqual(["PATCH"]);
  await expectNoChanges(stack);
}

/** The state learns of other spellings without a request. */
async function expectOnlyRealChangesSent(simulator: Simulator, stack: TestStack): Promise<void> {
  await stack.up();
  const patches = services.flatMap((service) =>
    Object.entries(changes).map(([kind, { body }]) => [`${service}-${kind}`, [["PATCH", body]]]),
  );
  expect(writesByPipe(simulator)).toEqual(Object.fromEntries(patches));
  await stack.preview({ expectNoChanges: true });
  await stack.refresh();
  await expectNoChanges(stack);
}

/** A real change made elsewhere is drift all the same, and repaired once. */
async function expectOneRepairOfDrift(simulator: Simulator, stack: TestStack): Promise<void> {
  const theirs = { source: { kafka: { iamRole: "theirs" } } };
  for (const service of services)
    simulator.control.editPipe(pipeNamed(simulator, `${service}-kafka`).id, theirs);
  await stack.up({ flags: ["--refresh"] });
  expect(writesByPipe(simulator)).toEqual(
    Object.fromEntries(services.map((service) => [`${service}-kafka`, [["PATCH", changes["kafka"]?.body]]])),
  );
  await expectNoChanges(stack);
}

test("spellings, omissions, masks and delays cost one PATCH at most, and no replacement", async () => {
  const simulator = await newServices();
  // With so many resources a write of the state takes long: the engine writes it at the end of a run.
  const env = { PULUMI_SKIP_CHECKPOINTS: "true" };
  const stack = await newStack({ simulator, program: programOf(false, null, 0), env });
  await stack.up();
  const scaling = valueAt((await stack.export()).named("copied").outputs, "observed.scaling") as Json;
  expect(scaling).toMatchObject({ replicas: 1 });
  simulator.control.clearRequests();
  await expectOneRepair(simulator, stack);

  await stack.write(programOf(true, scaling, 1));
  await expectOnlyRealChangesSent(simulator, stack);

  // The first spelling is no change again.
  await stack.write(programOf(true, scaling, 0));
  await expectOneRepairOfDrift(simulator, stack);

  // Another value than the service states needs a replacement, also where the program declared none before.
  await stack.write(programOf(true, { replicas: 3 }, 1));
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toContain(
    "scaling.replicas cannot be changed in place: the service has 1, the program declares 3.",
  );
});
