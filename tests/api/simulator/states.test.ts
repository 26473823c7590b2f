import type { Simulator } from "../../../simulator/src/index";
import {
  KAFKA,
  KINESIS,
  OBJECT_STORAGE,
  POSTGRES,
  createPipe,
  ok,
  start,
  listPipes,
  updatePipe,
} from "./client";

const CONTINUOUS = { ...OBJECT_STORAGE, source: { objectStorage: { url: "u", isContinuous: true } } };

async function stateOf(simulator: Simulator, id: string): Promise<string | undefined> {
  const pipes = await listPipes(simulator);
  return pipes.find((pipe) => pipe.id === id)?.state;
}

test.each([
  ["a kafka pipe", KAFKA, ["Setup", "Running", "Running"]],
  ["a kinesis pipe", KINESIS, ["Setup", "Running", "Running"]],
  ["a postgres pipe", POSTGRES, ["Setup", "Snapshot", "Running", "Running"]],
  ["a one-time object storage pipe", OBJECT_STORAGE, ["Setup", "Running", "Completed", "Completed"]],
  ["a continuous object storage pipe", CONTINUOUS, ["Setup", "Running", "Running"]],
])("%s goes through its states as the clock moves", async (_which, body, expected) => {
  const simulator = await start({ now: () => 0, stateSeconds: 2 });
  const { id, state } = await createPipe(simulator, body);
  expect(state).toBe("Provisioning");
  for (const next of expected) {
    simulator.control.advance(2);
    expect(await stateOf(simulator, id)).toBe(next);
  }
});

test("an update sets the state to Modifying, then back to Running", async () => {
  const simulator = await start({ now: () => 0, stateSeconds: 5 });
  const { id, updatedAt } = await createPipe(simulator, KAFKA);
  simulator.control.advance(100);
  const after = await updatePipe(simulator, id, { name: "x" });
  expect(after.state).toBe("Modifying");
  expect(after.updatedAt > updatedAt).toBe(true);
  simulator.control.advance(5);
  expect(await stateOf(simulator, id)).toBe("Running");
});

test("states change at once with stateSeconds: 0", async () => {
  const simulator = await start({ stateSeconds: 0 });
  expect((await createPipe(simulator, KAFKA)).state).toBe("Running");
  expect((await createPipe(simulator, OBJECT_STORAGE)).state).toBe("Completed");
});

test("a reverse private endpoint goes from Provisioning to Ready", async () => {
  const simulator = await start({ now: () => 0, stateSeconds: 2 });
  await ok(simulator, "POST", "/pipesReversePrivateEndpoints", { type: "VPC_ENDPOINT_SERVICE" });
  expect(simulator.control.state().endpoints[0]?.status).toBe("Provisioning");
  simulator.control.advance(2);
  expect(simulator.control.state().endpoints[0]?.status).toBe("Ready");
});

test("the injected clock alone moves states and times", async () => {
  let now = Date.UTC(2026, 0, 1);
  const simulator = await start({ now: () => now, stateSeconds: 60 });
  const { id, createdAt } = await createPipe(simulator, KAFKA);
  expect(createdAt).toBe("2026-01-01T00:00:00.000Z");
  now += 60_000;
  expect(await stateOf(simulator, id)).toBe("Setup");
});
