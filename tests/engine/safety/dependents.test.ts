import { mapValues } from "../../kit/json";
import { pipeNamed, takeWrites } from "../../kit/simulator";
import { deployStack } from "../../kit/stack";

/** A pipe that depends on another: the expression for its table, a change of which would need another pipe. */
interface Follower {
  table: string;
  replacementPolicy?: "refuse" | "allow";
  replaceOnChanges?: string[];
}

/** A pipe, and those that take their table from it. All are deleted with their resource. */
const program = (topics: string, followers: Record<string, Follower>): string => {
  const leader = { table: '"orders"', replacementPolicy: "allow" } as const;
  const pipes = Object.entries({ leader, ...followers }).map(
    ([name, { table, replacementPolicy, replaceOnChanges }]: [string, Follower]) => `
  const ${name} = new datapipes.Pipe("${name}", {
    source: { kafka: { brokers: "b:9092", topics: "${name === "leader" ? topics : name}" } },
    destination: { table: ${table} },
    deletionPolicy: "delete",
    ...${JSON.stringify({ replacementPolicy })},
  }, ${JSON.stringify({ replaceOnChanges })});`,
  );
  return pipes.join("");
};

/** Their table keeps its value, whatever their policy says. */
const unaffected: Record<string, Follower> = {
  withoutPolicy: { table: "leader.name" },
  refusing: { table: "leader.name", replacementPolicy: "refuse" },
  replacedOnDestination: { table: "leader.name", replaceOnChanges: ["destination"] },
  replacedOnAnything: { table: "leader.name", replacementPolicy: "refuse", replaceOnChanges: ["*"] },
  allowing: { table: "leader.name", replacementPolicy: "allow" },
};

test("keeps pipes that depend on a replaced one if they refuse, and replaces if they allow it", async () => {
  const allowing: Follower = { table: "leader.id", replacementPolicy: "allow" };
  const others = { ...unaffected, affected: allowing };
  const { simulator, stack } = await deployStack(program("orders", { ...others, nowRefusing: allowing }));
  const ids = mapValues(
    { leader: {}, ...others, nowRefusing: {} },
    (_, name) => pipeNamed(simulator, name).id,
  );
  takeWrites(simulator);

  await stack.write(program("others", { ...others, nowRefusing: { table: "leader.id" } }));
  const preview = await stack.preview();
  for (const name of ["leader", "affected"]) expect(preview.output).toMatch(new RegExp(` ${name} +replace`));
  for (const name of Object.keys(unaffected))
    expect(preview.output).not.toMatch(new RegExp(` ${name} +(replace|delete)`));
  const { output } = await stack.up({ expectFailure: true, flags: ["--continue-on-error"] });
  expect(output).toMatch(/destination\.table cannot be changed in place/);

  // One way out: declare the value of the pipe that was replaced.
  const table = JSON.stringify(ids["leader"]);
  await stack.write(program("others", { ...others, nowRefusing: { table } }));
  await stack.up();
  const sent = takeWrites(simulator).map(({ method, path }) => (method === "POST" ? method : [method, path]));
  const deletions = ["leader", "affected"].map((name) => ["DELETE", `/pipes/${ids[name]}`]);
  expect(sent).toEqual([deletions[0], "POST", deletions[1], "POST"]);
  const state = await stack.export();
  for (const name of [...Object.keys(unaffected), "nowRefusing"]) {
    expect({ name, id: state.named(name).id }).toEqual({ name, id: ids[name] });
    expect({ name, id: pipeNamed(simulator, name).id }).toEqual({ name, id: ids[name] });
  }
  await stack.preview({ expectNoChanges: true });
});
