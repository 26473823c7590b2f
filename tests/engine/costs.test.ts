import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { withValue } from "../kit/json";
import { minimal, pipesProgram } from "../kit/pipes";
import { declaration } from "../kit/program";
import { newSimulator, requestCounts } from "../kit/simulator";
import { deployStack } from "../kit/stack";

const SERVICES = ["5c6a2f0e-7d0b-4d4c-8f5e-2b1f4f1d0c01", "5c6a2f0e-7d0b-4d4c-8f5e-2b1f4f1d0c02"];

/** Three pipes in each of the services. */
const programOf = (name: string): string =>
  SERVICES.flatMap((serviceId) =>
    ["a", "b", "c"].map((topic) => {
      const args = {
        ...withValue(minimal.kafka, "source.kafka.topics", topic),
        name: `${name}-${topic}`,
        serviceId,
      };
      return declaration("Pipe", `${topic}-${serviceId}`, args);
    }),
  ).join(";\n");

test("six pipes in two services need one list each, and one request for each write", async () => {
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds: SERVICES }] });
  const { stack } = await deployStack(programOf("first"), { simulator });
  // The list of each service comes once before its first create: it identifies the own pipe if the answer is lost.
  expect(requestCounts(simulator)).toEqual({ listPipes: 2, createPipe: 6 });
  simulator.control.clearRequests();
  await stack.preview({ expectNoChanges: true });
  expect(requestCounts(simulator)).toEqual({});
  await stack.refresh();
  expect(requestCounts(simulator)).toEqual({ listPipes: 2 });
  simulator.control.clearRequests();
  await stack.write(programOf("second"));
  await stack.up();
  expect(requestCounts(simulator)).toEqual({ updatePipe: 6 });
});

test("a pipe takes less than 6,000 bytes of the state", async () => {
  const { stack } = await deployStack(pipesProgram({ orders: minimal.kafka }));
  expect(JSON.stringify((await stack.export()).named("orders")).length).toBeLessThan(6_000);
});
