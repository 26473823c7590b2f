import { pipeNamed, takeWrites, type Simulator } from "../../../testkit/simulator";
import { deployed } from "../../../testkit/stack";

/** How a pipe depends on another, and its replacement policy. */
interface Follower {
  replacementPolicy?: "refuse" | "allow";
  /** The output of the other pipe that is the table of this one: a change of it would need another pipe. */
  table: "name" | "id";
  replaceOnChanges?: string[];
}

const declarationOf = ([name, { table, replacementPolicy, replaceOnChanges }]: [
  string,
  Follower,
]): string => `
  new datapipes.Pipe(${JSON.stringify(name)}, {
    source: { kafka: { brokers: "b:9092", topics: "returns" } },
    destination: { table: leader.${table} },
    deletionPolicy: "delete",
    ...${JSON.stringify({ replacementPolicy })},
  }, ${JSON.stringify({ replaceOnChanges })});`;

/** A pipe, and those that take their table from it. All are deleted with their resource. */
const program = (topics: string, followers: Record<string, Follower>): string => `
  const leader = new datapipes.Pipe("leader", {
    source: { kafka: { brokers: "b:9092", topics: ${JSON.stringify(topics)} } },
    destination: { table: "orders" },
    deletionPolicy: "delete",
    replacementPolicy: "allow",
  });
  ${Object.entries(followers).map(declarationOf).join("\n")}`;

/** The methods of the writes, and the names of the pipes that were deleted. */
function sent(simulator: Simulator, idsByName: ReadonlyMap<string, string>): string[] {
  const names = new Map([...idsByName].map(([name, id]) => [id, name]));
  return takeWrites(simulator).map(({ method, path }) =>
    method === "DELETE" ? `DELETE ${names.get(path.split("/").at(-1) ?? "") ?? path}` : method,
  );
}

const idsOf = (simulator: Simulator, names: readonly string[]): Map<string, string> =>
  new Map(names.map((name) => [name, pipeNamed(simulator, name).id]));

test("keeps pipes that take their table from a replaced one when its value stays, whatever their policy says", async () => {
  const followers: Record<string, Follower> = {
    silent: { table: "name" },
    refusing: { table: "name", replacementPolicy: "refuse" },
    fielded: { table: "name", replaceOnChanges: ["destination"] },
    starred: { table: "name", replacementPolicy: "refuse", replaceOnChanges: ["*"] },
    allowing: { table: "name", replacementPolicy: "allow" },
  };
  const names = Object.keys(followers);
  const { simulator, stack } = await deployed(program("orders", followers));
  const ids = idsOf(simulator, ["leader", ...names]);
  takeWrites(simulator);

  await stack.write(program("others", followers));
  const preview = await stack.preview();
  expect(preview.output).toMatch(/leader +replace/);
  for (const name of names) expect(preview.output).not.toMatch(new RegExp(`${name} +(replace|delete)`));
  await stack.up();

  expect(sent(simulator, ids)).toEqual(["DELETE leader", "POST"]);
  const state = await stack.export();
  for (const name of names) {
    expect(state.named(name).id).toBe(ids.get(name));
    expect(pipeNamed(simulator, name).id).toBe(ids.get(name));
  }
  await stack.preview({ expectNoChanges: true });
});

test("keeps pipes whose table does change with a replaced one when they refuse it, also since this very run", async () => {
  const refusing: Record<string, Follower> = {
    always: { table: "id" },
    since: { table: "id", replacementPolicy: "refuse" },
  };
  const before: Record<string, Follower> = {
    ...refusing,
    since: { table: "id", replacementPolicy: "allow" },
  };
  const names = Object.keys(refusing);
  const { simulator, stack } = await deployed(program("orders", before));
  const ids = idsOf(simulator, ["leader", ...names]);
  takeWrites(simulator);

  await stack.write(program("others", refusing));
  const { output } = await stack.up({ expectFailure: true, flags: ["--continue-on-error"] });

  expect(output.match(/destination\.table cannot be changed in place/g)).toHaveLength(names.length);
  expect(sent(simulator, ids)).toEqual(["DELETE leader", "POST"]);
  const state = await stack.export();
  for (const name of names) expect(state.named(name).id).toBe(ids.get(name));
});

test("replaces a pipe whose table does change with a replaced one when it allows that, as the preview says", async () => {
  const followers: Record<string, Follower> = { follower: { table: "id", replacementPolicy: "allow" } };
  const { simulator, stack } = await deployed(program("orders", followers));
  const ids = idsOf(simulator, ["leader", "follower"]);
  takeWrites(simulator);

  await stack.write(program("others", followers));
  const preview = await stack.preview();
  expect(preview.output).toMatch(/follower +replace/);
  await stack.up();

  expect(sent(simulator, ids)).toEqual(["DELETE leader", "POST", "DELETE follower", "POST"]);
  expect(simulator.control.state().pipes).toHaveLength(2);
  await stack.preview({ expectNoChanges: true });
});
