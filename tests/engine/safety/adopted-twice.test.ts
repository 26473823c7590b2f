import { isNative } from "../../../testkit/adapter";
import { minimal, withValue, type JsonObject } from "../../../testkit/pipes";
import { newSimulator, takeWrites } from "../../../testkit/simulator";
import { newStack } from "../../../testkit/stack";
import { programOf, type Declaration } from "./program";

const pipe = (name: string, table: string, more: JsonObject = {}): Declaration => ({
  kind: "Pipe",
  name,
  args: {
    ...withValue(minimal.kafka, "destination.table", table),
    ...{ name: table, deletionPolicy: "delete", ...more },
  },
});

test("two resources cannot adopt one pipe, and a run that leaves out what adopts a pipe, or fails to adopt it, does not delete it under its former name", async () => {
  const simulator = await newSimulator();
  const tables = ["removed", "failing", "aliased", "excluded", "provided", "moved", "held"];
  const own = (table: string, name = `${table}.old`): Declaration => pipe(name, table);
  const stack = await newStack({ simulator, program: programOf(tables.map((table) => own(table))) });
  await stack.up();
  const ids = new Map(simulator.control.state().pipes.map(({ id, name }) => [name, id]));
  const deleted = (): string[] =>
    takeWrites(simulator).flatMap(({ method, path }) =>
      method === "DELETE" ? [...ids].flatMap(([table, id]) => (path.endsWith(id) ? [table] : [])) : [],
    );
  const adopting = (table: string, options?: Declaration["options"], more: object = {}): Declaration => ({
    ...pipe(`${table}.new`, table, { adopt: ids.get(table)?.toUpperCase() ?? "" }),
    ...{ options, ...more },
  });
  // A preview refuses two resources that adopt one pipe, also of two providers.
  for (const provided of [false, true]) {
    const second = { ...adopting("held", { provided }), name: "second" };
    await stack.write(programOf([adopting("held"), second]));
    const { output } = await stack.preview({ expectFailure: true });
    for (const name of ["held.new", "second"]) expect(output).toContain(name);
  }
  expect(takeWrites(simulator)).toHaveLength(tables.length);

  const failing = adopting("failing");
  failing.args["name"] = "failing 2";
  const others = [
    failing,
    adopting("aliased", { formerName: "aliased.old" }),
    adopting("excluded"),
    adopting("provided", { provided: true }),
    adopting("moved", { moved: true }, { name: "moved.old" }),
  ];
  await stack.write(programOf([...others, own("held")]));
  simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 400 });
  const flags = [
    ...leftOut(["::excluded.new", "::provided.new", "Group$*::moved.old", "::aliased.new"], "--exclude"),
    "--continue-on-error",
  ];
  await stack.up({ flags, expectFailure: true });
  expect(deleted()).toEqual(["removed"]);

  // The state has both names of this pipe, and the program the new one, with and without its id.
  const held = adopting("held");
  await stack.write(programOf([...others, held]));
  await stack.up({ flags: ["--target", "**::held.new"] });
  await stack.write(programOf([...others, own("held", "held.new")]));
  if (!isNative) {
    const { output } = await stack.up({ flags: leftOut(["::held.old"], "--target") });
    expect(output).toMatch(
      new RegExp(`${ids.get("held") ?? ""}.* is not deleted: "held.new" .* leaves "held.new" out`),
    );
  }
  await stack.up();
  expect(deleted()).toEqual([]);
  await stack.preview({ expectNoChanges: true });
  await stack.destroy({ flags: ["--run-program"] });
  expect(deleted().sort()).toEqual(tables.filter((table) => table !== "removed").sort());
});

/** The engine tells the native plugin nothing about a resource that a run leaves out, so there a run leaves out none. */
const leftOut = (names: readonly string[], flag: string): string[] =>
  isNative ? [] : names.flatMap((name) => [flag, `**${name}`]);
