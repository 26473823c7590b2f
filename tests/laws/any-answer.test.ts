import fc from "fast-check";
import { WriteFailure } from "../../provider/src/lifecycle/state/write-failure";
import { isDatapipesError } from "../../provider/src/messages/errors";
import { DEFINITIONS, RESOURCE_TYPES } from "../../provider/src/run/definitions";
import { isUuid } from "../../provider/src/values/uuid";
import type { FaultKind } from "../../simulator/src/index";
import { connect } from "../kit/client";
import { EVERY_RESOURCE } from "../kit/resources";
import { InstantClock } from "../kit/clock";
import { withValue, type Json, type JsonObject } from "../kit/json";
import { complete } from "../kit/pipes";
import { newSimulator, type Simulator } from "../kit/simulator";
import { CheckFailed, Runs, up } from "../kit/run";
import type { DeployedResource } from "../kit/lifecycle";
import { holds } from "./parameters";

const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

/** A pipe with parts in place of others. */
const almostPipe = fc
  .tuple(
    fc.constantFrom(...Object.values(complete)),
    fc.option(fc.uuid()),
    fc.array(
      fc.tuple(
        fc.constantFrom("name", "state", "source", "source.kafka", "destination", "destination.columns"),
        anyJson,
      ),
      { maxLength: 2 },
    ),
  )
  .map(([pipe, id, parts]) =>
    parts.reduce<JsonObject>((one, [path, value]) => withValue(one, path, value), { ...pipe, id }),
  );
const result = fc.oneof(anyJson, almostPipe, fc.array(fc.oneof(almostPipe, anyJson), { maxLength: 3 }));
const body = fc.oneof(
  anyJson,
  result.map((one) => ({ status: 200, requestId: "r", result: one })),
  fc.record({ status: anyJson, requestId: anyJson, result, error: anyJson }) as fc.Arbitrary<Json>,
);
const anyAnswer = fc.record({
  kind: fc.constant("status" as const),
  status: fc.constantFrom(200, 200, 200, 201, 400, 404, 409, 429, 500),
  body,
  processed: fc.boolean(),
}) as fc.Arbitrary<FaultKind>;

/** Fails the test unless an error is one that the provider words for people. */
function isWorded(error: unknown): void {
  const { cause } = error as { readonly cause?: unknown };
  const inner = error instanceof WriteFailure ? cause : error;
  if (!isDatapipesError(inner) && !(inner instanceof CheckFailed)) throw error;
}

describe("whatever JSON a service answers, an operation succeeds or fails with an error in words", () => {
  let simulator: Simulator;

  beforeAll(async () => {
    simulator = await newSimulator();
  });

  test.each(RESOURCE_TYPES)("for a %s", (type) =>
    holds(
      fc.asyncProperty(fc.array(anyAnswer, { minLength: 1, maxLength: 4 }), async (answers) => {
        const { control } = simulator;
        control.reset();
        const run = new Runs(DEFINITIONS[type], simulator, new InstantClock());
        const { args: own, changed } = EVERY_RESOURCE[type];
        const args = { ...own, deletionPolicy: "delete" };
        const present = await up(run, args);
        const afterAnswers = async (work: () => Promise<unknown>): Promise<unknown> => {
          for (const answer of answers) control.fault({ operationId: "*", ...answer });
          const done = await work().catch(isWorded);
          control.clearFaults();
          return done;
        };
        const created = await afterAnswers(() => up(run, { ...args, ...changed }));
        if (created !== undefined) expect(isUuid((created as DeployedResource).id)).toBe(true);
        await afterAnswers(() => run.lifecycle.read(present.id, present.outputs));
        await afterAnswers(() => up(run, { ...args, ...changed }, present));
        await afterAnswers(() => run.lifecycle.delete(present.id, present.outputs));
      }),
      20,
    ),
  );

  test("for backups", () =>
    holds(
      fc.asyncProperty(anyAnswer, async (answer) => {
        const { client, scope } = connect(simulator, { clock: new InstantClock() });
        simulator.control.reset();
        simulator.control.fault({ operationId: "*", ...answer });
        await client.listBackups(scope).catch(isWorded);
      }),
    ));
});
