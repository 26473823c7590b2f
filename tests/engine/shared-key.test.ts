import { withOwnDatabases, minimal, pipesProgram } from "../kit/pipes";
import { newSimulator } from "../kit/simulator";
import { newStack } from "../kit/stack";

const rateLimit = "10/2s";
/** In each stack, more pipes than one window has requests, so that no stack is done when the first one is over. */
const NAMES = Array.from({ length: 4 }, (_, stack) =>
  Array.from({ length: 12 }, (_, pipe) => `s${stack}-${pipe}`),
);

const programOf = (names: readonly string[]): string =>
  pipesProgram(withOwnDatabases(Object.fromEntries(names.map((name) => [name, minimal.kafka]))));

test("stacks that share one key all succeed, and create no pipe twice", async () => {
  const simulator = await newSimulator({ rateLimit, rateLimitWindow: "rolling", rateLimitHeaders: false });
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
