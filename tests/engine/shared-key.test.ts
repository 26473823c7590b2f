import { withOwnDatabases, minimal, pipesProgram } from "../kit/pipes";
import { newSimulator } from "../kit/simulator";
import { newStack } from "../kit/stack";

/** Each stack alone sends more at once than the service allows. */
const [serviceLimit, rateLimit] = ["5/1s", "10/2s"];
const NAMES = Array.from({ length: 4 }, (_, stack) =>
  Array.from({ length: 8 }, (_, pipe) => `s${stack}-${pipe}`),
);

const programOf = (names: readonly string[]): string =>
  pipesProgram(withOwnDatabases(Object.fromEntries(names.map((name) => [name, minimal.kafka]))));

test("stacks that share one key all succeed, and create no pipe twice", async () => {
  const simulator = await newSimulator({
    rateLimit: serviceLimit,
    rateLimitWindow: "rolling",
    rateLimitHeaders: false,
  });
  const stacks = await Promise.all(
    NAMES.map((names) =>
      newStack({ simulator, program: programOf(names), config: { rateLimit }, cold: true }),
    ),
  );
  await Promise.all(stacks.map((stack) => stack.up()));

  const created = simulator.control.state().pipes.map(({ name }) => name);
  expect(created.sort()).toEqual(NAMES.flat().sort());
  expect(simulator.control.requests().map(({ status }) => status)).toContain(429);
});
