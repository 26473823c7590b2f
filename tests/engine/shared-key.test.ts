import { minimal, pipesProgram } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const STACKS = 5;
const PIPES = 12;

/** A program of pipes whose names no other stack has. */
const programOf = (stack: number): string =>
  Array.from({ length: PIPES }, (_, pipe) => pipesProgram({ [`s${stack}-${pipe}`]: minimal.kafka })).join("");

test(`${STACKS} stacks with one key go up at the same time: none fails, no pipe is made twice, and few requests are refused`, async () => {
  const rateLimit = "10/10s";
  const simulator = await newSimulator({ rateLimit });
  const programs = Array.from({ length: STACKS }, (_, stack) => programOf(stack));
  const stacks = await Promise.all(
    programs.map((program) => newStack({ simulator, program, config: { rateLimit } })),
  );
  await Promise.all(stacks.map((stack) => stack.up({ seconds: 600 })));
  const requests = simulator.control.requests();
  const refused = requests.filter(({ status }) => status === 429).length;
  const needed = STACKS * (PIPES + 1);
  const names = simulator.control.state().pipes.map(({ name }) => name);
  expect([names.length, new Set(names).size]).toEqual([STACKS * PIPES, STACKS * PIPES]);
  expect(requests.length - refused).toBe(needed);
  expect(refused).toBeLessThanOrEqual(needed);
});
