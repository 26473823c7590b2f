import { spawnSync } from "node:child_process";
import { isNative } from "../kit/program";
import { descendantsOf } from "../kit/cli";
import { withOwnDatabases, minimal, pipesProgram } from "../kit/pipes";
import { newSimulator, until, type LoggedRequest } from "../kit/simulator";
import { newStack } from "../kit/stack";

const LIMIT = { requests: 10, seconds: 10 };
const PIPES = 15;

/** The pipes of a stack, whose names no other stack has. */
const namesIn = (stack: number): string[] => Array.from({ length: PIPES }, (_, pipe) => `s${stack}-${pipe}`);

const programOf = (stack: number): string =>
  namesIn(stack)
    .map((name) => pipesProgram(withOwnDatabases({ [name]: minimal.kafka })))
    .join("");

/** Stacks with one key, at a service with this rate limit. */
async function stacksOf(count: number, service: Parameters<typeof newSimulator>[0]) {
  const rateLimit = `${LIMIT.requests}/${LIMIT.seconds}s`;
  const simulator = await newSimulator({ rateLimit, ...service });
  const stacks = Array.from({ length: count }, (_, stack) =>
    newStack({ simulator, program: programOf(stack), config: { rateLimit }, cold: true }),
  );
  const served = (): LoggedRequest[] => simulator.control.requests().filter(({ status }) => status !== 429);
  const made = (): string[] => simulator.control.state().pipes.map(({ name }) => name);
  return { simulator, stacks: await Promise.all(stacks), served, made };
}

const ROWS = [
  ["fixed", true],
  ["rolling", false],
] as const;

// `unit/api/crowd` has what the limit costs, in simulated time.
test.each(isNative ? ROWS.slice(-1) : ROWS)(
  "five stacks share a key at a service with %s windows (Retry-After: %s): none fails",
  async (rateLimitWindow, rateLimitHeaders) => {
    const { stacks, served, made } = await stacksOf(5, { rateLimitWindow, rateLimitHeaders });
    await Promise.all(stacks.map((stack) => stack.up()));
    expect(made().sort()).toEqual(stacks.flatMap((_, index) => namesIn(index)).sort());
    // A stack whose turn comes after a minute lists the pipes again.
    expect(served().length).toBeLessThanOrEqual(1.3 * stacks.length * (PIPES + 1));
  },
);

test("a pipeline that is killed in the middle does not stop the others, and none does its work", async () => {
  const limited = { rateLimitWindow: "rolling", rateLimitHeaders: false } as const;
  const { simulator, stacks, served, made } = await stacksOf(4, limited);
  const [killed, ...others] = stacks;
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
  const at = simulator.control.requests().at(-1)?.at ?? 0;
  await Promise.all([end, ...ends]);

  const isOfKilled = (name: string): boolean => name.startsWith("s0-");
  const bodies = served().flatMap((request) =>
    request.at > at ? [request.body as { name?: string } | null] : [],
  );
  expect(bodies.filter((body) => isOfKilled(body?.name ?? ""))).toEqual([]);
  const all = others.flatMap((_, index) => namesIn(index + 1));
  expect(
    made()
      .filter((name) => !isOfKilled(name))
      .sort(),
  ).toEqual(all.sort());
});
