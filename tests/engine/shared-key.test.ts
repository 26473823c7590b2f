import { spawnSync } from "node:child_process";
import { descendantsOf } from "../kit/cli";
import { withOwnDatabases, minimal, pipesProgram } from "../kit/pipes";
import { newSimulator, until, type LoggedRequest } from "../kit/simulator";
import { newStack } from "../kit/stack";

const LIMIT = { requests: 10, seconds: 2 };
const STACKS = 4;
/** More than one window has, so that no stack is done when the first one is over. */
const PIPES = 12;

/** The pipes of a stack, whose names no other stack has. */
const namesIn = (stack: number): string[] => Array.from({ length: PIPES }, (_, pipe) => `s${stack}-${pipe}`);

const programOf = (stack: number): string =>
  namesIn(stack)
    .map((name) => pipesProgram(withOwnDatabases({ [name]: minimal.kafka })))
    .join("");

test("of stacks with one key, one is killed: the others succeed, and no pipe is created twice", async () => {
  const rateLimit = `${LIMIT.requests}/${LIMIT.seconds}s`;
  const simulator = await newSimulator({ rateLimit, rateLimitWindow: "rolling", rateLimitHeaders: false });
  const config = { rateLimit };
  const [killed, ...others] = await Promise.all(
    Array.from({ length: STACKS }, (_, stack) =>
      newStack({ simulator, program: programOf(stack), config, cold: true }),
    ),
  );
  const served = (): LoggedRequest[] => simulator.control.requests().filter(({ status }) => status !== 429);
  // The shell becomes the CLI.
  const under = ["sh", "-c", 'echo $$ > pid; exec "$@"', "sh"];
  const end = killed?.up({ under, expectFailure: true });
  const ends = others.map((stack) => stack.up());
  // The requests of two windows might be all of one that is ahead of the others.
  await until(() => served().length >= LIMIT.requests);
  const cli = Number(await killed?.readFile("pid"));
  const tree = [...(await descendantsOf(cli)).map(({ pid }) => pid), cli];
  // Not process.kill, which fails for one that has ended since.
  spawnSync("kill", ["-KILL", ...tree.map(String)]);
  await Promise.all([end, ...ends]);

  const made = simulator.control.state().pipes.map(({ name }) => name);
  // A stack whose turn comes after a minute lists the pipes again.
  expect(served().length).toBeLessThanOrEqual(1.3 * STACKS * (PIPES + 1));
  expect(made).toHaveLength(new Set(made).size);
  expect(made).toEqual(expect.arrayContaining(others.flatMap((_, index) => namesIn(index + 1))));
});
