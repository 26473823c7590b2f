import type { JsonObject } from "../kit/json";
import { creationBody, minimal, pipesProgram } from "../kit/pipes";
import { newSimulator, pipeNamed, type Simulator, takeWrites } from "../kit/simulator";
import { deployStack, type TestStack } from "../kit/stack";

const flags = ["--refresh"];
/** Older than any delay of a list. */
const OLD = { createdAt: "2020-01-01T00:00:00Z", updatedAt: "2020-01-01T00:00:00Z" };

/** A stack whose pipe is deleted elsewhere. */
async function stackOfLostPipe(more: JsonObject = {}, given?: Simulator) {
  const program = pipesProgram({ orders: { ...minimal.kafka, ...more } });
  const { simulator, stack } = await deployStack(program, { ...(given && { simulator: given }) });
  const { id } = pipeNamed(simulator, "orders");
  simulator.control.editPipe(id, OLD);
  await stack.refresh();
  simulator.control.deletePipe(id);
  takeWrites(simulator);
  return { simulator, stack };
}

async function expectRefused(stack: TestStack, simulator: Simulator, refusal: string): Promise<void> {
  expect((await stack.preview({ flags, expectFailure: true })).output).toContain(refusal);
  expect((await stack.up({ flags, expectFailure: true })).output).toContain(refusal);
  expect(takeWrites(simulator)).toEqual([]);
}

test("a pipe that the refresh of a run does not find is not created beside another one", async () => {
  const { simulator, stack } = await stackOfLostPipe();
  simulator.control.seedPipes([creationBody("other", minimal.kafka)]);
  const refusal = 'pipe "orders" would load the same source into the same table as pipe "other" (';
  await expectRefused(stack, simulator, refusal);
});

test("an adopted pipe that the refresh of a run does not find is not created in its place", async () => {
  const simulator = await newSimulator();
  const [pipe] = simulator.control.seedPipes([creationBody("orders", minimal.kafka)]);
  const { stack } = await stackOfLostPipe({ adopt: pipe?.id ?? "" }, simulator);
  await expectRefused(stack, simulator, "has no pipe with this ID");
});
