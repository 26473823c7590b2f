import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { PROFILES, type Profile } from "../../simulator/src/profile";
import { valueAt } from "../kit/deployment";
import { expectNoChanges, writesByPipe } from "./expectations";
import { withOwnDatabases, complete, minimal, pipesProgram } from "../kit/pipes";
import { endpointIds, postgresUser } from "../kit/pipe-fields";
import { mapValues, withValues, type Json, type JsonObject } from "../kit/json";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../kit/simulator";
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

/** Pipes, each in two ways that mean the same, where the service states this scaling. */
function formatsOf(scaling: Json): Record<string, Record<"first" | "second", JsonObject>> {
  const ids = "source.kafka.reversePrivateEndpointIds";
  const upper = (text: string): string => text.toUpperCase();
  const { organizationId } = DEFAULT_ACCOUNT;
  return {
    copied: { first: minimal.kafka, second: { ...minimal.kafka, scaling } },
    partly: { first: minimal.kafka, second: { ...minimal.kafka, scaling: { replicas: 1 } } },
    dropped: {
      first: { ...minimal.kafka, scaling: complete.kafka["scaling"] ?? null },
      second: minimal.kafka,
    },
    capitals: {
      first: withValues(minimal.kafka, { [ids]: endpointIds, organizationId }),
      second: withValues(minimal.kafka, {
        [ids]: endpointIds.map(upper),
        organizationId: upper(organizationId),
        serviceId: upper(plainServiceId),
      }),
    },
  };
}

/** A program of all pipes. `scaling` is what the second format declares. */
function programOf({ isChanged = false, format = "first", scaling = null }: ProgramOptions = {}): string {
  const written = mapValues(formatsOf(scaling), (pipe) => ({
    serviceId: plainServiceId,
    ...pipe[format],
  }));
  return pipesProgram({ ...pipesOf(isChanged), ...withOwnDatabases(written) });
}

interface ProgramOptions {
  readonly isChanged?: boolean;
  readonly format?: "first" | "second";
  readonly scaling?: Json;
}

describe("other formats, omissions, masks and delays of a service", () => {
  let simulator: Simulator;
  let stack: TestStack;
  let scaling: Json;

  beforeAll(async () => {
    const serviceIds = [...services.map(idOf), plainServiceId];
    simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
    for (const [service, profiles] of Object.entries(behaviours))
      simulator.control.setBehaviour({ profiles }, idOf(service));
    // With so many resources a write of the state takes long: the engine writes it at the end of a run.
    const env = { PULUMI_SKIP_CHECKPOINTS: "true" };
    stack = await newStack({ simulator, program: programOf(), env });
    await stack.up();
    scaling = valueAt((await stack.export()).named("copied").outputs, "observed.scaling") as Json;
    expect(scaling).toMatchObject({ replicas: 1 });
    takeWrites(simulator);
  });

  test("cost at most one PATCH of a pipe, which the next run knows", async () => {
    await stack.up({ flags: ["--refresh"] });
    const repairs = writesByPipe(simulator);
    const repaired = Object.keys(repairs).map((name) => name.replace(/-\w+$/, ""));
    expect([...new Set(repaired)].sort()).toEqual(services);
    for (const writes of Object.values(repairs)) expect(writes.map(([method]) => method)).toEqual(["PATCH"]);
    await expectNoChanges(stack);
  });

  test("are not sent when the program takes them over beside a change", async () => {
    await stack.write(programOf({ isChanged: true, format: "second", scaling }));
    await stack.up();
    const patches = services.flatMap((service) =>
      Object.entries(changes).map(([kind, { body }]) => [`${service}-${kind}`, [["PATCH", body]]]),
    );
    expect(writesByPipe(simulator)).toEqual(Object.fromEntries(patches));
    await stack.refresh();
    await expectNoChanges(stack);
  });

  test("do not hide a real change by another client, which one PATCH repairs", async () => {
    await stack.write(programOf({ isChanged: true }));
    const names = services.map((service) => `${service}-kafka`);
    for (const name of names)
      simulator.control.editPipe(pipeNamed(simulator, name).id, { source: { kafka: { iamRole: "theirs" } } });
    await stack.up({ flags: ["--refresh"] });
    const repair = [["PATCH", changes["kafka"]?.body]];
    expect(writesByPipe(simulator)).toEqual(Object.fromEntries(names.map((name) => [name, repair])));
    await expectNoChanges(stack);
  });
});
