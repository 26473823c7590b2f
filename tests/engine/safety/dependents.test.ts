import { pipeNamed, takeWrites } from "../../kit/simulator";
import { deployStack } from "../../kit/stack";

/** How a pipe depends on another: the expression for its table, a change of which would need another pipe. */
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
const keeping: Record<string, Follower> = {
  silent: { table: "leader.name" },
  outspoken: { table: "leader.name", replacementPolicy: "refuse" },
  fielded: { table: "leader.name", replaceOnChanges: ["destination"] },
  starred: { table: "leader.name", replacementPolicy: "refuse", replaceOnChanges: ["*"] },
  allowing: { table: "leader.name", replacementPolicy: "allow" },
};

test("keeps pipes that depend on a replaced one if they refuse, and replaces if they allow it", async () => {
  const follower: Follower = { table: "leader.id", replacementPolicy: "allow" };
  const others = { ...keeping, follower };
  const { simulator, stack } = await deployStack(program("orders", { ...others, refusing: follower }));
  const kept = [...Object.keys(keeping), "refusing"];
  const ids = new Map(["leader", "follower", ...kept].map((name) => [pipeNamed(simulator, name).id, name]));
  takeWrites(simulator);

  // It refuses by default, since this very run.
  await stack.write(program("others", { ...others, refusing: { table: "leader.id" } }));
  const preview = await stack.preview();
  for (const name of ["leader", "follower"]) expect(preview.output).toMatch(new RegExp(` ${name} +replace`));
  for (const name of Object.keys(keeping))
    expect(preview.output).not.toMatch(new RegExp(` ${name} +(replace|delete)`));
  const { output } = await stack.up({ expectFailure: true, flags: ["--continue-on-error"] });
  expect(output).toMatch(/destination\.table cannot be changed in place/);

  // One way out: declare the value of the pipe that was replaced.
  const [former = ""] = ids.keys();
  await stack.write(program("others", { ...others, refusing: { table: JSON.stringify(former) } }));
  await stack.up();
  const sent = takeWrites(simulator).map(({ method, path }) =>
    method === "DELETE" ? `DELETE ${ids.get(path.split("/").at(-1) ?? "") ?? path}` : method,
  );
  expect(sent).toEqual(["DELETE leader", "POST", "DELETE follower", "POST"]);
  const state = await stack.export();
  const left = [...ids].filter(
    ([id, name]) => state.named(name).id === id && pipeNamed(simulator, name).id === id,
  );
  expect(left.map(([, name]) => name)).toEqual(kept);
  expect(simulator.control.state().pipes).toHaveLength(ids.size);
  await stack.preview({ expectNoChanges: true });
});
