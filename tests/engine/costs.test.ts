import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { minimal } from "../kit/pipes";
import { declaration } from "../kit/program";
import { newSimulator, requestCounts, type Simulator } from "../kit/simulator";
import { newStack } from "../kit/stack";

/** The largest allowed size of a pipe in the state, in bytes. */
const MOST_BYTES = 6_000;

const SERVICES = ["5c6a2f0e-7d0b-4d4c-8f5e-2b1f4f1d0c01", "5c6a2f0e-7d0b-4d4c-8f5e-2b1f4f1d0c02"];

/** Six pipes, in two services in turn. */
const programOf = (name: string): string =>
  Array.from({ length: 6 }, (_, index) => {
    const serviceId = SERVICES[index % 2] ?? "";
    const source = { kafka: { brokers: "b-1.example:9092", topics: `orders-${index}` } };
    const args = { ...minimal.kafka, name: `${name}-${index}`, serviceId, source };
    return declaration("Pipe", `orders-${index}`, args);
  }).join(";\n");

/** How many requests of each operation there were since the last call. */
function takeCounts(simulator: Simulator): Readonly<Record<string, number>> {
  const counts = requestCounts(simulator);
  simulator.control.clearRequests();
  return counts;
}

test("six pipes in two services need one list each, and one request for each write", async () => {
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds: SERVICES }] });
  const stack = await newStack({ simulator, program: programOf("first") });

  // The list of each service comes once before its first create: it identifies the own pipe if the answer is lost.
  await stack.up();
  expect(takeCounts(simulator)).toEqual({ listPipes: 2, createPipe: 6 });
  await stack.preview({ expectNoChanges: true });
  expect(takeCounts(simulator)).toEqual({});
  await stack.refresh();
  expect(takeCounts(simulator)).toEqual({ listPipes: 2 });
  await stack.write(programOf("second"));
  await stack.up();
  expect(takeCounts(simulator)).toEqual({ updatePipe: 6 });

  const pipes = (await stack.export()).ofType("Pipe");
  for (const pipe of pipes) expect(JSON.stringify(pipe).length).toBeLessThan(MOST_BYTES);
});
