import { minimal, pipesProgram } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const STACKS = 5;
const PIPES = 12;

test(`${STACKS} stacks with one key go up at the same time: none fails, no pipe is made twice, and few requests are refused`, async () => {
  const simulator = await newSimulator({ rateLimit: "10/10s" });
  const stacks = await Promise.all(
    Array.from({ length: STACKS }, (_, stack) => {
      const pipes = Array.from(
        { length: PIPES },
        (__, pipe) => [`s${stack}-${pipe}`, minimal.kafka] as const,
      );
      const program = pipesProgram(Object.fromEntries(pipes));
      return newStack({ simulator, program, config: { rateLimit: "10/10s" } });
    }),
  );
  const started = Date.now();
  await Promise.all(stacks.map((stack) => stack.up({ seconds: 600 })));
  const requests = simulator.control.requests();
  const refused = requests.filter(({ status }) => status === 429).length;
  const needed = STACKS * (PIPES + 1);
  const names = simulator.control.state().pipes.map(({ name }) => name);
  expect([names.length, new Set(names).size]).toEqual([STACKS * PIPES, STACKS * PIPES]);
  expect(requests.length - refused).toBe(needed);
  expect(refused).toBeLessThanOrEqual(needed);
  process.stdout.write(
    `${needed} requests served and ${refused} refused in ${Math.round((Date.now() - started) / 1000)} s; the limit demands ${needed - 10} s\n`,
  );
});
