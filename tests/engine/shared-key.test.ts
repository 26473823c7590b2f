import { minimal, pipesProgram } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const LIMIT = { requests: 10, seconds: 10 };
const PIPES = 15;

/** A program of pipes whose names no other stack has. */
const programOf = (stack: number): string =>
  Array.from({ length: PIPES }, (_, pipe) => pipesProgram({ [`s${stack}-${pipe}`]: minimal.kafka })).join("");

test.each([5, 8])(
  "%i stacks with one key go up at the same time: none fails, each pipe is made once, few requests are refused, and it takes little longer than the limit demands",
  async (count) => {
    const rateLimit = `${LIMIT.requests}/${LIMIT.seconds}s`;
    const simulator = await newSimulator({ rateLimit });
    const stacks = await Promise.all(
      Array.from({ length: count }, (_, stack) =>
        newStack({ simulator, program: programOf(stack), config: { rateLimit } }),
      ),
    );
    const ends = await Promise.all(
      stacks.map(async (stack) => {
        await stack.up({ seconds: 600 });
        return performance.now();
      }),
    );
    const requests = simulator.control.requests();
    const served = requests.filter(({ status }) => status !== 429).length;
    const needed = count * (PIPES + 1);
    const ideal = (needed / LIMIT.requests) * LIMIT.seconds * 1000;
    const took = (requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0);
    const names = simulator.control.state().pipes.map(({ name }) => name);
    const figures = {
      time: took / ideal,
      refusals: (requests.length - served) / served,
      served: served / needed,
      // The first request is the same time before the end of each.
      unfairness: took / (took - (Math.max(...ends) - ends.reduce((sum, end) => sum + end, 0) / count)),
    };
    process.stderr.write(`${count} stacks with one key: ${JSON.stringify(figures)}\n`);
    expect([names.length, new Set(names).size]).toEqual([count * PIPES, count * PIPES]);
    expect(figures.served).toBe(1);
    expect(figures.refusals).toBeLessThanOrEqual(1);
    expect(figures.time).toBeLessThan(1.75);
    expect(figures.unfairness).toBeLessThan(2);
  },
  900_000,
);
